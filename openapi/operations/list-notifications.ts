import { pageOf, responseSchemas } from '../components.ts'
import { listParameters, onlyPage } from '../lists.ts'
import type { Described } from '../operation.ts'

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
    'Give at most one identifier of a dashboard and one of a recipient. With both, a notification must match both. ' +
    'A dashboard, user or embed user that does not exist gives an empty page, an embed user of a deleted tenant too. ' +
    'An address that several users have, or a public id that several dashboards have, is refused with their ids.',
  parameters: {
    ...listParameters,
    dashboardId: { description: 'Only notifications of this dashboard. Not together with `dashboardPublicId`.' },
    dashboardPublicId: {
      description: 'Only notifications of the dashboard with this public id. Not together with `dashboardId`.',
    },
    recipientUserId: {
      description: 'Only notifications that this user receives. Not together with another recipient.',
    },
    recipientEmail: {
      description:
        'Only notifications that the user with this address receives, in any case of letters. ' +
        'Not together with another recipient.',
    },
    recipientEmbedTenantName: {
      description: 'Only notifications that the embed user of this tenant receives. Needs `recipientExternalId`.',
    },
    recipientExternalId: {
      description:
        'Only notifications that the embed user with this external id receives. Needs `recipientEmbedTenantName`.',
    },
  },
  success: {
    description: 'A page of scheduled notifications.',
    schema: pageOf(responseSchemas.Notification),
    examples: { page: { summary: 'A weekly report', value: onlyPage([notification]) } },
  },
}
