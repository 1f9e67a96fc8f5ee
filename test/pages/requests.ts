import { encodeCursor } from '@embed-access/core/storage/cursor.ts'
import { shareKey } from '@embed-access/core/workbooks/keys.ts'
import type { OperationId } from '../../functions/operations/operations.ts'
import { embedTenant } from '../support/catalog.ts'
import {
  account,
  amongDirect,
  deployment,
  inFolder,
  manyTenants,
  sharedWithMany,
  tenant,
} from './catalog.ts'
import { middleDashboard, notificationOrder, publicId, syncOrder } from './history.ts'

export type ListName = Extract<OperationId, `list-${string}`>

/** A page of a list: which, and how it is asked for. */
export type PageRequest = {
  readonly name: string
  readonly list: ListName
  readonly query: Readonly<Record<string, string>>
}

export type Sizes = {
  readonly workbooks: number
  readonly syncs: number
  readonly notifications: number
}

/** The first and a middle page of every source and filter. */
export const pageRequests = (sizes: Sizes): PageRequest[] => [
  ...workbookPages(sizes.workbooks),
  ...tenantPages,
  ...syncPages(sizes.syncs),
  ...notificationPages(sizes.notifications),
]

/** A page of a list after each of some positions; undefined: the first one. */
const pagesAfter = (
  positions: Readonly<Record<string, string | undefined>>,
  {
    list,
    name,
    identity,
    query,
  }: Omit<PageRequest, 'query'> & { identity: readonly unknown[]; query: object },
): PageRequest[] =>
  Object.entries(positions).map(([where, after]) => ({
    name: `${name}, ${where}`,
    list,
    query: { ...query, ...(after !== undefined && { after: encodeCursor(identity, after) }) },
  }))

function workbookPages(count: number): PageRequest[] {
  const block = Math.floor(count / 1000 / 2)
  const direct = amongDirect(block, 524)
  const folder = inFolder(block, 150)
  const pages = (
    source: string | null,
    middles: Readonly<Record<string, string>>,
    list: ListName = 'list-embed-tenant-workbooks',
  ) =>
    pagesAfter(
      { first: undefined, ...middles },
      {
        name: `${list === 'list-embed-workbooks' ? 'own ' : ''}workbooks, ${source ?? 'union'}`,
        list,
        identity: ['embedTenantWorkbooksByFolder', account, deployment, tenant, source],
        query: { ...(source && { accessSource: source }) },
      },
    )
  return [
    ...pages('tenant', { middle: direct }),
    ...pages('allEmbedUsers', { middle: direct }),
    ...pages('folder', { middle: folder }),
    ...pages(null, { 'middle, direct': direct, 'middle, folder': folder }),
    ...pages(null, { 'middle, direct': direct, 'middle, folder': folder }, 'list-embed-workbooks'),
  ]
}

const middleTenant = manyTenants(0)[50] as string

const tenantPages: readonly PageRequest[] = [
  ...pagesAfter(
    { first: undefined, middle: shareKey({ pk: '' }, embedTenant(middleTenant)).sk },
    {
      name: 'who can see a workbook',
      list: 'list-workbook-embed-tenants',
      identity: ['workbookEmbedTenants', account, deployment, sharedWithMany, null],
      query: {},
    },
  ),
  ...pagesAfter(
    { first: undefined, middle: middleTenant },
    {
      name: 'embed tenants',
      list: 'list-embed-tenants',
      identity: ['embedTenants', account, null],
      query: {},
    },
  ),
]

function syncPages(count: number): PageRequest[] {
  const list = 'list-dbt-syncs'
  const pages = (query: { status?: string; trigger?: string }) =>
    pagesAfter(
      { first: undefined, middle: syncOrder(count / 2) },
      {
        name: `syncs, ${filterName(query)}`,
        list,
        identity: ['dbtSyncs', account, deployment, query.status ?? null, query.trigger ?? null],
        query,
      },
    )
  return [
    ...pages({}),
    ...pages({ status: 'FAILED' }),
    ...pages({ trigger: 'manual' }),
    ...pages({ status: 'FAILED', trigger: 'manual' }),
    { name: 'syncs, one that matches', list, query: { status: 'CANCELLED', trigger: 'agent' } },
  ]
}

function notificationPages(count: number): PageRequest[] {
  const list = 'list-notifications'
  const email = 'user1@acme.example'
  const dashboardId = middleDashboard(count)
  const pages = (query: object, dashboard: object | null, recipient: object | null) => {
    // Notifications of the dashboard in the middle begin there.
    const positions = {
      first: undefined,
      middle: notificationOrder(count / 2 + (dashboard ? 250 : 0)),
    }
    const identity = ['notifications', account, deployment, dashboard, recipient]
    return pagesAfter(positions, {
      name: `notifications, ${filterName(query)}`,
      list,
      identity,
      query,
    })
  }
  const embedUser = { embedTenantName: tenant, externalId: 'ext-1' }
  return [
    ...pages({}, null, null),
    ...pages({ dashboardId: String(dashboardId) }, { id: dashboardId }, null),
    ...pages({ dashboardPublicId: publicId }, { publicId }, null),
    ...pages({ recipientUserId: '1' }, null, { userId: 1 }),
    ...pages({ recipientEmail: email }, null, { email }),
    ...pages({ recipientEmbedTenantName: tenant, recipientExternalId: 'ext-1' }, null, embedUser),
    ...pages({ dashboardPublicId: publicId, recipientEmail: email }, { publicId }, { email }),
    { name: 'notifications, one that matches', list, query: { recipientUserId: '2' } },
  ]
}

const filterName = (query: object) => Object.keys(query).join(' + ') || 'all'
