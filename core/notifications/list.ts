import { readUser, userIdsByEmail } from '../access/user.ts'
import { lowerCase } from '../schema.ts'
import { batchGet, itemId } from '../storage/batch-get.ts'
import { decodeCursor } from '../storage/cursor.ts'
import { type Document, unpackAll } from '../storage/document.ts'
import { ownSortKey } from '../storage/keys.ts'
import { documentsInIndex, listPage, type ReadEntries } from '../storage/list.ts'
import { type Page, type PageRequest, pageOf, pageSize } from '../storage/page.ts'
import { queryIndex } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import { notificationLists, publicDashboard, type Recipient } from './keys.ts'

/** The one identifier that names the dashboard. */
export type DashboardFilter = { readonly id: number } | { readonly publicId: string }

/** The one identifier that names the recipient. */
export type RecipientFilter =
  | { readonly userId: number }
  | { readonly email: string }
  | { readonly embedTenantName: string; readonly externalId: string }

export type NotificationList = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  readonly dashboard?: DashboardFilter | undefined
  readonly recipient?: RecipientFilter | undefined
}

/**
 * Lists the scheduled notifications of a deployment, newest first (specification, "List scheduled notifications"). The
 * page is empty if the dashboard or the recipient doesn't exist.
 * @throws Refusal `invalid_cursor`
 * @example await listNotifications(storage, { accountId: 'acme', deploymentId: 1, recipient: { email: 'ada@acme.example' } })
 */
export async function listNotifications(storage: Storage, request: NotificationList): Promise<Page> {
  const { accountId, deploymentId } = request
  const identity = ['notifications', accountId, deploymentId, request.dashboard ?? null, request.recipient ?? null]
  if (request.after !== undefined) decodeCursor(identity, request.after)
  const [dashboardId, recipient] = await Promise.all([
    request.dashboard && resolveDashboard(storage, deploymentId, request.dashboard),
    request.recipient && resolveRecipient(storage, accountId, request.recipient),
  ])
  const emptyPage = pageOf(identity, [], { size: pageSize(request.first), more: false, hasPreviousPage: false })
  if ((request.dashboard && dashboardId === undefined) || (request.recipient && !recipient)) return emptyPage
  const list = { ...listFor(deploymentId, dashboardId, recipient), identity }
  const [page, exists] = await Promise.all([
    listPage(storage, list, request, recipient ? documentsByKey(storage, dashboardId) : documentsInIndex),
    recipient?.type !== 'user' || readUser(storage, accountId, recipient.userId),
  ])
  return exists ? page : emptyPage
}

function listFor(deploymentId: number, dashboardId: number | undefined, recipient: Recipient | undefined) {
  const lists = notificationLists(deploymentId)
  if (recipient && dashboardId !== undefined) {
    return { index: 'byRecipientAndDashboard', partition: lists.byRecipientAndDashboard(recipient, dashboardId) }
  }
  if (recipient) return { index: 'byRecipient', partition: lists.byRecipient(recipient) }
  if (dashboardId !== undefined) return { index: 'byDashboard', partition: lists.byDashboard(dashboardId) }
  return { index: 'byDeployment', partition: lists.all }
}

async function resolveDashboard(storage: Storage, deploymentId: number, dashboard: DashboardFilter) {
  if ('id' in dashboard) return dashboard.id
  const partition = publicDashboard(deploymentId, dashboard.publicId)
  const { items } = await queryIndex(storage, { index: 'byPublicId', partition }, 1)
  return items[0]?.dashboardId as number | undefined
}

/** The recipient that a filter names. A user id is not looked up here: that happens in parallel with the page. */
async function resolveRecipient(
  storage: Storage,
  accountId: string,
  filter: RecipientFilter,
): Promise<Recipient | undefined> {
  if ('embedTenantName' in filter) {
    return {
      type: 'embedUser',
      embedTenantName: lowerCase(filter.embedTenantName),
      externalId: lowerCase(filter.externalId.trim()),
    }
  }
  const userId = 'userId' in filter ? filter.userId : (await userIdsByEmail(storage, accountId, filter.email))[0]
  return userId === undefined ? undefined : { type: 'user', userId }
}

/**
 * An entry of a recipient only names a notification, so its document is read by key. It leaves out one that was deleted
 * meanwhile, and one that has another place in the list or another dashboard by now: its entry there shows it.
 */
const documentsByKey =
  (storage: Storage, dashboardId: number | undefined): ReadEntries =>
  async (items) => {
    const keys = items.map(({ pk }) => ({ pk, sk: ownSortKey }))
    const found = await batchGet(storage, keys)
    const existing = items.flatMap(({ pk, order }) => {
      const notification = found.get(itemId({ pk, sk: ownSortKey }))
      const isHere =
        notification?.order === order && (dashboardId === undefined || notification?.dashboardId === dashboardId)
      return isHere ? [{ order, document: notification?.document }] : []
    })
    const texts = unpackAll(existing.map(({ document }) => document as Document))
    return existing.map(({ order }, index) => ({ position: order as string, json: texts[index] as string }))
  }
