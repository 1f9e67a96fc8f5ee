import { notificationPartition, type Recipient } from '../notifications/keys.ts'
import { type Item, type ItemKey, isLive, keyOf } from '../storage/batch-get.ts'
import {
  ifUnchanged,
  newVersion,
  put,
  read,
  readModifyWrite,
} from '../storage/conditional-writes.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { ownSortKey } from '../storage/keys.ts'
import { readAll } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { itemOfChange, type Parsed, type Writer } from './kind.ts'

/**
 * Writes a notification. It also has the version of its order and dashboard, which is new whenever
 * they change, so that recipients need not follow any other change.
 * @returns whether it was applied
 */
export async function writeNotification(
  { storage, now }: Writer,
  parsed: Parsed<unknown, unknown>,
): Promise<boolean> {
  const { kind, key, change } = parsed
  const item: Item = itemOfChange(parsed, now())
  let isApplied = false
  await readModifyWrite(storage, kind.table, key, (stored) => {
    // This change wrote it, and the answer was lost.
    if (stored?.version === item.version) return undefined
    const known = stored?.revision as number | undefined
    const { revision = known } = change
    isApplied = change.revision === undefined || known === undefined || change.revision > known
    const isListedAlike =
      stored && item.order === stored.order && item.dashboardId === stored.dashboardId
    const listVersion = isListedAlike ? listVersionOf(stored) : item.version
    return isApplied ? { ...item, revision, listVersion } : undefined
  })
  return isApplied
}

/** Notifications of earlier versions of the service have none: their every version counts. */
const listVersionOf = (notification: Item | undefined) =>
  notification?.listVersion ?? notification?.version

/**
 * Corrects a recipient. It carries the order and dashboard of its notification, since its lists are
 * indexed by them. So whoever has written one of the two reads the recipient, then the
 * notification, and writes the recipient if it is still as it was read. A deleted one is never
 * written back.
 */
export async function correctRecipient(storage: Storage, key: ItemKey): Promise<void> {
  const recipient = await read(storage, 'catalog', key)
  if (isLive(recipient)) await correct(storage, [recipient])
}

/** Corrects all recipients of a notification, whether it's there, deleted, or has never been. */
export const correctRecipients = async (storage: Storage, { pk }: ItemKey): Promise<void> =>
  correct(storage, await readAll(storage, pk, 'recipient#'))

async function correct(storage: Storage, recipients: readonly Item[]): Promise<void> {
  const [first] = recipients
  if (!first) return
  const notification = await read(storage, 'catalog', { pk: first.pk, sk: ownSortKey })
  await inParallel(recipients, async (recipient) => {
    const item = corrected(recipient, notification)
    // Stryker disable next-line ConditionalExpression: It does the same, and takes longer.
    if (!item || (await put(storage, 'catalog', item, ifUnchanged(recipient)))) return
    await correctRecipient(storage, keyOf(recipient))
  })
}

/**
 * The recipient with the values of its notification, unless it has them already. Values may return;
 * versions do not.
 */
export function corrected(item: Item, notification: Item | undefined): Item | undefined {
  // Stryker disable next-line ConditionalExpression: It does the same, and takes longer.
  if (!isLive(item) || item.notificationVersion === listVersionOf(notification)) return undefined
  return {
    ...item,
    ...lists(item, notification),
    notificationVersion: listVersionOf(notification),
    version: newVersion(),
  }
}

function lists({ deploymentId, recipient }: Item, notification: Item | undefined) {
  if (!isLive(notification))
    return { order: undefined, recipientList: undefined, recipientAndDashboardList: undefined }
  const { order, dashboardId } = notification
  const partition = (dashboardId?: number) =>
    notificationPartition(deploymentId as number, {
      recipient: recipient as Recipient,
      dashboardId,
    })
  const ofDashboard = dashboardId === undefined ? undefined : partition(dashboardId as number)
  return { order, recipientList: partition(), recipientAndDashboardList: ofDashboard }
}
