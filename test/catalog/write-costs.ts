import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { workbook } from '../pages/workbook.ts'
import {
  allEmbedUsers,
  type Change,
  dbtSync,
  embedTenant,
  folder,
  notification,
  put,
  recipient,
  revised,
  share,
  userKey,
  userOf,
  without,
} from '../support/catalog.ts'
import { countCalls } from '../support/counting.ts'

const accountId = 'acme'
const tenant = 'north'

const recipientOf = (notificationId: number): Change =>
  recipient(1, notificationId, { type: 'user', userId: 1 })

/** A thing of each kind, in an order in which each finds what it refers to. */
const things: Readonly<Record<string, Change>> = {
  account: put('account', { id: accountId, name: 'Acme', embeddingEnabled: true }),
  deployment: put('deployment', { accountId, id: 1, name: 'First' }),
  user: userOf(accountId, 1, 'ada@acme.example', { deploymentIds: 'all' }),
  'API key': userKey(accountId, 1, 'nightly'),
  'embed tenant': put('embedTenant', { accountId, name: tenant, displayName: 'North' }),
  group: put('group', { accountId, name: 'staff' }),
  'tenant group': put('tenantGroup', { accountId, embedTenantName: tenant, name: 'buyers' }),
  'attribute definition': put('attributeDefinition', {
    accountId,
    embedTenantName: tenant,
    name: 'region',
  }),
  'folder at the top': folder(1, 1, null),
  'folder in a folder': folder(1, 2, 1),
  'workbook of 1.8 KB at the top': put('workbook', {
    ...workbook(1),
    deploymentId: 1,
    id: 1,
    folderId: null,
  }),
  'workbook of 1.8 KB in a folder': put('workbook', {
    ...workbook(1),
    deploymentId: 1,
    id: 2,
    folderId: 1,
  }),
  'share with an embed tenant': share(1, 'folder', 1, embedTenant(tenant)),
  'dbt sync': dbtSync(1, 'a2f1c9d0-0000-4000-8000-000000000001', { status: 'FAILED' }),
  notification: notification(1, 1, { dashboardId: 7, cronExpression: '0 9 * * 1' }),
  recipient: recipientOf(1),
  'notification with one recipient': notification(1, 2, { dashboardId: 7 }),
}

export const writeTitles = [
  'calls: write units + read units',
  'the first',
  'a newer one',
  'without a revision',
  'a deletion',
]

/**
 * Rows of these titles: what changes cost that are applied one by one to empty tables. The last two
 * are a folder's, with so many workbooks below it.
 */
export async function writeCosts(
  storage: Storage,
  clock: { now(): number },
  workbooks: number,
): Promise<string[][]> {
  const apply = catalogWriter(storage, clock)
  const measure = countCalls(storage)
  const applyAll = async (changes: readonly object[]) => {
    for (const result of await apply(changes))
      if (result.outcome !== 'applied') throw new Error(JSON.stringify(result))
  }
  const costOf = async (change: object): Promise<string> => {
    const [{ calls, writeUnits, readUnits }] = await measure(() => applyAll([change]))
    return `${calls}: ${writeUnits} + ${readUnits}`
  }

  await applyAll([recipientOf(2)])
  const rows: string[][] = []
  for (const [name, change] of Object.entries(things)) {
    const first = await costOf(revised(1, change))
    rows.push([name, first, await costOf(revised(2, change)), await costOf(change)])
  }
  for (const row of rows.toReversed())
    row.push(await costOf(revised(3, without(things[row[0] as string] as Change))))

  const grant = share(1, 'folder', 10, allEmbedUsers)
  await applyAll([folder(1, 10, null), folder(1, 11, null), folder(1, 12, 10), revised(1, grant)])
  for (let from = 0; from < workbooks; from += 500) {
    const ids = Array.from(
      { length: Math.min(500, workbooks - from) },
      (_, index) => 100 + from + index,
    )
    await applyAll(
      ids.map((id) => put('workbook', { ...workbook(1), deploymentId: 1, id, folderId: 12 })),
    )
  }
  return [
    ...rows,
    [
      'move of a folder, whatever lies below',
      '',
      await costOf(revised(2, folder(1, 12, 11))),
      '',
      '',
    ],
    [
      'unshare of a folder, whatever lies below',
      '',
      '',
      '',
      await costOf(revised(2, without(grant))),
    ],
  ]
}
