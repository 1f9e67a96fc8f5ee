import { batchGet } from '../storage/batch-get.ts'
import { decodeCursor } from '../storage/cursor.ts'
import { type Item, itemId } from '../storage/item.ts'
import { ownSortKey } from '../storage/keys.ts'
import { documentsInIndex, listPage } from '../storage/list.ts'
import { type Page, type PageRequest, pageOf } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { type Filters, resolve } from './filters.ts'
import { type ListedBy, notificationPartition } from './keys.ts'

/**
 * Lists the scheduled notifications of a deployment, newest first
 * (docs/specification.md#scheduled-notifications). The page is empty if the dashboard or the
 * recipient doesn't exist.
 * @throws Refusal `invalid_cursor`; `invalid_parameter` if a filter names several dashboards or
 * users
 */
export async function listNotifications(
  storage: Storage,
  request: PageRequest & Filters,
): Promise<Page> {
  const { accountId, deploymentId } = request
  const identity = ['notifications', accountId, deploymentId, request.dashboard, request.recipient]
  // A wrong cursor is refused before anything else, even if the page would be empty.
  if (request.after !== undefined) decodeCursor(identity, request.after)
  const resolved = await resolve(storage, request)
  const { dashboardId, recipient } = resolved
  const emptyPage = pageOf(identity, request, [])
  if (request.dashboard && dashboardId === undefined) return emptyPage
  if (request.recipient && !recipient) return emptyPage
  const list = {
    index: indexFor(resolved),
    partition: notificationPartition(deploymentId, resolved),
    identity,
  }
  const byKey = (items: readonly Item[]) => documentsByKey(storage, items, dashboardId)
  const [page, isCurrent] = await Promise.all([
    listPage(storage, list, request, recipient ? byKey : documentsInIndex),
    resolved.isCurrent(),
  ])
  return isCurrent ? page : emptyPage
}

function indexFor({ dashboardId, recipient }: ListedBy): string {
  if (recipient) return dashboardId === undefined ? 'byRecipient' : 'byRecipientAndDashboard'
  return dashboardId === undefined ? 'byDeployment' : 'byDashboard'
}

/**
 * Reads notifications by key, since the item of a recipient has no document. It leaves out a
 * notification that was deleted meanwhile, or that has another order or dashboard by now.
 */
async function documentsByKey(
  storage: Storage,
  items: readonly Item[],
  dashboardId: number | undefined,
) {
  const keyOf = ({ pk }: Item) => ({ pk, sk: ownSortKey })
  const found = await batchGet(storage, items.map(keyOf))
  const notifications = items.flatMap((item) => {
    const notification = found.get(itemId(keyOf(item)))
    if (!notification || notification.order !== item.order) return []
    return dashboardId === undefined || notification.dashboardId === dashboardId
      ? [notification]
      : []
  })
  return documentsInIndex(notifications)
}
