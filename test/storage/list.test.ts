import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { batchGet, isLive } from '@embed-access/core/storage/batch-get.ts'
import { listPage, type ReadEntries } from '@embed-access/core/storage/list.ts'
import { readAll } from '@embed-access/core/storage/query.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, expect, test } from 'vitest'
import { newTables } from '../support/database.ts'

let storage: Storage
beforeAll(async () => {
  storage = await newTables()
})

async function put(pk: string, sortKeys: readonly string[], more: object = {}): Promise<void> {
  for (const sk of sortKeys) {
    const Item = { pk, sk, deploymentList: pk, order: sk, ...more }
    await storage.client.send(new PutCommand({ TableName: storage.tables.catalog, Item }))
  }
}

test('all items of a partition that begin with a part come in order', async () => {
  const inOrder = ['part#a', 'part#b', 'part#é', 'part#\u{10ffff}\u{10ffff}']
  await put('few', [...inOrder.toReversed(), 'part', 'part$a', 'parts#a', 'record'])
  expect((await readAll(storage, 'few', 'part#')).map(({ sk }) => sk)).toEqual(inOrder)
})

test('a page that would read too many deleted items ends, and the next one goes on from there', async () => {
  const liveOnes: ReadEntries = async (items) => {
    const found = await batchGet(storage, items)
    return [...found.values()].filter(isLive).map(({ sk }) => ({ position: sk as string, json: JSON.stringify(sk) }))
  }
  const pageAfter = (after?: string) => {
    const list = { index: 'byDeployment', partition: 'deleted', identity: ['parts'] }
    return listPage(storage, list, { first: 1, after }, liveOnes)
  }
  const names = Array.from({ length: 30 }, (_, index) => `part#${String.fromCharCode(97 + index)}`)
  await put('deleted', names, { deleted: true })
  await put('deleted', ['part#é'])
  const page = await pageAfter()
  expect(page).toMatchObject({ items: [], pageInfo: { hasNextPage: true } })
  const next = await pageAfter(page.pageInfo.endCursor as string)
  expect(next).toMatchObject({ items: ['"part#é"'], pageInfo: { hasNextPage: false } })
})
