import * as v from 'valibot'
import { parseJson } from '../json.ts'
import { notificationKey, notificationPartition } from '../notifications/keys.ts'
import { NotificationFilter, notificationFields } from '../notifications/notification.ts'
import { boolean, exactly, id, list, number, optional, text } from '../schema.ts'
import { descending } from '../storage/keys.ts'
import { newestFirst } from '../storage/order.ts'
import { time } from '../time.ts'
import { documentOf, listedDocument, maxListedBytes } from './documents.ts'
import { kind } from './kind.ts'
import { correctRecipients } from './recipient-lists.ts'

const plainValue = v.union([text, number, boolean])

/** The specification has text here. Numbers, booleans and lists are kept as their JSON text. */
const filterValue = v.pipe(
  v.union([plainValue, v.array(plainValue)], 'must be a string, a number, true, false, or a list of these'),
  v.transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
)

const filters = optional(list(exactly({ ...NotificationFilter.entries, value: optional(filterValue) })))

export const notification = kind({
  name: 'notification',
  table: 'catalog',
  maxDocumentBytes: maxListedBytes,
  data: exactly({ ...notificationFields, filters, createdAt: time }),
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => notificationKey(deploymentId, id),
  item({ createdAt, ...notification }) {
    const { deploymentId, id, dashboardId } = notification
    return {
      order: newestFirst(createdAt, descending(id)),
      createdAt,
      deploymentList: notificationPartition(deploymentId, {}),
      dashboardId,
      ...(dashboardId !== undefined && { dashboardList: notificationPartition(deploymentId, { dashboardId }) }),
      document: listedDocument(notification),
    }
  },
  json: (item) => JSON.stringify({ ...(parseJson(documentOf(item)) as object), createdAt: item.createdAt }),
  after: ({ storage }, { key }) => correctRecipients(storage, key),
})
