import { differences, differing } from '@embed-access/core/catalog/reconcile.ts'
import {
  definitionAttribute,
  embedTenantKey,
} from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { namedBySession } from '@embed-access/core/embed-tenants/session-tenants.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import {
  acmeDeployment,
  acmeGroup,
  acmeTenant,
  embedTenant,
  folder,
  put,
  revised,
  share,
  tenantAttribute,
  tenantGroup,
  without,
  workbook,
} from '../support/catalog.ts'
import { apply, exported, itemAt, outcomesOf, putItem, quickTables } from '../support/database.ts'
import { samples } from './samples.ts'

/** What differs from a dump without mistakes. */
async function compared(storage: Storage, dump: readonly unknown[], deploymentId?: number) {
  async function* again() {
    yield* dump.map((change, index) => ({ number: index + 1, change }))
  }
  const never = () => expect.unreachable()
  const { extra, others } = await differences(storage, again, never, deploymentId)
  const found = (await Array.fromAsync(others)).map(({ what, change }) => ({ what, change }))
  return [...extra.map((each) => ({ what: 'extra', ...each })), ...found]
}

test('a catalog does not differ from what it was made of, nor from its export', async () => {
  const storage = await quickTables()
  const all = Object.entries(samples).flatMap(([kind, [data]]) => [
    revised(1, put(kind, data as object)),
  ])
  await apply(storage, all)
  const copy = (await exported(storage)).map((line) => JSON.parse(line))
  for (const dump of [all, copy]) expect(await compared(storage, dump)).toEqual([])
})

test('what is missing, different or too many is found; what changed since is left', async () => {
  const storage = await quickTables()
  const same = revised(1, folder(1, 1, null))
  const here = [
    same,
    revised(1, folder(1, 2, null, 'old')),
    revised(9, folder(1, 3, null, 'changed since')),
    revised(4, folder(1, 4, null, 'one of two')),
    revised(6, folder(1, 5, null, 'extra')),
    revised(9, without(folder(1, 6, null))),
    revised(2, without(folder(1, 7, null))),
    folder(1, 8, null, 'extra'),
    folder(1, 9, null, 'without a revision'),
    revised(2, folder(1, 10, null, 'with a revision')),
    folder(1, 11, null, 'without any'),
    share(1, 'folder', 1, embedTenant('north')),
    acmeDeployment(1),
    revised(1, folder(2, 1, null, 'of another deployment')),
  ]
  await apply(storage, here)
  const dump = [
    same,
    revised(2, folder(1, 2, null, 'new')),
    revised(8, folder(1, 3, null, 'before')),
    revised(4, folder(1, 4, null, 'the other')),
    revised(5, folder(1, 6, null, 'deleted since')),
    revised(3, folder(1, 7, null, 'came back')),
    revised(1, folder(1, 9, null, 'other')),
    folder(1, 10, null, 'other'),
    folder(1, 11, null, 'other'),
    revised(1, workbook(1, 1)),
    revised(3, without(workbook(1, 2))),
    share(1, 'folder', 1, embedTenant('north')),
    acmeDeployment(1),
  ]
  const found = await compared(storage, dump, 1)
  const extra = (id: number, revision?: number) => {
    const data = { deploymentId: 1, id }
    const change = revised((revision ?? -1) + 1, without(put('folder', data)))
    return { what: 'extra', revision, change }
  }
  expect(found.slice(0, 2)).toEqual(expect.arrayContaining([extra(5, 6), extra(8)]))
  expect(found.slice(2)).toEqual([
    { what: 'different', change: dump[1] },
    { what: 'newer', change: dump[2] },
    { what: 'conflict', change: dump[3] },
    { what: 'newer', change: dump[4] },
    { what: 'different', change: dump[5] },
    ...[6, 7, 8].map((index) => ({ what: 'different', change: dump[index] })),
    { what: 'missing', change: dump[9] },
  ])
  const right = found.filter(({ what }) => what !== 'newer' && what !== 'conflict')
  await apply(
    storage,
    right.map(({ change }) => change),
  )
  const left = (await compared(storage, dump, 1)).map(({ what }) => what)
  expect(left.sort()).toEqual(['conflict', 'newer', 'newer'])
})

