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

/** Which dashboard: at most one identifier. */
export type DashboardFilter = { readonly id: number } | { readonly publicId: string }

/** Which recipient: at most one identifier. */
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
 * The scheduled notifications of a deployment, newest first (specification, "List scheduled notifications"). A filter
 * that names nothing there is gives an empty page.
 */
export async function listNotifications(storage: Storage, request: NotificationList): Promise<Page> {
  const { accountId, deploymentId } = request
  const identity = ['notifications', accountId, deploymentId, request.dashboard ?? null, request.recipient ?? null]
  if (request.after !== undefined) decodeCursor(identity, request.after)
  const [dashboardId, recipient] = await Promise.all([
    request.dashboard && resolveDashboard(storage, deploymentId, request.dashboard),
    request.recipient && resolveRecipient(storage, accountId, request.recipient),
  ])
  const nothing = pageOf(identity, [], { size: pageSize(request.first), more: false, hasPreviousPage: false })
  if ((request.dashboard && dashboardId === undefined) || (request.recipient && !recipient)) return nothing
  const list = { ...listFor(deploymentId, dashboardId, recipient), identity }
  const [page, isThere] = await Promise.all([
    listPage(storage, list, request, recipient ? bodiesByKey(storage, dashboardId) : documentsInIndex),
    recipient?.type !== 'user' || readUser(storage, accountId, recipient.userId),
  ])
  return isThere ? page : nothing
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

/** Whether the user is there is seen beside the page. */
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
 * A recipient's entry says which notification; its body is read by key. One that was deleted meanwhile is left out, and
 * one that is elsewhere now, or on another dashboard: its entry there shows it.
 */
const bodiesByKey =
  (storage: Storage, dashboardId: number | undefined): ReadEntries =>
  async (items) => {
    const keys = items.map(({ pk }) => ({ pk, sk: ownSortKey }))
    const found = await batchGet(storage, keys)
    const there = items.flatMap(({ pk, order }) => {
      const notification = found.get(itemId({ pk, sk: ownSortKey }))
      const isHere =
        notification?.order === order && (dashboardId === undefined || notification?.dashboardId === dashboardId)
      return isHere ? [{ order, document: notification?.document }] : []
    })
    const texts = unpackAll(there.map(({ document }) => document as Document))
    return there.map(({ order }, index) => ({ position: order as string, json: texts[index] as string }))
  }
