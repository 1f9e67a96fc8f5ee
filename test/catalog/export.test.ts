import { randomBytes } from 'node:crypto'
import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { arbitraryModel } from '../workbooks/arbitrary-model.ts'
import { changesOf } from '../workbooks/model.ts'
import { people, workbook } from '../world.ts'

describe('an export', () => {
  async function newStorage(): Promise<Storage> {
    const storage = connect(tablesWithPrefix(`export-${randomBytes(6).toString('hex')}`), inject('engineEndpoint'))
    await createTables(storage)
    return storage
  }

  const exported = (storage: Storage, account?: string) => Array.fromAsync(exportCatalog(storage, account))

  /** Everything in the tables but how often a thing was written and what is only referred to. */
  async function contents({ client, tables }: Storage): Promise<unknown[]> {
    const items: Record<string, unknown>[] = []
    for (const TableName of [tables.catalog, tables.credentials]) {
      for await (const { Items = [] } of paginateScan({ client }, { TableName })) items.push(...Items)
    }
    return items
      .filter(({ awaited, deleted, revision }) => awaited !== true || (deleted === true && revision !== undefined))
      .map(({ version, ...item }) => item)
      .sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1))
  }

  async function imported(lines: readonly string[]): Promise<Storage> {
    const storage = await newStorage()
    const results = await applyChanges(
      storage,
      lines.map((line) => JSON.parse(line)),
    )
    expect(results.filter(({ outcome }) => outcome !== 'applied')).toEqual([])
    return storage
  }

  const others = [
    ...people,
    { kind: 'embedTenant', revision: 3, data: { accountId: 'acme', name: 'north', displayName: 'North' } },
    { kind: 'tenantGroup', revision: 2, data: { accountId: 'acme', embedTenantName: 'north', name: 'a#b' } },
    { kind: 'tenantGroup', data: { accountId: 'acme', embedTenantName: 'north', name: 'c', description: 'C' } },
    {
      kind: 'tenantGroup',
      op: 'delete',
      revision: 9,
      data: { accountId: 'acme', embedTenantName: 'north', name: 'd' },
    },
    { kind: 'group', revision: 1, data: { accountId: 'acme', name: '100%25 #1', description: 'odd' } },
    {
      kind: 'user',
      revision: 4,
      data: { accountId: 'acme', id: 8, email: 'Gone@acme.example', roles: [], deploymentIds: [] },
    },
    { kind: 'user', op: 'delete', revision: 5, data: { accountId: 'acme', id: 8 } },
    { kind: 'deployment', data: { accountId: 'acme', id: 44, name: 'Ended' } },
    { kind: 'deployment', op: 'delete', data: { id: 44 } },
    {
      kind: 'dbtSync',
      revision: 7,
      data: {
        syncJobId: 'job#1%',
        deploymentId: 1,
        branchName: 'main',
        source: 'github',
        startedAt: '2026-01-01T00:00:00.123456789Z',
        status: 'FAILED',
        trigger: 'agent',
        errorMessage: 'it said \n"no"',
      },
    },
    {
      kind: 'notification',
      data: { id: 5, deploymentId: 1, dashboardId: 6, timezone: 'UTC', createdAt: '2026-01-01' },
    },
    { kind: 'recipient', data: { deploymentId: 1, notificationId: 5, recipient: { type: 'user', userId: 2 } } },
    {
      kind: 'recipient',
      revision: 2,
      data: {
        deploymentId: 1,
        notificationId: 5,
        recipient: { type: 'embedUser', embedTenantName: 'south', externalId: 'x#y' },
      },
    },
    // Deflated, and too large for the folder index.
    workbook(1, 900, { meta: { text: 'repeated '.repeat(2000) } }),
    workbook(1, 901, { meta: { text: randomBytes(30_000).toString('base64') } }),
  ]

  test('makes the same catalog again when it is imported, and that one the same export, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel, fc.infiniteStream(fc.nat({ max: 5 })), async (model, picks) => {
        const original = await newStorage()
        const pick = () => picks.next().value as number
        const changes = changesOf(1, model).map((change, index) => ({
          ...change,
          ...(pick() > 2 && { revision: index }),
        }))
        const ended = changes
          .filter(() => pick() === 0)
          .map((change) => ({
            ...change,
            op: 'delete',
            ...('revision' in change && { revision: change.revision + 100 }),
          }))
        await applyChanges(original, [...others, ...changes, ...ended])
        const lines = await exported(original)
        const copy = await imported(lines)
        expect(await contents(copy)).toEqual(await contents(original))
        expect(await exported(copy)).toEqual(lines)
      }),
      { numRuns: 20 },
    )
  })

  test('keeps what ended ended: an older change is skipped in the copy too', async () => {
    const original = await newStorage()
    const own = { ...workbook(1, 1), revision: 5 }
    const share = {
      kind: 'share',
      revision: 5,
      data: { deploymentId: 1, resource: { type: 'workbook', id: 1 }, grantee: { type: 'allEmbedUsers' } },
    }
    await applyChanges(original, [...people, own, share, { ...own, op: 'delete', revision: 6 }])
    const copy = await imported(await exported(original))
    const outcomes = async (storage: Storage) =>
      (await applyChanges(storage, [own, share])).map(({ outcome }) => outcome)
    expect(await outcomes(copy)).toEqual(['skipped', 'skipped'])
    expect(await outcomes(original)).toEqual(['skipped', 'skipped'])
  })

  test('of one account keeps its revoked keys revoked, in a copy of the copy too', async () => {
    const original = await newStorage()
    const apiKey = (index: number) => ({
      kind: 'apiKey',
      revision: 3,
      data: { accountId: 'acme', userId: 40 + index, name: 'x', tokenHash: `${index}`.repeat(64) },
    })
    const user = { accountId: 'acme', id: 42, email: 'x@acme.example', roles: [], deploymentIds: [] }
    await applyChanges(original, [
      apiKey(1),
      apiKey(2),
      { kind: 'user', data: user },
      { kind: 'apiKey', op: 'delete', revision: 4, data: { tokenHash: apiKey(1).data.tokenHash } },
      { kind: 'user', op: 'delete', data: { accountId: 'acme', id: 42 } },
    ])
    const copy = await imported(await exported(original, 'acme'))
    const copyOfCopy = await imported(await exported(copy, 'acme'))
    expect(await exported(original, 'other')).toEqual([])
    for (const storage of [copy, copyOfCopy]) {
      const older = [1, 2].map((index) => ({ ...apiKey(index), revision: 2 }))
      expect((await applyChanges(storage, older)).map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped'])
    }
  })

  test('of one account has nothing of another', async () => {
    const original = await newStorage()
    await applyChanges(original, [...others, workbook(9, 1), workbook(1, 2)])
    const all = await exported(original)
    const one = await exported(original, 'other')
    expect(one).toEqual(all.filter((line) => /"accountId":"other"|"id":"other"|"deploymentId":9\b/.test(line)))
    expect(one.length).toBeGreaterThan(3)
  })
})
