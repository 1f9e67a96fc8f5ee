import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { tableOfTests } from './table.ts'

/* The tests of costs and the benchmarks count by what the engine says that a call consumed. */

const { TableName, client, query } = tableOfTests()
const ReturnConsumedCapacity = 'TOTAL'

type Consumed = {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number | undefined } | undefined
}
const units = async (answer: Promise<Consumed>) => (await answer).ConsumedCapacity?.CapacityUnits

const put = (pk: string, more: object) =>
  units(
    client.send(
      new PutCommand({ TableName, Item: { pk, sk: 's', ...more }, ReturnConsumedCapacity }),
    ),
  )
const get = (pk: string, ConsistentRead: boolean) =>
  units(
    client.send(
      new GetCommand({ TableName, Key: { pk, sk: 's' }, ConsistentRead, ReturnConsumedCapacity }),
    ),
  )

// Read and write operations: half a unit for 4 KB that are read eventually, one for 4 KB read
// consistently, one even for nothing; a write consumes one for each KB, of the larger of the item
// before and after.
describe('what a call consumes', () => {
  test('for a read follows from the item’s size and from consistency', async () => {
    await put('small', { v: 'x'.repeat(3000) })
    await put('large', { v: 'x'.repeat(5000) })
    expect([await get('small', false), await get('small', true)]).toEqual([0.5, 1])
    expect([await get('large', false), await get('large', true)]).toEqual([1, 2])
    expect(await get('absent', true)).toBe(1)
  })

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

  test('for a write follows from the larger of the items before and after', async () => {
    expect(await put('written', { v: 'x'.repeat(2500) })).toBe(3)
    expect(await put('written', { v: '' })).toBe(3)
    expect(await put('written', { v: '' })).toBe(1)
  })

  // Global secondary indexes, write capacity: an index is written only if something changes that is
  // in it.
  test('for an index is a write of what it carries, plus a delete if its key changes', async () => {
    await put('listed', { list: 'l', order: '1', color: 'red' })
    const set = (attribute: string, value: string) =>
      units(
        client.send(
          new UpdateCommand({
            TableName,
            Key: { pk: 'listed', sk: 's' },
            UpdateExpression: 'SET #a = :value',
            ExpressionAttributeNames: { '#a': attribute },
            ExpressionAttributeValues: { ':value': value },
            ReturnConsumedCapacity,
          }),
        ),
      )
    expect([
      await set('size', 'large'),
      await set('color', 'blue'),
      await set('order', '2'),
    ]).toEqual([1, 2, 5])
  })

  // Query: the sizes of all items are added, as they are in the index, and then rounded up to 4 KB.
  test('for a query follows from the sum of what it reads', async () => {
    const orders = ['1', '2', '3', '4']
    await Promise.all(
      orders.map((order) =>
        put(`q${order}`, {
          list: 'queried',
          order,
          color: 'x'.repeat(1500),
          size: 'x'.repeat(9000),
        }),
      ),
    )
    const unitsOf = (index: string) => units(query(index, 'queried', { ReturnConsumedCapacity }))
    expect([await unitsOf('keysOnly'), await unitsOf('withColor')]).toEqual([0.5, 1])
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
