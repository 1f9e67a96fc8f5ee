import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { apply, exported } from '../catalog/tables.ts'
import { folder, workbook } from '../changes.ts'
import { run } from '../run.ts'

const tables = tablesWithPrefix(`purge-${process.pid}`)
const env = () => ({
  DYNAMODB_ENDPOINT: inject('engineEndpoint'),
  CATALOG_TABLE: tables.catalog,
  SESSIONS_TABLE: tables.sessions,
  CREDENTIALS_TABLE: tables.credentials,
})

let storage: ReturnType<typeof connect>
beforeAll(async () => {
  storage = connect(tables, inject('engineEndpoint'))
  await createTables(storage)
})
afterAll(() => storage.client.destroy())

test('npm run catalog -- purge says how much it removed', async () => {
  await apply(storage, [
    { kind: 'deployment', data: { accountId: 'acme', id: 1, name: 'First' } },
    folder(1, 1, null),
    workbook(1, 2),
    workbook(2, 3),
  ])
  await apply(storage, [{ kind: 'deployment', op: 'delete', data: { id: 1 } }])
  expect(await run(['cli/catalog.ts', 'purge'], env()).ended).toEqual({ code: 0, printed: 'removed 2\n' })
  expect((await exported(storage)).map((line) => JSON.parse(line).kind).toSorted()).toEqual(['deployment', 'workbook'])
  expect((await run(['cli/catalog.ts', 'purge'], env()).ended).printed).toBe('removed 0\n')
})
