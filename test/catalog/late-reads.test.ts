import { accountKey } from '@embed-access/core/access/keys.ts'
import { read } from '@embed-access/core/catalog/conditional-put.ts'
import { expect, test } from 'vitest'
import { put } from '../changes.ts'
import { lateReads } from '../storage/late-reads.ts'
import { apply, exported, newTables, outcomesOf } from './tables.ts'

const account = (name: string) => put('account', { id: 'acme', name })
const group = (revision: number) => ({
  ...put('tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'g', description: `${revision}` }),
  revision,
})

test('However late the database reads, a change is made of the item that is there now', async () => {
  const storage = await newTables()
  await apply(storage, [account('before')])
  const late = await lateReads(storage)
  await apply(storage, [account('after')])
  expect(await read(late, 'catalog', accountKey('acme'))).toMatchObject({ name: 'after' })
})

test('However late the database reads, an older definition is skipped', async () => {
  const storage = await newTables()
  await apply(storage, [group(1)])
  const pause = () => Promise.reject(new Error('It met another change.'))
  const late = { ...(await lateReads(storage)), pause }
  await apply(storage, [group(3)])
  expect(await outcomesOf(late, [group(2)])).toEqual(['skipped'])
})

test('However late the database reads, an export has what is there now', async () => {
  const storage = await newTables()
  const late = await lateReads(storage)
  await apply(storage, [account('new')])
  expect(await exported(late)).toEqual([expect.stringContaining('"name":"new"')])
})