test('a lower revision here differs too: an older change would pass it', async () => {
  const storage = await quickTables()
  const shared = share(1, 'folder', 1, embedTenant('north'))
  await apply(storage, [revised(1, shared), revised(4, folder(1, 1, null)), folder(1, 2, null)])
  const dump = [revised(3, shared), revised(3, folder(1, 1, null)), revised(1, folder(1, 2, null))]
  expect(await compared(storage, dump)).toEqual([
    { what: 'different', change: dump[0] },
    { what: 'different', change: dump[2] },
  ])
  await apply(storage, dump)
  expect(await compared(storage, dump)).toEqual([])
  expect(await outcomesOf(storage, [revised(2, without(shared))])).toEqual(['skipped'])
})

test('without a deployment everything is compared that was not made by itself', async () => {
  const storage = await quickTables([
    acmeGroup('staff'),
    revised(1, folder(3, 1, null)),
    share(3, 'folder', 1, embedTenant('by-share')),
    tenantGroup('north', 'of-a-session'),
    tenantAttribute('north', 'of-a-session'),
    revised(0, tenantGroup('north', 'of-the-catalog')),
  ])
  const dump = [share(3, 'folder', 1, embedTenant('by-share')), workbook(4, 1)]
  const found = await compared(storage, dump)
  expect(
    found.map(({ what, change }) => `${what} ${(change as { kind: string }).kind}`).toSorted(),
  ).toEqual(['extra folder', 'extra group', 'extra tenantGroup', 'missing workbook'])
})

test('a deletion of an embed tenant or deployment that is not here is missing', async () => {
  const storage = await quickTables([acmeDeployment(1)])
  const dump = [
    acmeDeployment(1),
    revised(3, without(acmeTenant('oak'))),
    revised(3, without(acmeDeployment(2))),
    // This one would create the tenant.
    share(1, 'folder', 1, embedTenant('oak')),
  ]
  const found = await compared(storage, dump)
  expect(found).toEqual(dump.slice(1).map((change) => ({ what: 'missing', change })))
  const changes = found.map(({ change }) => change)
  expect(await outcomesOf(storage, changes)).toEqual(['applied', 'applied', 'applied'])
  expect(await compared(storage, dump)).toEqual([])
})

test('what another account has here differs, also under a newer revision', async () => {
  const storage = await quickTables()
  const ofAccount = (accountId: string, id: number) =>
    put('deployment', { accountId, id, name: 'D' })
  await apply(storage, [revised(5, ofAccount('other', 1)), revised(2, ofAccount('other', 2))])
  const dump = [revised(3, ofAccount('acme', 1)), revised(1, without(ofAccount('acme', 2)))]
  expect(await compared(storage, dump)).toEqual(
    dump.map((change) => ({ what: 'different', change })),
  )
  expect(await outcomesOf(storage, dump)).toEqual(['applied', 'applied'])
  expect(await compared(storage, dump)).toEqual([])
})

const deletionOfDeployment = { kind: 'deployment', op: 'delete', data: { id: 7 } }

test.each([
  ['a put', acmeTenant('north', { displayName: 'N' }), acmeTenant('north')],
  ['a deletion', deletionOfDeployment, acmeDeployment(7)],
  ['a put before a deletion', acmeDeployment(7), deletionOfDeployment],
])('%s of the same account that has been passed here is left', async (_, older, newer) => {
  const storage = await quickTables([revised(2, newer)])
  const change = revised(1, older)
  expect(await compared(storage, [change])).toEqual([{ what: 'newer', change }])
})

test('what is extra and has the last revision is deleted all the same', async () => {
  const storage = await quickTables()
  const last = [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER]
  await apply(
    storage,
    last.map((revision, index) => revised(revision, folder(1, index, null))),
  )
  const found = await compared(storage, [workbook(1, 1)])
  const deletions = found.filter(({ what }) => what === 'extra').map(({ change }) => change)
  expect(await outcomesOf(storage, deletions)).toEqual(['applied', 'applied'])
})

test('a deletion of what has no revision spares what is newer than the dump', async () => {
  const storage = await quickTables([folder(1, 1, null), folder(1, 2, null), acmeDeployment(1)])
  const found = await compared(storage, [revised(1, workbook(1, 1))])
  await apply(storage, [revised(9, folder(1, 2, null)), revised(9, acmeDeployment(1))])
  const deletions = found.flatMap(({ what, change }) => (what === 'extra' ? [change] : []))
  expect((await outcomesOf(storage, deletions)).sort()).toEqual(['applied', 'skipped', 'skipped'])
  const left = (await exported(storage)).map((line) => JSON.parse(line))
  expect(left.filter(({ op }) => op === 'delete')).toEqual([
    { ...without(folder(1, 1, null)), revision: 0, data: { deploymentId: 1, id: 1 } },
  ])
})

