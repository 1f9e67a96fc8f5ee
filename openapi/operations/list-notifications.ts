import { deploymentIdParameter, pagingParameters } from '../common-parameters.ts'
import { pageOf, responseSchemas } from '../components.ts'
import type { Described } from '../described.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { noMorePages } from '../shared-examples.ts'

const notification = {
  id: 301,
  deploymentId: 1001,
  dashboardId: 4210,
  cronExpression: '0 8 * * 1',
  humanReadableSchedule: 'Mondays at 08:00',
  timezone: 'Europe/Oslo',
  isEnabled: true,
  notificationEnabled: true,
  notificationAiSummary: false,
  notificationFormat: 'pdf',
  filters: [{ member: 'orders.region', operator: 'equals', value: 'north' }],
  memberSwitchers: [{ member: 'orders.measure', selected: 'revenue' }],
  timeGrains: [{ grain: 'week', member: 'orders.created_at' }],
}

export const described: Described = {
  tag: 'Notifications',
  summary: 'List scheduled notifications of a deployment',
  description:
    'Newest first, then by descending `id`. Needs read access to the deployment. Items describe the schedule alone. ' +
    'At most one identifier of a dashboard and one of a recipient; both together combine with AND. ' +
    'A dashboard, user or embed user that does not exist gives an empty page.',
  parameters: {
    ...deploymentIdParameter,
    ...pagingParameters,
    dashboardId: { description: 'Of this dashboard. Use this or `dashboardPublicId`.' },
    dashboardPublicId: { description: 'Of the dashboard with this public id.' },
    recipientUserId: {
      description: 'Received by this user. Excludes `recipientEmail` and the embed user.',
    },
    recipientEmail: {
      description: 'Received by the user with this address, in any case of letters. Excludes the other recipients.',
    },
    recipientEmbedTenantName: {
      description: 'Received by the embed user of this tenant. Needs `recipientExternalId`.',
    },
    recipientExternalId: {
      description: 'Received by the embed user with this external id. Needs `recipientEmbedTenantName`.',
    },
  },
  success: {
    status: 200,
    description: 'A page of scheduled notifications.',
    schema: jsonSchemaOf(pageOf(responseSchemas.Notification), 'response', responseSchemas),
    examples: { page: { summary: 'A weekly report', value: { items: [notification], pageInfo: noMorePages } } },
  },
}
