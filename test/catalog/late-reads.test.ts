import { accountKey } from '@embed-access/core/access/keys.ts'
import { read } from '@embed-access/core/storage/conditional-writes.ts'
import { expect, test } from 'vitest'
import { put } from '../support/catalog.ts'
import { apply, exported, outcomesOf } from '../support/database.ts'
import { MemoryTables } from '../support/memory-tables.ts'

const account = (name: string) => put('account', { id: 'acme', name })
const group = (revision: number) => ({
  ...put('tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'g', description: `${revision}` }),
  revision,
})

test('However late the database reads, a change is made of the item that is there now', async () => {
  const tables = new MemoryTables()
  const { storage } = tables
  await apply(storage, [account('before')])
  tables.readItemsLate()
  await apply(storage, [account('after')])
  expect(await read(storage, 'catalog', accountKey('acme'))).toMatchObject({ name: 'after' })
})

test('However late the database reads, an older definition is skipped', async () => {
  const tables = new MemoryTables()
  const { storage } = tables
  await apply(storage, [group(1)])
  const pause = () => Promise.reject(new Error('It met another change.'))
  tables.readItemsLate()
  const late = { ...storage, pause }
  await apply(storage, [group(3)])
  expect(await outcomesOf(late, [group(2)])).toEqual(['skipped'])
})

test('However late the database reads, an export has what is there now', async () => {
  const tables = new MemoryTables()
  const { storage } = tables
  tables.readItemsLate()
  await apply(storage, [account('new')])
  expect(await exported(storage)).toEqual([expect.stringContaining('"name":"new"')])
})
