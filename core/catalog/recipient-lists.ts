import { notificationPartition, recipientIn } from '../notifications/keys.ts'
import { ifUnchanged, newVersion, put } from '../storage/conditional-writes.ts'
import { getItem } from '../storage/get-item.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { type Item, type ItemKey, isLive, keyOf, type NewItem } from '../storage/item.ts'
import { ownSortKey } from '../storage/keys.ts'
import { readBeginning } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { FromStored } from './kind.ts'

/**
 * A notification gets a new `listVersion` if its order or dashboard changes. Recipients need not
 * follow any other change.
 */
export const listVersionOf: FromStored = (item, stored, version) => {
  const isListedAlike =
    stored && item.order === stored.order && item.dashboardId === stored.dashboardId
  return { listVersion: isListedAlike ? stored.listVersion : version }
}

/**
 * A stored recipient keeps its places in the lists. Without them the lists would not show the
 * recipient's notification until {@link correctRecipient} has run.
 */
export const placesOf: FromStored = (item, stored) => {
  if (item.deleted || !isLive(stored)) return {}
  const { order, recipientList, recipientAndDashboardList, notificationVersion } = stored
  return { order, recipientList, recipientAndDashboardList, notificationVersion }
}

/**
 * Corrects a recipient. It has the order and dashboard of its notification, and is listed by them.
 * Whoever writes a recipient or a notification calls this afterwards:
 *
 *   1. read the recipient
 *   2. read the notification
 *   3. write the recipient, if it is still as it was read; otherwise begin again
 *
 * A deleted recipient is never written back.
 */
export async function correctRecipient(storage: Storage, key: ItemKey): Promise<void> {
  const recipient = await getItem(storage, 'catalog', key)
  if (isLive(recipient)) await correct(storage, [recipient])
}

/** Corrects all recipients of a notification, whether it is there, deleted, or was never there. */
export const correctRecipients = async (storage: Storage, { pk }: ItemKey): Promise<void> =>
  correct(storage, await readBeginning(storage, pk, 'recipient#'))

async function correct(storage: Storage, recipients: readonly Item[]): Promise<void> {
  const [first] = recipients
  if (!first) return
  const notification = await getItem(storage, 'catalog', { pk: first.pk, sk: ownSortKey })
  await inParallel(recipients, async (recipient) => {
    const item = corrected(recipient, notification)
    if (!item) return
    const isWritten = await put(storage, 'catalog', item, ifUnchanged(recipient))
    if (!isWritten) await correctRecipient(storage, keyOf(recipient))
  })
}

/**
 * The recipient with the values of its notification, or undefined if it has them. This compares
 * versions, because a value may change and change back meanwhile.
 */
export function corrected(item: Item, notification: Item | undefined): NewItem | undefined {
  const notificationVersion = notification?.listVersion
  if (!isLive(item) || item.notificationVersion === notificationVersion) return undefined
  return {
    ...item,
    ...listAttributes(item, notification),
    notificationVersion,
    version: newVersion(),
  }
}

function listAttributes(item: Item, notification: Item | undefined) {
  if (!isLive(notification))
    return { order: undefined, recipientList: undefined, recipientAndDashboardList: undefined }
  const { deploymentId, recipient } = recipientIn(item)
  const { order, dashboardId } = notification as Item & { readonly dashboardId?: number }
  const partition = (dashboardId?: number) =>
    notificationPartition(deploymentId, { recipient, dashboardId })
  return {
    order,
    recipientList: partition(),
    recipientAndDashboardList: dashboardId === undefined ? undefined : partition(dashboardId),
  }
}
