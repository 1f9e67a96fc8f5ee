import { encodeCursor } from '@embed-access/core/storage/cursor.ts'
import { account, amongDirect, deployment, inFolder, positionBeforeLast, type Source, tenant } from './catalog.ts'
import { middleDashboard, notificationOrder, publicId, syncOrder } from './history.ts'

export type ListName = 'list-embed-tenant-workbooks' | 'list-dbt-syncs' | 'list-notifications'

/** A page of a list: which, and how it is asked for. */
export type PageRequest = {
  readonly name: string
  readonly list: ListName
  readonly query: Readonly<Record<string, string>>
}

export type Sizes = { readonly workbooks: number; readonly syncs: number; readonly notifications: number }

/** The first, a middle and the last page of every source and filter. */
export const pageRequests = (sizes: Sizes): PageRequest[] => [
  ...workbookPages(sizes.workbooks),
  ...syncPages(sizes.syncs),
  ...notificationPages(sizes.notifications),
]

/** How many items the last pages have. */
const remaining = 50

function workbookPages(count: number): PageRequest[] {
  const block = Math.floor(count / 1000 / 2)
  const direct = amongDirect(block, 524)
  const folder = inFolder(block, 150)
  const pages = (source: Source | undefined, middles: Readonly<Record<string, string>>): PageRequest[] => {
    const identity = ['embedTenantWorkbooks', account, deployment, tenant, source ?? null]
    const last = positionBeforeLast(count, source, remaining)
    return Object.entries({ first: undefined, ...middles, last }).map(([where, after]) => ({
      name: `workbooks, ${source ?? 'union'}, ${where}`,
      list: 'list-embed-tenant-workbooks',
      query: { ...(source && { accessSource: source }), ...cursor(identity, after) },
    }))
  }
  return [
    ...pages('tenant', { middle: direct }),
    ...pages('allEmbedUsers', { middle: direct }),
    ...pages('folder', { middle: folder }),
    ...pages(undefined, { 'middle, direct': direct, 'middle, folder': folder }),
  ]
}

function syncPages(count: number): PageRequest[] {
  const pages = (query: { status?: string; trigger?: string }, every: number): PageRequest[] => {
    const identity = ['dbtSyncs', account, deployment, query.status ?? null, query.trigger ?? null]
    const positions = { first: undefined, middle: syncOrder(count / 2), last: syncOrder(remaining * every) }
    return Object.entries(positions).map(([where, after]) => ({
      name: `syncs, ${filterName(query)}, ${where}`,
      list: 'list-dbt-syncs',
      query: { ...query, ...cursor(identity, after) },
    }))
  }
  const rare = { status: 'CANCELLED', trigger: 'agent' }
  return [
    ...pages({}, 1),
    ...pages({ status: 'FAILED' }, 2),
    ...pages({ trigger: 'manual' }, 2),
    ...pages({ status: 'FAILED', trigger: 'manual' }, 4),
    { name: 'syncs, one that matches', list: 'list-dbt-syncs', query: rare },
  ]
}

function notificationPages(count: number): PageRequest[] {
  const dashboardId = middleDashboard(count)
  const middle = count / 2
  const filters = [
    { query: {}, parsed: [null, null], every: 1 },
    { query: { dashboardId: String(dashboardId) }, parsed: [{ id: dashboardId }, null], from: middle, every: 1 },
    { query: { dashboardPublicId: publicId }, parsed: [{ publicId }, null], from: middle, every: 1 },
    { query: { recipientUserId: '1' }, parsed: [null, { userId: 1 }], every: 2 },
    { query: { recipientEmail: email }, parsed: [null, { email }], every: 2 },
    {
      query: { recipientEmbedTenantName: tenant, recipientExternalId: 'ext-1' },
      parsed: [null, { embedTenantName: tenant, externalId: 'ext-1' }],
      every: 2,
    },
    {
      query: { dashboardPublicId: publicId, recipientEmail: email },
      parsed: [{ publicId }, { email }],
      from: middle,
      every: 2,
    },
  ]
  return [
    ...filters.flatMap(({ query, parsed, from = 0, every }) => {
      const identity = ['notifications', account, deployment, ...parsed]
      const inTheMiddle = from > 0 ? from + 250 : middle
      const positions = {
        first: undefined,
        middle: notificationOrder(inTheMiddle),
        last: notificationOrder(from + remaining * every),
      }
      return Object.entries(positions).map(
        ([where, after]): PageRequest => ({
          name: `notifications, ${filterName(query)}, ${where}`,
          list: 'list-notifications',
          query: { ...(query as Record<string, string>), ...cursor(identity, after) },
        }),
      )
    }),
    { name: 'notifications, one that matches', list: 'list-notifications', query: { recipientUserId: '2' } },
  ]
}

const email = 'user1@acme.example'

const filterName = (query: object) => Object.keys(query).join(' + ') || 'all'

const cursor = (identity: readonly unknown[], after: string | undefined): { after?: string } =>
  after === undefined ? {} : { after: encodeCursor(identity, after) }
