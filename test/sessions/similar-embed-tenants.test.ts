import { createEmbedTenant } from '@embed-access/core/catalog/named-tenants.ts'
import { similarEmbedTenants } from '@embed-access/core/sessions/unknown-names.ts'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import { expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { countCalls } from '../support/counting.ts'
import { apply, countsUnits, withoutUnits } from '../support/database.ts'
import {
  acmeTenant,
  admin,
  keys,
  people,
  put,
  userKey,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const service = world([
  ...people,
  acmeTenant('brock-tea'),
  put('embedTenant', { accountId: 'other', name: 'brok-teas' }),
  userKey('acme', 1, 'sk-sessions-only', { operations: ['generate-session'] }),
  userKey('acme', 1, 'sk-own-deployment', { deploymentIds: [1] }),
])
const { dryRun } = sessionsOf(service)

const warnings = async (embedTenantName: string, key?: string) =>
  (await dryRun({ embedTenantName }, key)).body.warnings
const mistyped = 'names no embed tenant yet, and a session would create it: "brok-tea"'

test('a dry run names the nearest tenant of the account to an unlimited admin alone', async () => {
  const pointer = '/embedTenantName'
  const named = [{ pointer, message: `${mistyped}; the nearest one is "brock-tea"` }]
  expect(await warnings('brok-tea')).toEqual(named)
  expect(await warnings('brock-tea')).toEqual([])
  const alone = [{ pointer, message: mistyped }]
  for (const key of [keys.reader, 'sk-sessions-only', 'sk-own-deployment'])
    expect([key, await warnings('brok-tea', key)]).toEqual([key, alone])
  expect((await dryRun({ embedTenantName: 'quite-another' })).body.warnings).toMatchObject([
    { message: expect.stringMatching(/"quite-another"$/) },
  ])
})

test('what was deleted is not suggested, though the index still has it', async () => {
  const tables = new MemoryTables()
  const similar = () => similarEmbedTenants(tables.storage, admin, 'brok-tea')
  await apply(tables.storage, [acmeTenant('brock-tea')])
  expect(await similar()).toEqual(['brock-tea'])
  tables.readLate()
  await apply(tables.storage, [without(acmeTenant('brock-tea'))])
  expect(await similar()).toEqual([])
})

test('among very many tenants it is near in letters, for a bounded price', async () => {
  const { storage } = new MemoryTables()
  const numbered = Array.from({ length: 2000 }, (_, index) => `t${index}`)
  await apply(
    storage,
    [...numbered, 'aspen-oil', 'willow-tea'].map((name) => acmeTenant(name)),
  )
  const similar = (name: string) => similarEmbedTenants(storage, admin, name)
  // Letters after the first two, or any in a small account or early in a large one.
  expect(await similar('wilow-tea')).toEqual(['willow-tea'])
  expect(await similar('spaen-oil')).toEqual(['aspen-oil'])
  expect(await similar('iwllow-tea')).toEqual([])
})

test('a suggestion costs three reads in two trips, of at most a thousand entries', async ({
  skip,
}) => {
  skip(!countsUnits, withoutUnits)
  const { storage } = service
  const add = (names: readonly string[]) =>
    inParallel(names, (name) => createEmbedTenant(storage, 'many', name, service.now))
  const measure = countCalls(storage)
  const asked = () =>
    measure(() => similarEmbedTenants(storage, { ...admin, accountId: 'many' }, 'brok-tea'))
  await add(['brock-tea'])
  const [few, found] = await asked()
  expect(found).toEqual(['brock-tea'])
  expect([few.trips, few.readUnits]).toEqual([[['Query', 'Query'], ['BatchGet']], 2])
  await add(Array.from({ length: 600 }, (_, index) => `br-${index}`))
  const [many, still] = await asked()
  expect(still).toEqual([])
  expect([many.trips, many.entries]).toEqual([[['Query', 'Query']], 1000])
  expect(many.readUnits).toBe(8)
})
