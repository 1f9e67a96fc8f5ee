import {
  BatchGetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { tableOfTests } from './table.ts'

/*
 * Some of what this service relies on in DynamoDB. `test/simulation/equivalence.test.ts` compares
 * command by command. Comments say in short what AWS's developer guide or API reference says, and
 * name the page.
 */

const { TableName, client, stored, query } = tableOfTests()

const put = (pk: string, more: object = {}, condition: object = {}) =>
  client.send(new PutCommand({ TableName, Item: { pk, sk: 's', ...more }, ...condition }))

const failure = (name: string) => expect.objectContaining({ name })

/** What becomes of calls made at once: how many succeeded, and the errors of the others. */
async function atOnce(calls: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(calls)
  const errors = settled.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as Error] : [],
  )
  return { succeeded: calls.length - errors.length, errors }
}

describe('a condition', () => {
  // Working with items, conditional writes: the condition is evaluated against the item as it is
  // when it's written.
  test('that no item exists holds for one of a hundred puts at once', async () => {
    const { succeeded, errors } = await atOnce(
      Array.from({ length: 100 }, (_, by) =>
        put('first', { by }, { ConditionExpression: 'attribute_not_exists(pk)' }),
      ),
    )
    expect(succeeded).toBe(1)
    expect(new Set(errors.map(({ name }) => name))).toEqual(
      new Set(['ConditionalCheckFailedException']),
    )
  })
})

describe('a transaction', () => {
  const transact = (pks: readonly string[], more: object = {}) =>
    client.send(
      new TransactWriteCommand({
        TransactItems: pks.map((pk) => ({
          Update: {
            TableName,
            Key: { pk, sk: 's' },
            UpdateExpression: 'ADD counted :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        })),
        ...more,
      }),
    )

  // TransactWriteItems, ClientRequestToken: with it, the call has the effect of one single call,
  // for ten minutes.
  test('that comes twice under one token is done once', async () => {
    const token = { ClientRequestToken: crypto.randomUUID() }
    await transact(['once'], token)
    await transact(['once'], token)
    expect(await stored('once')).toMatchObject({ counted: 1 })
    await expect(transact(['other'], token)).rejects.toThrow(
      failure('IdempotentParameterMismatchException'),
    )
    expect(await stored('other')).toBeUndefined()
  })

  // Managing complex workflows with transactions: of transactions on one item, some may fail by a
  // conflict. Then nothing is written, and whoever sent it may send it again.
  test('succeeds or names a conflict where others are on its item', async () => {
    const { succeeded, errors } = await atOnce(
      Array.from({ length: 30 }, () => transact(['contended'])),
    )
    expect(await stored('contended')).toMatchObject({ counted: succeeded })
    for (const error of errors) {
      expect(error).toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'TransactionConflict' }],
      })
    }
  })

  // TransactWriteItems: at most 100 actions.
  test('has at most a hundred actions', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `action ${index}`)
    await transact(many.slice(1))
    await expect(transact(many)).rejects.toThrow(failure('ValidationException'))
    expect(await stored('action 0')).toBeUndefined()
  })
})

describe('a query', () => {
  const ordersOf = ({ Items }: { Items?: Record<string, unknown>[] | undefined }) =>
    Items?.map(({ order }) => order)

  /** Puts an item for each of these sort keys of the index. */
  const fill = (list: string, orders: readonly string[], more: object = {}) =>
    Promise.all(orders.map((order) => put(`${list} ${order}`, { list, order, ...more })))

  // Query: results are sorted by sort key, text in the order of its UTF-8 bytes.
  test('sorts text by its bytes in UTF-8', async () => {
    const sorted = [
      '\0',
      '!',
      '0',
      '10',
      '9',
      'A',
      'a',
      'a\0',
      'a\t',
      'a ',
      'a!',
      'a0',
      'aa',
      'é',
      '中',
      '\uFFFD',
      '😀',
    ]
    await fill('sorted', sorted.toReversed())
    expect(ordersOf(await query('keysOnly', 'sorted'))).toEqual(sorted)
  })

  // Query, pagination: one page has at most 1 MB.
  test('stops at 1 MB, and says that there may be more', async () => {
    const orders = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index))
    await fill('large', orders, { color: 'x'.repeat(100_000) })
    const page = await query('withColor', 'large')
    expect(ordersOf(page)).toEqual(orders.slice(0, page.Items?.length))
    expect(page.Items?.length).toBeOneOf([10, 11])
    const rest = await query('withColor', 'large', { ExclusiveStartKey: page.LastEvaluatedKey })
    expect([ordersOf(rest), rest.LastEvaluatedKey]).toEqual([
      orders.slice(page.Items?.length),
      undefined,
    ])
  })
})

// The tests of costs and the benchmarks count by what the engine says that a call consumed.
describe('what a call consumes', () => {
  const ReturnConsumedCapacity = 'TOTAL'

  // Read and write operations: a consistent read of nothing consumes a unit too.
  test('for a batch of reads is that of each, also where there is no item', async ({ skip }) => {
    skip(!countsUnits, withoutUnits)
    await put('there', {})
    const Keys = ['there', 'absent', 'absent too'].map((pk) => ({ pk, sk: 's' }))
    const RequestItems = { [TableName]: { Keys, ConsistentRead: true } }
    const { ConsumedCapacity } = await client.send(
      new BatchGetCommand({ RequestItems, ReturnConsumedCapacity }),
    )
    expect(ConsumedCapacity).toMatchObject([{ CapacityUnits: 3 }])
  })

  // Global secondary indexes, write capacity: an index is written only if something changes that is
  // in it.
  test('for an index is a write of what it carries, plus a delete if its key changes', async () => {
    await put('listed', { list: 'l', order: '1', color: 'red' })
    const set = async (attribute: string, value: string) => {
      const { ConsumedCapacity } = await client.send(
        new UpdateCommand({
          TableName,
          Key: { pk: 'listed', sk: 's' },
          UpdateExpression: 'SET #a = :value',
          ExpressionAttributeNames: { '#a': attribute },
          ExpressionAttributeValues: { ':value': value },
          ReturnConsumedCapacity,
        }),
      )
      return ConsumedCapacity?.CapacityUnits
    }
    expect([
      await set('size', 'large'),
      await set('color', 'blue'),
      await set('order', '2'),
    ]).toEqual([1, 2, 5])
  })

  // Managing complex workflows with transactions: each item is written twice, once to prepare and
  // once to commit. DynamoDB Local counts each once.
  test('for a transaction is twice that of its writes', async () => {
    const { ConsumedCapacity } = await client.send(
      new TransactWriteCommand({
        TransactItems: ['t1', 't2'].map((pk) => ({ Put: { TableName, Item: { pk, sk: 's' } } })),
        ReturnConsumedCapacity,
      }),
    )
    expect(ConsumedCapacity?.[0]?.CapacityUnits).toBeOneOf([4, 2])
  })
})
