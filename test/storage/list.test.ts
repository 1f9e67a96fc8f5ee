import { listPage, type ReadEntries } from '@embed-access/core/storage/list.ts'
import { pageBytes } from '@embed-access/core/storage/page.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { countCalls } from '../support/counting.ts'
import { newTables, putItem } from '../support/database.ts'

/** Leaves out what is gone. */
const there: ReadEntries = async (items) =>
  items
    .map(({ order }) => ({ position: order as string, json: JSON.stringify(order) }))
    .filter(({ position }) => !position.startsWith('gone'))

describe('a list that is a partition of an index', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await newTables()
  })

  async function put(deploymentList: string, order: string): Promise<void> {
    const Item = { pk: `${deploymentList}/${order}`, sk: 'record', deploymentList, order }
    await putItem(storage, 'catalog', Item)
  }

  const pageOf = (partition: string, first: number, after?: string) =>
    listPage(
      storage,
      { index: 'byDeployment', partition, identity: ['parts', partition] },
      { first, after },
      there,
    )

  async function allPages(partition: string, first: number) {
    const pages = [await pageOf(partition, first)]
    for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
      pages.push(await pageOf(partition, first, last.pageInfo.endCursor as string))
    }
    return pages.map(({ items }) => items.map((json) => JSON.parse(json)))
  }

  test('skips no name with a control character, wherever a page ends', async () => {
    const inOrder = ['\0', '\t', 'a', 'a\0', 'a\0\0', 'a\t', 'a b', 'é', '\u{10ffff}']
    for (const order of inOrder) await put('control', order)
    for (const first of [1, 2, 3, 7])
      expect((await allPages('control', first)).flat()).toEqual(inOrder)
  })

  test('ends a page that would read too many deleted items, and goes on from there', async () => {
    for (let index = 0; index < 30; index += 1)
      await put('deleted', `gone ${String.fromCharCode(97 + index)}`)
    await put('deleted', 'last')
    expect(await allPages('deleted', 1)).toEqual([[], ['last']])
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
