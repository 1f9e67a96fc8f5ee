import { notificationPartition, type Recipient } from '../notifications/keys.ts'
import { type Item, type ItemKey, isLive } from '../storage/batch-get.ts'
import { ifUnchanged, newVersion, put, read, readModifyWrite } from '../storage/conditional-writes.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { ownSortKey } from '../storage/keys.ts'
import { readAll } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'

/**
 * A recipient carries the order and dashboard of its notification, since its lists are indexed by them. So whoever
 * writes one of the two looks at the other afterwards, and corrects the recipient:
 *
 *   recipient written ───▶ recipient read ───▶ notification read ─┐
 *   notification written ─▶ recipients read ─▶ notification read ─┴▶ recipient written, if it's still as it was read
 *
 * Compare versions, not values: values may return to what a slow writer still holds. A deleted recipient is never written
 * back.
 */
export async function correctRecipient(storage: Storage, key: ItemKey): Promise<void> {
  const notificationKey = { pk: key.pk, sk: ownSortKey }
  await readModifyWrite(storage, 'catalog', key, async (recipient) =>
    isLive(recipient) ? corrected(recipient, await read(storage, 'catalog', notificationKey)) : undefined,
  )
}

/** Corrects all recipients of a notification, whether it's there, deleted, or has never been. */
export async function correctRecipients(storage: Storage, notificationKey: ItemKey): Promise<void> {
  const recipients = await readAll(storage, notificationKey.pk, 'recipient#')
  // Stryker disable next-line ConditionalExpression: It does the same, and takes longer.
  if (recipients.length === 0) return
  const notification = await read(storage, 'catalog', notificationKey)
  await inParallel(recipients, async (recipient) => {
    const item = corrected(recipient, notification)
    // Stryker disable next-line ConditionalExpression: It does the same, and takes longer.
    if (!item || (await put(storage, 'catalog', item, ifUnchanged(recipient)))) return
    await correctRecipient(storage, { pk: recipient.pk, sk: recipient.sk as string })
  })
}

/** The recipient with the values of its notification, unless it has them already. */
export function corrected(item: Item, notification: Item | undefined): Item | undefined {
  // Stryker disable next-line ConditionalExpression: It does the same, and takes longer.
  if (!isLive(item) || item.notificationVersion === notification?.version) return undefined
  const lists = isLive(notification) ? listed(item, notification) : notListed
  return { ...item, ...lists, notificationVersion: notification?.version, version: newVersion() }
}

const notListed = { order: undefined, recipientList: undefined, recipientAndDashboardList: undefined }

/** The attributes by which a recipient's notifications are listed. */
function listed({ deploymentId, recipient }: Item, { order, dashboardId }: Item) {
  const partition = (dashboardId?: number) =>
    notificationPartition(deploymentId as number, { recipient: recipient as Recipient, dashboardId })
  const ofDashboard = dashboardId === undefined ? undefined : partition(dashboardId as number)
  return { order, recipientList: partition(), recipientAndDashboardList: ofDashboard }
}
