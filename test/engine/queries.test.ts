import { PutCommand, QueryCommand, type QueryCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { tableOfTests } from './table.ts'

const { TableName, client } = tableOfTests()

const put = (item: object) => client.send(new PutCommand({ TableName, Item: item as Record<string, unknown> }))

const query = (IndexName: string, list: string, more: Partial<QueryCommandInput> = {}, range = '') =>
  client.send(
    new QueryCommand({
      TableName,
      IndexName,
      KeyConditionExpression: `#list = :list${range && ` AND #order ${range}`}`,
      ...more,
      ExpressionAttributeNames: { '#list': 'list', ...(range && { '#order': 'order' }) },
      ExpressionAttributeValues: { ':list': list, ...more.ExpressionAttributeValues },
    }),
  )

const ordersOf = ({ Items }: { Items?: Record<string, unknown>[] | undefined }) => Items?.map(({ order }) => order)

/** Puts an item for each of these sort keys of the index. */
const fill = (list: string, orders: readonly string[], more: object = {}) =>
  Promise.all(orders.map((order) => put({ pk: list, sk: order, list, order, ...more })))

describe('an index', () => {
  // Global secondary indexes, attribute projections: keys of table and index are always there, and what is included.
  test('has the keys and what it carries, and nothing else', async () => {
    const item = { pk: 'p', sk: 's', list: 'projected', order: '1' }
    await put({ ...item, color: 'red', size: 4 })
    expect((await query('keysOnly', 'projected')).Items).toEqual([item])
    expect((await query('withColor', 'projected')).Items).toEqual([{ ...item, color: 'red' }])
  })

  // Sparse indexes: an item is in an index only while it has all attributes of the index's key.
  test('has those items only that have its keys, until they are replaced', async () => {
    await put({ pk: 'sparse', sk: 's', list: 'sparse', order: '1' })
    await put({ pk: 'no sort key', sk: 's', list: 'sparse' })
    expect((await query('keysOnly', 'sparse')).Items).toHaveLength(1)
    await put({ pk: 'sparse', sk: 's', deleted: true })
    expect((await query('keysOnly', 'sparse')).Items).toEqual([])
  })

  test('loses an item whose key an update removes', async () => {
    await put({ pk: 'unlisted', sk: 's', list: 'unlisted', order: '1' })
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { pk: 'unlisted', sk: 's' },
        UpdateExpression: 'REMOVE #list',
        ExpressionAttributeNames: { '#list': 'list' },
      }),
    )
    expect((await query('keysOnly', 'unlisted')).Items).toEqual([])
  })
})

describe('a query', () => {
  // Query: results are sorted by sort key, text in the order of its UTF-8 bytes, ascending unless asked otherwise.
  test('sorts text by its bytes in UTF-8', async () => {
    const sorted = ['!', '0', '10', '9', 'A', 'a', 'a ', 'a!', 'a0', 'aa', 'é', '中', '\uFFFD', '😀']
    await fill('sorted', sorted.toReversed())
    expect(ordersOf(await query('keysOnly', 'sorted'))).toEqual(sorted)
    expect(ordersOf(await query('keysOnly', 'sorted', { ScanIndexForward: false }))).toEqual(sorted.toReversed())
  })

  // Key condition expressions: > and >= begin at a value, BETWEEN includes both of its ends.
  test('begins after, at or between sort keys, whether there are such items or not', async () => {
    await fill('range', ['b', 'd', 'f'])
    const ordersIn = async (range: string, from: string, to?: string) => {
      const ExpressionAttributeValues = { ':from': from, ...(to && { ':to': to }) }
      return ordersOf(await query('keysOnly', 'range', { ExpressionAttributeValues }, range))
    }
    expect(await ordersIn('> :from', 'b')).toEqual(['d', 'f'])
    expect(await ordersIn('> :from', 'c')).toEqual(['d', 'f'])
    expect(await ordersIn('>= :from', 'b')).toEqual(['b', 'd', 'f'])
    expect(await ordersIn('BETWEEN :from AND :to', 'b', 'd')).toEqual(['b', 'd'])
    expect(await ordersIn('BETWEEN :from AND :to', 'b ', 'e')).toEqual(['d'])
  })

  // Query, Limit: the greatest number of items to evaluate. With LastEvaluatedKey there may be more, without it there aren't.
  test('stops at its limit, and says that there may be more', async () => {
    await fill('limited', ['1', '2', '3'])
    const page = await query('keysOnly', 'limited', { Limit: 2 })
    expect(ordersOf(page)).toEqual(['1', '2'])
    expect(page.LastEvaluatedKey).toMatchObject({ list: 'limited', order: '2' })
    const rest = await query('keysOnly', 'limited', { Limit: 2, ExclusiveStartKey: page.LastEvaluatedKey })
    expect([ordersOf(rest), rest.LastEvaluatedKey]).toEqual([['3'], undefined])
  })

  // Query, pagination: one page has at most 1 MB.
  test('stops at 1 MB, and says that there may be more', async () => {
    const orders = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index))
    await fill('large', orders, { color: 'x'.repeat(100_000) })
    const page = await query('withColor', 'large')
    expect(ordersOf(page)).toEqual(orders.slice(0, page.Items?.length))
    expect(page.Items?.length).toBeOneOf([10, 11])
    expect(page.LastEvaluatedKey).toBeDefined()
    const rest = await query('withColor', 'large', { ExclusiveStartKey: page.LastEvaluatedKey })
    expect([ordersOf(rest), rest.LastEvaluatedKey]).toEqual([orders.slice(page.Items?.length), undefined])
  })

  // Global secondary indexes, read consistency: an index is read eventually consistently, and in no other way.
  test('of an index cannot be consistent', async () => {
    await expect(query('keysOnly', 'any', { ConsistentRead: true })).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    )
  })
})
