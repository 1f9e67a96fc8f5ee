import * as v from 'valibot'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { notificationKey, notificationLists, type Recipient, recipientSortKey } from '../notifications/keys.ts'
import { notificationFields } from '../notifications/notification.ts'
import { exactly, id, lowerCase, textOf, time } from '../schema.ts'
import { descending } from '../storage/keys.ts'
import { newestFirst } from '../storage/order.ts'
import { endWithDependents, finishEnding, noteAwaited, rewriteDependents } from './dependents.ts'
import { listedDocument } from './documents.ts'
import { kind } from './kind.ts'
import { endRecord, isLive, putRecord } from './record.ts'

export const notification = kind({
  table: 'catalog',
  holdsDocument: true,
  data: exactly({ ...notificationFields, createdAt: time }),
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => notificationKey(deploymentId, id),
  async apply({ storage }, change, { previous: found }) {
    const { deploymentId, id } = change.data
    const key = notificationKey(deploymentId, id)
    if (change.op === 'delete') {
      await endWithDependents(storage, found, key, change.revision)
      return 'applied'
    }
    const previous = await finishEnding(storage, found)
    const { createdAt, ...notification } = change.data
    const { dashboardId } = notification
    const lists = notificationLists(deploymentId)
    const item = {
      ...key,
      order: newestFirst(createdAt, descending(id)),
      createdAt,
      deploymentList: lists.all,
      dashboardId,
      ...(dashboardId !== undefined && { dashboardList: lists.byDashboard(dashboardId) }),
      document: listedDocument(notification),
    }
    if (previous && (previous.order !== item.order || previous.dashboardId !== dashboardId)) {
      await rewriteDependents(storage, key.pk, ({ recipient }) => listed(deploymentId, recipient as Recipient, item))
    }
    await putRecord(storage, 'catalog', previous, item, change.revision)
    return 'applied'
  },
})

/** The attributes by which a recipient's notifications are listed; they follow the notification. */
function listed(deploymentId: number, recipient: Recipient, notification: Readonly<Record<string, unknown>>) {
  const lists = notificationLists(deploymentId)
  const dashboardId = notification.dashboardId as number | undefined
  return {
    order: notification.order,
    recipientList: lists.byRecipient(recipient),
    recipientAndDashboardList:
      dashboardId === undefined ? undefined : lists.byRecipientAndDashboard(recipient, dashboardId),
  }
}

const NotificationRecipient = exactly({
  deploymentId: id,
  notificationId: id,
  recipient: v.variant(
    'type',
    [
      exactly({ type: v.literal('user'), userId: id }),
      exactly({
        type: v.literal('embedUser'),
        embedTenantName: embedTenantNameInAnyCase,
        externalId: v.pipe(textOf(1, 256), v.trim(), v.transform(lowerCase), v.minLength(1, 'must not be blank')),
      }),
    ],
    'must be {type: "user", userId} or {type: "embedUser", embedTenantName, externalId}',
  ),
})

type NotificationRecipient = v.InferOutput<typeof NotificationRecipient>

const ownerKey = ({ deploymentId, notificationId }: NotificationRecipient) =>
  notificationKey(deploymentId, notificationId)

export const recipient = kind({
  table: 'catalog',
  data: NotificationRecipient,
  identity: NotificationRecipient,
  key: (data) => ({ pk: ownerKey(data).pk, sk: recipientSortKey(data.recipient as Recipient) }),
  reads: (data) => [ownerKey(data)],
  async apply(batch, change, { previous, item }) {
    const { storage } = batch
    const { deploymentId } = change.data
    const recipient = change.data.recipient as Recipient
    const owner = ownerKey(change.data)
    const key = { pk: owner.pk, sk: recipientSortKey(recipient) }
    if (change.op === 'delete') {
      await endRecord(storage, 'catalog', previous, key, change.revision)
      return 'applied'
    }
    if (recipient.type === 'embedUser') await batch.nameEmbedTenant(deploymentId, recipient.embedTenantName)
    const notification = item(owner)
    if (!notification) await noteAwaited(storage, owner)
    const lists = isLive(notification) ? listed(deploymentId, recipient, notification) : {}
    await putRecord(storage, 'catalog', previous, { ...key, recipient, ...lists }, change.revision)
    return 'applied'
  },
})