test('of one deployment its own record is compared too, and no other', async () => {
  const storage = await quickTables()
  await apply(
    storage,
    [1, 2].map((id) => revised(1, acmeDeployment(id))),
  )
  const data = expect.objectContaining({ id: 1 })
  const change = { kind: 'deployment', op: 'delete', revision: 2, data }
  const dump = [revised(1, without(folder(1, 9, null)))]
  expect(await compared(storage, dump, 1)).toEqual([{ what: 'extra', revision: 1, change }])
})

test('what is stored and would be refused now is exported, and a dump replaces it', async () => {
  const storage = await quickTables()
  const tenant = { accountId: 'acme', name: 'north' }
  const long = { type: 'number_array', defaultValue: Array(30).fill(1e15) }
  const Item = {
    ...embedTenantKey('acme', 'north'),
    ...{ kind: 'embedTenant', ...tenant, revision: 1 },
    [definitionAttribute('ids')]: long,
  }
  await putItem(storage, 'catalog', Item)
  const ids = (more: object) => tenantAttribute('north', 'ids', more)
  const lines = (await exported(storage)).map((line) => JSON.parse(line))
  expect(lines).toEqual([revised(1, put('embedTenant', tenant)), ids(long)])
  const dump = [revised(1, acmeTenant('north')), ids({ defaultValue: 'short' })]
  expect(await differing(storage, dump)).toEqual(new Map())
  expect(await compared(storage, dump)).toEqual([{ what: 'missing', change: dump[1] }])
  await apply(storage, dump)
  expect(await compared(storage, dump)).toEqual([])
})

test('a tenant differs under the same revision whatever definitions it has', async () => {
  const storage = await quickTables([
    revised(1, acmeTenant('north')),
    revised(1, tenantGroup('north', 'g')),
  ])
  const renamed = acmeTenant('north', { displayName: 'Other' })
  expect((await differing(storage, [revised(1, renamed)])).size).toBe(1)
  expect((await differing(storage, [revised(2, renamed)])).size).toBe(0)
})

/** An embed tenant that was deleted at revision 3, and that a session has brought back. */
async function broughtBack(): Promise<Storage> {
  const storage = await quickTables([revised(3, without(acmeTenant('north'))), acmeTenant('north')])
  const item = await itemAt(storage, 'catalog', embedTenantKey('acme', 'north'))
  // A session brings a tenant back in the same way, and marks it: the revision stays.
  await putItem(storage, 'catalog', { ...item, [namedBySession]: true })
  return storage
}

test('the deletion of an embed tenant that a session brought back is no conflict', async () => {
  const storage = await broughtBack()
  const deletion = revised(3, without(acmeTenant('north')))
  expect(await differing(storage, [deletion])).toEqual(new Map())
  expect(await compared(storage, [deletion])).toEqual([{ what: 'newer', change: deletion }])
  const later = revised(4, without(acmeTenant('north')))
  expect(await compared(storage, [later])).toEqual([{ what: 'different', change: later }])
  const named = revised(3, acmeTenant('north', { displayName: 'N' }))
  expect((await differing(storage, [named])).size).toBe(1)
})

test('an embed tenant that a session brought back is extra once the catalog puts it', async () => {
  const storage = await broughtBack()
  const dump = [revised(1, without(workbook(1, 1)))]
  expect(await compared(storage, dump)).toEqual([])
  await apply(storage, [revised(4, acmeTenant('north'))])
  expect(await compared(storage, dump)).toMatchObject([{ what: 'extra', revision: 4 }])
})

test('the deletion of an embed tenant contradicts a put of the same revision', async () => {
  const storage = await quickTables()
  const deletion = revised(3, without(acmeTenant('north')))
  await apply(storage, [revised(3, acmeTenant('north')), deletion])
  expect([...(await differing(storage, [deletion])).keys()]).toEqual([deletion])
  expect(await compared(storage, [deletion])).toEqual([{ what: 'conflict', change: deletion }])
})
