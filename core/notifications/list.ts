import { batchGet, itemId } from '../storage/batch-get.ts'
import { decodeCursor } from '../storage/cursor.ts'
import { type Document, unpackAll } from '../storage/document.ts'
import { ownSortKey } from '../storage/keys.ts'
import { documentsInIndex, listPage, type ReadEntries } from '../storage/list.ts'
import { type Page, type PageRequest, pageOf } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { type Filters, isThere, resolve } from './filters.ts'
import { notificationLists, type Recipient } from './keys.ts'

export type NotificationList = PageRequest & Filters

/**
 * Lists the scheduled notifications of a deployment, newest first (docs/specification.md#scheduled-notifications). The
 * page is empty if the dashboard or the recipient doesn't exist.
 * @throws Refusal `invalid_cursor`; `invalid_parameter` if a filter names several dashboards or users
 * @example await listNotifications(storage, { accountId: 'acme', deploymentId: 1, recipient: { email: 'ada@acme.example' } })
 */
export async function listNotifications(storage: Storage, request: NotificationList): Promise<Page> {
  const { accountId, deploymentId } = request
  const identity = ['notifications', accountId, deploymentId, request.dashboard ?? null, request.recipient ?? null]
  if (request.after !== undefined) decodeCursor(identity, request.after)
  const { dashboardId, recipient } = await resolve(storage, request)
  const emptyPage = pageOf(identity, request, [])
  if ((request.dashboard && dashboardId === undefined) || (request.recipient && !recipient)) return emptyPage
  const list = { ...listFor(deploymentId, dashboardId, recipient), identity }
  const [page, exists] = await Promise.all([
    listPage(storage, list, request, recipient ? documentsByKey(storage, dashboardId) : documentsInIndex),
    !recipient || isThere(storage, accountId, recipient),
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

/**
 * A recipient's entry has no document, so the notification is read by key. One that was deleted meanwhile is left out. So is
 * one that has another place in the list or another dashboard by now: its entry there shows it.
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
