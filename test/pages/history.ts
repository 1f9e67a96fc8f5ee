import { descending, newestFirst } from '@embed-access/core/storage/keys.ts'
import {
  type Change,
  dbtSync,
  notification,
  publishedDashboard,
  put,
  userOf,
  workbook,
} from '../support/catalog.ts'
import { account, deployment } from './catalog.ts'

/**
 * Dbt syncs and notifications in any number, each list alike at every size; one sync in all was
 * cancelled.
 */

const syncId = (index: number) => `sync-${1_000_000 + index}`
const timeOf = (index: number) =>
  new Date(Date.parse('2026-01-01T00:00:00Z') + index * 1000).toISOString()
const notificationId = (index: number) => 1_000_000 + index
const dashboardId = (index: number) => 10_000 + Math.floor(index / 500)

export const syncOrder = (index: number) => newestFirst(timeOf(index), syncId(index))
export const notificationOrder = (index: number) =>
  newestFirst(timeOf(index), descending(notificationId(index)))

const batch = 1000

export function* syncs(count: number): Generator<Change[]> {
  for (let from = 0; from < count; from += batch) {
    yield Array.from({ length: Math.min(batch, count - from) }, (_, offset) =>
      syncOf(from + offset, count),
    )
  }
}

function syncOf(index: number, count: number): Change {
  const rare = index === Math.floor(count / 2)
  return dbtSync(deployment, syncId(index), {
    startedAt: timeOf(index),
    status: rare ? 'CANCELLED' : index % 2 === 0 ? 'FAILED' : 'COMPLETED',
    trigger: rare ? 'agent' : index % 4 < 2 ? 'manual' : 'webhook',
    completedAt: timeOf(index + 60),
    durationMs: 60_000,
    gitRef: 'refs/heads/main',
    stats: {
      cubeCount: 40,
      models: 120,
      sources: 12,
      macros: 60,
      generatedFileCount: 44,
      dbtVersion: '1.9.0',
    },
  })
}

/**
 * User 1 and one embed user receive some of each dashboard's notifications; user 2 receives a
 * single one.
 */
export function* notifications(count: number): Generator<Change[]> {
  yield [
    ...[1, 2].map((id) => userOf(account, id, `user${id}@acme.example`, { deploymentIds: 'all' })),
    publishing(middleDashboard(count)),
  ]
  for (let from = 0; from < count; from += batch) {
    const indexes = Array.from(
      { length: Math.min(batch, count - from) },
      (_, offset) => from + offset,
    )
    yield [
      ...indexes.map(notificationOf),
      ...indexes.flatMap((index) => recipientsOf(index, count)),
    ]
  }
}

const notificationOf = (index: number): Change =>
  notification(deployment, notificationId(index), {
    dashboardId: dashboardId(index),
    cronExpression: '0 9 * * 1',
    humanReadableSchedule: 'Mondays at 09:00',
    timezone: 'Europe/Berlin',
    isEnabled: true,
    notificationEnabled: true,
    notificationFormat: 'pdf',
    filters: [{ member: 'orders.region', operator: 'equals', value: 'EMEA' }],
    createdAt: timeOf(index),
  })

function recipientsOf(index: number, count: number): Change[] {
  const recipients = [
    index % 2 === 0
      ? { type: 'user', userId: 1 }
      : { type: 'embedUser', embedTenantName: 'north', externalId: 'ext-1' },
    ...(index === Math.floor(count / 2) ? [{ type: 'user', userId: 2 }] : []),
  ]
  const of = { deploymentId: deployment, notificationId: notificationId(index) }
  return recipients.map((recipient) => put('recipient', { ...of, recipient }))
}

export const middleDashboard = (count: number) => dashboardId(Math.floor(count / 2))
export const publicId = 'public-middle'

/** A workbook that publishes a dashboard, at the top level and shared with nobody. */
const publishing = (id: number) =>
  workbook(deployment, 2_000_000_000, {
    publishedDashboard: publishedDashboard(deployment, 2_000_000_000, { id, publicId }),
  })
