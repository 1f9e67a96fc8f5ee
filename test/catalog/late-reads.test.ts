import { accountKey } from '@embed-access/core/access/keys.ts'
import { read } from '@embed-access/core/storage/conditional-writes.ts'
import { expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { put, revised } from '../support/catalog.ts'
import { apply, exported, outcomesOf } from '../support/database.ts'

const account = (name: string) => put('account', { id: 'acme', name })
const group = (revision: number) =>
  revised(revision, put('tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'g' }))

test('However late the database reads, a change is made of the item that is there now, and exported', async () => {
  const tables = new MemoryTables()
  const { storage } = tables
  await apply(storage, [account('before')])
  tables.readItemsLate()
  await apply(storage, [account('after')])
  expect(await read(storage, 'catalog', accountKey('acme'))).toMatchObject({ name: 'after' })
  expect(await exported(storage)).toEqual([expect.stringContaining('"name":"after"')])
})

test('However late the database reads, an older definition is skipped', async () => {
  const tables = new MemoryTables()
  const { storage } = tables
  await apply(storage, [group(1)])
  tables.readItemsLate()
  await apply(storage, [group(3)])
  const pause = () => Promise.reject(new Error('It met another change.'))
  expect(await outcomesOf({ ...storage, pause }, [group(2)])).toEqual(['skipped'])
})
