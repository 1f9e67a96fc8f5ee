import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { isLive } from '@embed-access/core/storage/item.ts'
import { listPage, type ReadEntries } from '@embed-access/core/storage/list.ts'
import { pageBytes } from '@embed-access/core/storage/page.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { countCalls } from '../support/counting.ts'
import { newTables } from '../support/database.ts'

const liveOnes: ReadEntries = async (items) =>
  items.filter(isLive).map(({ sk }) => ({ position: sk as string, json: JSON.stringify(sk) }))

describe('a list that is a partition of the catalog', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await newTables()
  })

  async function put(pk: string, sortKeys: readonly string[], more: object = {}): Promise<void> {
    for (const sk of sortKeys) {
      await storage.client.send(
        new PutCommand({ TableName: storage.tables.catalog, Item: { pk, sk, ...more } }),
      )
    }
  }

  const pageOf = (partition: string, first: number, after?: string) =>
    listPage(
      storage,
      { partition, beginning: 'part#', identity: ['parts', partition] },
      { first, after },
      liveOnes,
    )

  async function allPages(partition: string, first: number) {
    const pages = [await pageOf(partition, first)]
    for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
      pages.push(await pageOf(partition, first, last.pageInfo.endCursor as string))
    }
    return pages.map(({ items }) => items.map((json) => JSON.parse(json)))
  }

  test('has the items that begin as it asks, in order, and none that was deleted', async () => {
    const own = ['part#é', 'part#a', 'part#b', 'part#\u{10ffff}\u{10ffff}']
    await put('few', [...own, 'part', 'part$a', 'parts#a', 'record'])
    await put('few', ['part#aa', 'part#bb'], { deleted: true })
    const inOrder = ['part#a', 'part#b', 'part#é', 'part#\u{10ffff}\u{10ffff}']
    for (const first of [1, 2, 3, 4, 5])
      expect((await allPages('few', first)).flat()).toEqual(inOrder)
  })

  test('skips no name with a control character, wherever a page ends', async () => {
    const inOrder = [
      'part#\0',
      'part#\t',
      'part#a',
      'part#a\0',
      'part#a\0\0',
      'part#a\t',
      'part#a b',
    ]
    await put('control', inOrder)
    for (const first of [1, 2, 3, 7])
      expect((await allPages('control', first)).flat()).toEqual(inOrder)
  })

  test('ends a page that would read too many deleted items, and goes on from there', async () => {
    const names = Array.from(
      { length: 30 },
      (_, index) => `part#${String.fromCharCode(97 + index)}`,
    )
    await put('deleted', names, { deleted: true })
    await put('deleted', ['part#é'])
    expect(await allPages('deleted', 1)).toEqual([[], ['part#é']])
    const [{ calls }] = await countCalls(storage)(() => pageOf('deleted', 1))
    expect(calls).toBe(10)
  })
})

test('A list that is a partition of an index asks for no more than the page lacks', async () => {
  const tables = new MemoryTables()
  for (const order of ['1', '2', '3', '4', '5'])
    tables.put('catalog', { pk: order, sk: 'record', deploymentList: 'few', order })
  const limits: unknown[] = []
  tables.afterwards = ({ input }) => void limits.push('Limit' in input && input.Limit)
  const list = { index: 'byDeployment', partition: 'few', identity: ['few'] }
  const odd: ReadEntries = async (items) =>
    items.map(({ pk }) => ({ position: pk, json: pk })).filter(({ json }) => Number(json) % 2)
  const { items } = await listPage(tables.storage, list, { first: 2 }, odd)
  expect([items, limits]).toEqual([
    ['1', '3'],
    [3, 1, 1],
  ])
  // A page is also full by its bytes.
  limits.length = 0
  const large: ReadEntries = async (items) =>
    (await odd(items)).map(({ position }) => ({ position, json: 'x'.repeat(pageBytes) }))
  const { pageInfo } = await listPage(tables.storage, list, { first: 2 }, large)
  expect([pageInfo.hasNextPage, limits]).toEqual([true, [3]])
})
