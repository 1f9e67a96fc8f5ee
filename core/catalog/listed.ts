import * as v from 'valibot'
import { DbtSync } from '../dbt-syncs/dbt-sync.ts'
import { syncKey, syncPartition } from '../dbt-syncs/list.ts'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { parseJson } from '../json.ts'
import { notificationKey, notificationPartition, recipientSortKey } from '../notifications/keys.ts'
import { NotificationFilter, notificationFields } from '../notifications/notification.ts'
import { boolean, exactly, id, list, lowerCase, nameOf, number, optional, text } from '../schema.ts'
import { jsonIn, pack } from '../storage/document.ts'
import { descending, newestFirst } from '../storage/keys.ts'
import { maxListedBytes } from '../storage/list.ts'
import { time } from '../time.ts'
import { kind, requireAtMost } from './kind.ts'
import { nameEmbedTenant } from './named-tenants.ts'
import { correctRecipient, correctRecipients, listVersionOf, placesOf } from './recipient-lists.ts'

/** A sync is in four lists: one for each combination of filters. */
export const dbtSync = kind({
  name: 'dbtSync',
  maxDocumentBytes: maxListedBytes,
  data: DbtSync,
  identity: v.object({ deploymentId: id, syncJobId: text }),
  key: ({ deploymentId, syncJobId }) => syncKey(deploymentId, syncJobId),
  item(sync) {
    const { deploymentId, syncJobId, startedAt, status, trigger } = sync
    return {
      order: newestFirst(startedAt, syncJobId),
      deploymentList: syncPartition(deploymentId, {}),
      statusList: syncPartition(deploymentId, { status }),
      triggerList: syncPartition(deploymentId, { trigger }),
      statusAndTriggerList: syncPartition(deploymentId, { status, trigger }),
      document: pack(JSON.stringify(sync)),
    }
  },
})

/** The specification has text here. Numbers, booleans and lists become their JSON text. */
const plainValue = v.union([text, number, boolean])
const filterValue = v.pipe(
  v.union(
    [plainValue, v.array(v.nullable(plainValue))],
    'must be a string, a number, true, false, or a list of these and of nulls',
  ),
  v.transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
)

const filters = optional(
  list(exactly({ ...NotificationFilter.entries, value: optional(filterValue) })),
)

export const notification = kind({
  name: 'notification',
  maxDocumentBytes: maxListedBytes,
  data: exactly({ ...notificationFields, filters, createdAt: time }),
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => notificationKey(deploymentId, id),
  item(data) {
    // The value of a filter that was a list has become its JSON text, which is longer.
    const bytes = Buffer.byteLength(JSON.stringify(data))
    requireAtMost(maxListedBytes, 'the stored document has', bytes)
    const { createdAt, ...notification } = data
    const { deploymentId, id, dashboardId } = notification
    return {
      order: newestFirst(createdAt, descending(id)),
      createdAt,
      deploymentList: notificationPartition(deploymentId, {}),
      dashboardId,
      ...(dashboardId !== undefined && {
        dashboardList: notificationPartition(deploymentId, { dashboardId }),
      }),
      document: pack(JSON.stringify(notification)),
    }
  },
  json: (item) => JSON.stringify({ ...Object(parseJson(jsonIn(item))), createdAt: item.createdAt }),
  fromStored: listVersionOf,
  followUp: ({ storage }, { key }) => correctRecipients(storage, key),
})

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
        externalId: v.pipe(
          nameOf(256),
          v.trim(),
          v.transform(lowerCase),
          v.minLength(1, 'must not be blank'),
        ),
      }),
    ],
    'must be {type: "user", userId} or {type: "embedUser", embedTenantName, externalId}',
  ),
})

/** Its item also has the order and dashboard of its notification, for the lists of a recipient. */
export const recipient = kind({
  name: 'recipient',
  data: NotificationRecipient,
  identity: NotificationRecipient,
  key: ({ deploymentId, notificationId, recipient }) => ({
    pk: notificationKey(deploymentId, notificationId).pk,
    sk: recipientSortKey(recipient),
  }),
  fromStored: placesOf,
  async followUp(writer, { key, change: { op, data } }) {
    const { deploymentId, recipient } = data
    if (op === 'put' && recipient.type === 'embedUser') {
      await nameEmbedTenant(writer, deploymentId, recipient.embedTenantName)
    }
    await correctRecipient(writer.storage, key)
  },
})
