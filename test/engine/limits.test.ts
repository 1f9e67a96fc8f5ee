import { BatchGetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { narrowUpdate } from '@embed-access/core/embed-tenants/narrow-update.ts'
import { maxPartitionKeyBytes, maxSortKeyBytes } from '@embed-access/core/storage/keys.ts'
import { describe, expect, test } from 'vitest'
import { tableOfTests } from './table.ts'

const { TableName, client, stored } = tableOfTests()

const put = (item: object) =>
  client.send(new PutCommand({ TableName, Item: item as Record<string, unknown> }))
const refused = expect.objectContaining({ name: 'ValidationException' })

describe('an item', () => {
  // Service quotas: at most 400 KB, names and values of attributes included, names as UTF-8.
  test('has at most 400 KB with the names of its attributes', async () => {
    const room = 400 * 1024 - Buffer.byteLength('pksizesksv')
    await put({ pk: 'size', sk: 's', v: 'x'.repeat(room) })
    await expect(put({ pk: 'size', sk: 's', v: 'x'.repeat(room + 1) })).rejects.toThrow(refused)
  })

  // Service quotas: 2,048 bytes of a partition key, 1,024 bytes of a sort key.
  test('has keys of so many bytes and no more', async () => {
    const [pk, sk] = ['p'.repeat(maxPartitionKeyBytes), 's'.repeat(maxSortKeyBytes)]
    await put({ pk, sk })
    expect(await stored(pk, sk)).toEqual({ pk, sk })
    await expect(put({ pk: `${pk}p`, sk })).rejects.toThrow(refused)
    await expect(put({ pk, sk: `${sk}s` })).rejects.toThrow(refused)
  })

  // Time to live: expired items are deleted within days. Until then reads and writes find them, so
  // conditions must ask.
  test('is there after its time to live, as DynamoDB deletes it when it likes', async () => {
    await put({ pk: 'expired', sk: 's', expiresAt: Math.floor(Date.now() / 1000) - 60 })
    expect(await stored('expired')).toBeDefined()
  })
})

describe('a batch of reads', () => {
  const read = (pks: readonly string[]) => {
    const reads = { Keys: pks.map((pk) => ({ pk, sk: 's' })), ConsistentRead: true }
    return client.send(new BatchGetCommand({ RequestItems: { [TableName]: reads } }))
  }
  const names = (count: number, of: string) =>
    Array.from({ length: count }, (_, index) => `${of} ${index}`)

  // BatchGetItem: up to 100 items. What doesn't exist is left out, and the order is not that of the
  // keys.
  test('takes a hundred keys, and leaves out what is not there', async () => {
    const hundred = names(100, 'batch')
    await Promise.all(hundred.slice(0, 60).map((pk) => put({ pk, sk: 's' })))
    const { Responses, UnprocessedKeys } = await read(hundred)
    expect(Responses?.[TableName]?.map(({ pk }) => pk).sort()).toEqual(hundred.slice(0, 60).sort())
    expect(UnprocessedKeys ?? {}).toEqual({})
    await expect(read(names(101, 'batch'))).rejects.toThrow(refused)
  })

  // BatchGetItem: at most 16 MB an answer. The keys of the rest are in UnprocessedKeys, to be asked
  // for again.
  test('gives at most 16 MB, and the keys of the rest', async () => {
    const pks = names(45, 'heavy')
    for (const pk of pks) await put({ pk, sk: 's', v: 'x'.repeat(390_000) })
    const { Responses, UnprocessedKeys } = await read(pks)
    const given = Responses?.[TableName]?.map(({ pk }) => pk) ?? []
    const left = UnprocessedKeys?.[TableName]?.Keys?.map(({ pk }) => pk) ?? []
    expect(given.length).toBeLessThanOrEqual((16 * 1024 * 1024) / 390_000)
    expect(given.length).toBeGreaterThan(0)
    expect([...given, ...left].sort()).toEqual(pks.sort())
    expect(UnprocessedKeys?.[TableName]?.ConsistentRead).toBe(true)
  })
})

describe('an expression', () => {
  // Service quotas: an expression has at most 4 KB, and at most 300 operators.
  test('may change 100 attributes on condition of 100', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `attribute:${index}`)
    const before = Object.fromEntries(names.map((name, index) => [name, { revision: index }]))
    const after = Object.fromEntries(names.map((name, index) => [name, { revision: index + 1 }]))
    const Key = { pk: 'wide', sk: 's' }
    await put({ ...Key, ...before })
    await client.send(
      new UpdateCommand(narrowUpdate(TableName, Key, { set: after, expected: before })),
    )
    expect(await stored('wide')).toEqual({ ...Key, ...after })
  })

  test('of more than 4 KB is refused', async () => {
    const long = Array.from({ length: 400 }, () => 'attribute_exists(pk)').join(' AND ')
    await expect(
      client.send(
        new PutCommand({ TableName, Item: { pk: 'long', sk: 's' }, ConditionExpression: long }),
      ),
    ).rejects.toThrow(refused)
  })
})
