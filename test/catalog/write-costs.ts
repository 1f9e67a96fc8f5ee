import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { workbook } from '../pages/workbook.ts'
import { countCalls } from '../support/counting.ts'

const deploymentId = 1
const accountId = 'acme'
const tenant = 'north'

/** A thing of each kind, in an order in which each finds what it refers to. */
const things: Readonly<Record<string, readonly [kind: string, data: object]>> = {
  account: ['account', { id: accountId, name: 'Acme', embeddingEnabled: true }],
  deployment: ['deployment', { accountId, id: deploymentId, name: 'First' }],
  user: ['user', { accountId, id: 1, email: 'ada@acme.example', roles: [], deploymentIds: 'all' }],
  'API key': ['apiKey', { accountId, tokenHash: 'a'.repeat(64), userId: 1, name: 'nightly' }],
  'embed tenant': ['embedTenant', { accountId, name: tenant, displayName: 'North' }],
  group: ['group', { accountId, name: 'staff' }],
  'tenant group': ['tenantGroup', { accountId, embedTenantName: tenant, name: 'buyers' }],
  'attribute definition': [
    'attributeDefinition',
    { accountId, embedTenantName: tenant, name: 'region', type: 'string' },
  ],
  'folder at the top': ['folder', { deploymentId, id: 1, name: 'Folder', parentId: null }],
  'folder in a folder': ['folder', { deploymentId, id: 2, name: 'Folder', parentId: 1 }],
  'workbook of 1.8 KB at the top': ['workbook', { ...workbook(1), deploymentId, id: 1, folderId: null }],
  'workbook of 1.8 KB in a folder': ['workbook', { ...workbook(1), deploymentId, id: 2, folderId: 1 }],
  'share with an embed tenant': [
    'share',
    { deploymentId, resource: { type: 'folder', id: 1 }, grantee: { type: 'embedTenant', name: tenant } },
  ],
  'dbt sync': [
    'dbtSync',
    {
      syncJobId: 'a2f1c9d0-0000-4000-8000-000000000001',
      deploymentId,
      branchName: 'main',
      source: 'github',
      startedAt: '2026-01-01T00:00:00Z',
      status: 'FAILED',
      trigger: 'api',
    },
  ],
  'notification with one recipient': [
    'notification',
    { deploymentId, id: 1, dashboardId: 7, cronExpression: '0 9 * * 1', createdAt: '2026-01-01' },
  ],
  recipient: ['recipient', { deploymentId, notificationId: 1, recipient: { type: 'user', userId: 1 } }],
}

export const writeTitles = [
  'calls: write units + read units',
  'the first',
  'a newer one',
  'without a revision',
  'a deletion',
]

/**
 * Rows of these titles: what changes cost that are applied one by one to empty tables. The last two are a folder's, with so
 * many workbooks below it.
 */
export async function writeCosts(storage: Storage, clock: { now(): number }, workbooks: number): Promise<string[][]> {
  const apply = catalogWriter(storage, clock)
  const measure = countCalls(storage)
  const applyAll = async (changes: readonly object[]) => {
    for (const result of await apply(changes)) if (result.outcome !== 'applied') throw new Error(JSON.stringify(result))
  }
  const costOf = async (change: object): Promise<string> => {
    const [{ calls, writeUnits, readUnits }] = await measure(() => applyAll([change]))
    return `${calls}: ${writeUnits} + ${readUnits}`
  }

  const rows: string[][] = []
  for (const [name, [kind, data]] of Object.entries(things)) {
    const first = await costOf({ kind, revision: 1, data })
    const newer = await costOf({ kind, revision: 2, data })
    rows.push([name, first, newer, await costOf({ kind, data })])
  }
  for (const row of rows.toReversed()) {
    const [kind, data] = things[row[0] as string] as readonly [string, object]
    row.push(await costOf({ kind, op: 'delete', revision: 3, data }))
  }

  const folder = (id: number, parentId: number | null) => ({
    kind: 'folder',
    data: { deploymentId, id, name: 'Folder', parentId },
  })
  const share = {
    kind: 'share',
    data: { deploymentId, resource: { type: 'folder', id: 10 }, grantee: { type: 'allEmbedUsers' } },
  }
  await applyAll([folder(10, null), folder(11, null), folder(12, 10), { ...share, revision: 1 }])
  for (let from = 0; from < workbooks; from += 500) {
    const ids = Array.from({ length: Math.min(500, workbooks - from) }, (_, index) => 100 + from + index)
    await applyAll(ids.map((id) => ({ kind: 'workbook', data: { ...workbook(1), deploymentId, id, folderId: 12 } })))
  }
  return [
    ...rows,
    ['move of a folder, whatever lies below', '', await costOf({ ...folder(12, 11), revision: 2 }), '', ''],
    ['unshare of a folder, whatever lies below', '', '', '', await costOf({ ...share, op: 'delete', revision: 2 })],
  ]
}
