import * as v from 'valibot'
import { notificationKey, notificationLists } from '../notifications/keys.ts'
import { notificationFields } from '../notifications/notification.ts'
import { exactly, id, time } from '../schema.ts'
import { descending } from '../storage/keys.ts'
import { newestFirst } from '../storage/order.ts'
import { documentOf, listedDocument } from './documents.ts'
import { kind } from './kind.ts'
import { correctRecipients } from './recipient-lists.ts'

export const notification = kind({
  name: 'notification',
  table: 'catalog',
  holdsDocument: true,
  data: exactly({ ...notificationFields, createdAt: time }),
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => notificationKey(deploymentId, id),
  item({ createdAt, ...notification }) {
    const { deploymentId, id, dashboardId } = notification
    const lists = notificationLists(deploymentId)
    return {
      order: newestFirst(createdAt, descending(id)),
      createdAt,
      deploymentList: lists.all,
      dashboardId,
      ...(dashboardId !== undefined && { dashboardList: lists.byDashboard(dashboardId) }),
      document: listedDocument(notification),
    }
  },
  json: (item) => JSON.stringify({ ...JSON.parse(documentOf(item)), createdAt: item.createdAt }),
  after: ({ storage }, { data: { deploymentId, id } }) => correctRecipients(storage, notificationKey(deploymentId, id)),
})
