import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { embedTenantKey, maxEmbedTenantBytes } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import type { Item } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { embedTenantOf } from '../embed-tenants/embed-tenant-of.ts'
import { put, without } from '../support/catalog.ts'
import { apply, cancelling, interrupted, newTables, outcomesOf, sentBy } from '../support/database.ts'

const group = (more: object = {}) =>
  put('tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'g', ...more })
const isTransaction = (command: object) => command instanceof TransactWriteCommand

async function tenant(storage: Storage) {
  const get = { TableName: storage.tables.catalog, Key: embedTenantKey('acme', 'north'), ConsistentRead: true }
  return embedTenantOf((await storage.client.send(new GetCommand(get))).Item as Item | undefined)
}

test.each(['ConditionalCheckFailed', 'ValidationError', 'TransactionConflict'])(
  'A definition whose write meets another one (%s) is written again, after waits',
  async (code) => {
    const storage = await newTables()
    const racing = cancelling(storage, 9, 'None', code)
    expect(await outcomesOf(racing.storage, [group()])).toEqual(['applied'])
    expect(racing.pauses).toEqual(Array(9).fill(20))
    expect((await tenant(storage))?.groups).toMatchObject([{ name: 'g' }])
  },
)

test('A definition whose write is cancelled for another reason has failed, at once', async () => {
  const { storage, pauses } = cancelling(await newTables(), 1, 'None', 'AccessDenied')
  expect(await apply(storage, [group()])).toMatchObject([
    { outcome: 'failed', reason: 'TransactionCanceledException: no' },
  ])
  expect(pauses).toEqual([])
})

test('Of two definitions without a revision the last one counts', async () => {
  const storage = await newTables()
  await apply(storage, [group({ description: 'before' })])
  const meanwhile = interrupted(storage, 1, isTransaction, () => apply(storage, [group({ description: 'between' })]))
  expect(await outcomesOf(meanwhile, [group({ description: 'after' })])).toEqual(['applied'])
  expect((await tenant(storage))?.groups).toEqual([{ name: 'g', description: 'after' }])
})

test('A definition that is there again in the same words was still changed', async () => {
  const storage = await newTables()
  const same = group({ description: 'same' })
  await apply(storage, [same])
  let writes = 0
  const counting = sentBy(storage, (command, on) => {
    if (isTransaction(command)) writes += 1
    return on(command)
  })
  const meanwhile = interrupted(counting, 1, isTransaction, async () => {
    await apply(storage, [without(group()), same])
  })
  expect(await outcomesOf(meanwhile, [without(group())])).toEqual(['applied'])
  expect(writes).toBe(2)
  expect((await tenant(storage))?.groups).toEqual([])
})

test('A put that is skipped names the tenant all the same, and a delete does not', async () => {
  const storage = await newTables()
  await apply(storage, [{ ...without(group()), revision: 5 }])
  expect(await tenant(storage)).toBeUndefined()
  expect(await outcomesOf(storage, [{ ...without(group()), revision: 4 }])).toEqual(['skipped'])
  expect(await tenant(storage)).toBeUndefined()
  expect(await outcomesOf(storage, [{ ...group(), revision: 4 }])).toEqual(['skipped'])
  expect(await tenant(storage)).toMatchObject({ name: 'north', groups: [] })
})

test('A definition that makes its tenant too large is refused, to the byte', async () => {
  const storage = await newTables()
  const own = { ...embedTenantKey('acme', 'north'), kind: 'embedTenant', accountId: 'acme', name: 'north' }
  const store = (bytes: number) => {
    const Item = { ...own, 'group:other': '', 'group:g': { description: 'x'.repeat(100), revision: 1 } }
    Item['group:other'] = 'x'.repeat(bytes - JSON.stringify(Item).length)
    return storage.client.send(new PutCommand({ TableName: storage.tables.catalog, Item }))
  }
  const grown = (by: number) => ({ ...group({ description: 'x'.repeat(100 + by) }), revision: 2 })
  await store(maxEmbedTenantBytes - 1)
  const reason = `all definitions of the embed tenant or account would have ${maxEmbedTenantBytes + 1} bytes; the limit is ${maxEmbedTenantBytes}`
  expect(await apply(storage, [grown(2)])).toEqual([{ outcome: 'refused', problems: [{ pointer: '/data', reason }] }])
  expect(await outcomesOf(storage, [grown(1)])).toEqual(['applied'])
  for (const [by, outcome] of [
    [1, 'refused'],
    [0, 'applied'],
    [-1, 'applied'],
  ] as const) {
    await store(maxEmbedTenantBytes + 100)
    expect(await outcomesOf(storage, [grown(by)])).toEqual([outcome])
  }
})
