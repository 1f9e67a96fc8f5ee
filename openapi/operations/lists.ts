import { defaultPageSize, maxPageSize } from '@embed-access/core/storage/page.ts'
import * as v from 'valibot'
import { pageOf, responseSchemas } from '../components.ts'
import type { JsonObject } from '../json-schema.ts'
import type { Operations } from '../operation.ts'

const pageParameters = {
  first: {
    description:
      `How many items a page has: ${defaultPageSize} by default, at most ${maxPageSize}. ` +
      `A larger number gives ${maxPageSize}.`,
    example: 50,
  },
  after: {
    description:
      'The `pageInfo.endCursor` of the previous page of this list with these filters. ' +
      'Cursors are opaque.',
  },
}

const listParameters = {
  deploymentId: {
    description:
      'The deployment. A deployment of another account gives 404, as an unknown one does.',
    example: 1001,
  },
  ...pageParameters,
}

const firstPage = (items: readonly object[], hasNextPage: boolean, cursor: string) => ({
  items,
  pageInfo: { hasNextPage, hasPreviousPage: false, startCursor: cursor, endCursor: cursor },
})

const pages = (of: string, schema: JsonObject, summary: string, value: object) => ({
  description: `A page of ${of}.`,
  schema,
  examples: { page: { summary, value } },
})

const onlyPage = (...items: readonly object[]) =>
  firstPage(items, false, 'm0Yk1xP9sQeRt7uVwXyZaBMjAyNi0wNi0wMQ')

const workbook = {
  id: 100,
  deploymentId: 1001,
  name: 'Revenue by region',
  meta: {},
  calculatedFields: {},
  createdAt: '2026-01-12T09:30:00Z',
  updatedAt: '2026-03-02T14:05:00Z',
  type: 'WORKBOOK',
  createdBy: 17,
  folderId: 12,
  publishedDashboard: {
    id: 4210,
    publicId: 'pub-4210',
    deploymentId: 1001,
    workbookId: 100,
    status: 'published',
    allowEmbed: true,
    config: {
      kind: 'CLASSIC',
      title: 'Revenue',
      widgets: [{ id: 'w1', type: 'CHART', position: { x: 0, y: 0, w: 6, h: 4 } }],
    },
    versionNumber: 3,
    versionId: 9003,
    reportSnapshots: [{ id: 1, reportId: 71, versionNumber: 2, kind: 'vega', name: 'Revenue' }],
  },
  slug: 'revenue-by-region',
  user: { id: 17, email: 'priya.raman@harborline.example', firstName: 'Priya', picture: null },
  folderPath: [
    { id: 5, name: 'Sales' },
    { id: 12, name: 'Regions' },
  ],
}

const tenant = { type: 'embedTenant', name: 'alder-oak' }
const all = { type: 'allEmbedUsers' }
const folder = { id: 12, name: 'Shared with partners' }
const inFolder = { source: 'folder', folder, grantee: tenant }

const sharesOf = (stateOfTenant: string) => [
  { grantee: tenant, state: stateOfTenant },
  { grantee: all, state: 'notShared' },
]
const explanation = {
  isSeen: true,
  path: [
    { type: 'folder', ...folder, shares: sharesOf('shared') },
    { type: 'workbook', id: 5, name: 'Sales', shares: sharesOf('notShared') },
  ],
  end: null,
}

const workbookParameters = {
  ...pageParameters,
  accessSource: {
    description:
      'Only workbooks that this source grants: `tenant` (shared with the tenant itself), ' +
      '`allEmbedUsers` (shared with all embed users) or `folder` (in a folder, at any depth, ' +
      'that is shared with either).',
  },
  include: {
    description:
      '`accessSources` adds to each workbook every reason why it can be seen, whatever ' +
      '`accessSource` is. An extension of this service.',
  },
}

const pageOfWorkbooks = pages(
  'workbooks',
  pageOf(responseSchemas.Workbook),
  'A page with one workbook',
  firstPage([workbook], true, 'kX2v0jFQ1cSgqk0nHkUo8wL2E1L2IxMi8tYzEwMA'),
)

export const workbooks = {
  'list-embed-tenant-workbooks': {
    summary: 'List workbooks that an embed tenant can access',
    description:
      'For admins. Lists every workbook that end users of the embed tenant can see, each once. ' +
      'Three sources grant access: a share with the tenant, a share with all embed users, or a ' +
      'shared folder above the workbook, at any depth (within 32 levels from the top). The order ' +
      'is fixed. If items come or go between two pages, no other item appears twice or is missed.',
    parameters: {
      ...listParameters,
      ...workbookParameters,
      embedTenantName: {
        description:
          'The embed tenant, in any case of letters. A tenant that nothing in the account ' +
          'has named gives 404.',
        example: 'alder-oak',
      },
    },
    success: pageOfWorkbooks,
    refusals: ['embed_tenant_not_found'],
  },
  'list-embed-workbooks': {
    summary: 'List workbooks that the end user of an embed token can see',
    description:
      'An extension of this service. Called by the embedded page with the embed token of an ' +
      'external user: the list of its embed tenant in its deployment, with the same fields as ' +
      'the list for admins. A token without a tenant lists what is shared with all embed ' +
      'users. Pages of configured origins may call it (CORS).',
    parameters: workbookParameters,
    success: pageOfWorkbooks,
    refusals: ['external_user_required'],
  },
  'list-workbook-embed-tenants': {
    summary: 'List who can see a workbook',
    description:
      'An extension of this service. For admins. Lists with whom the workbook or a folder ' +
      'above it is shared, each with every reason: first all embed users, then embed tenants ' +
      'by name. With `embedTenantName` the page has that tenant alone. Its reasons then ' +
      'include those of all embed users, and `explanation` says why it sees the workbook or ' +
      'does not. The tenant’s own list agrees, but shows a new workbook only once the indexes ' +
      'have it.',
    parameters: {
      ...listParameters,
      workbookId: {
        description: 'The workbook. One of another deployment gives 404, as an unknown one does.',
        example: 5001,
      },
      embedTenantName: {
        description: 'Only this embed tenant, with the explanation. In any case.',
      },
    },
    success: {
      description: 'A page of those who can see the workbook.',
      schema: pageOf(responseSchemas.EmbedAccess, {
        explanation: v.optional(responseSchemas.AccessExplanation),
      }),
      examples: {
        page: {
          summary: 'All embed users, and a tenant by a folder',
          value: onlyPage(
            { grantee: all, reasons: [{ source: 'allEmbedUsers' }] },
            { grantee: tenant, reasons: [inFolder] },
          ),
        },
        tenant: {
          summary: 'Why one tenant sees it',
          value: { ...onlyPage({ grantee: tenant, reasons: [inFolder] }), explanation },
        },
      },
    },
    refusals: ['workbook_not_found', 'embed_tenant_not_found'],
  },
  'list-embed-tenants': {
    summary: 'List embed tenants',
    description:
      'An extension of this service. For admins whose credential is not scoped to ' +
      'deployments. Lists the embed tenants of the account by name. A deleted tenant is never ' +
      'shown. A new tenant appears as soon as the index has it.',
    parameters: {
      ...pageParameters,
      search: { description: 'Only tenants whose names begin with this, in any case of letters.' },
    },
    success: pages(
      'embed tenants',
      pageOf(responseSchemas.EmbedTenant),
      'A tenant that a session has named',
      onlyPage({ name: 'alder-oak', displayName: null, createdAt: '2026-01-12T09:30:00.000Z' }),
    ),
    refusals: ['deployment_forbidden'],
  },
} satisfies Operations

const dbtSync = {
  syncJobId: 'sync-2026-06-01-0007',
  deploymentId: 1001,
  branchName: 'main',
  source: 'github',
  startedAt: '2026-06-01T06:00:00Z',
  status: 'FAILED',
  trigger: 'webhook',
  completedAt: '2026-06-01T06:01:12Z',
  durationMs: 72_000,
  errorMessage: 'Model orders: column discount does not exist.',
  failedPhase: 'dbt-compile',
  gitRef: 'refs/heads/main',
  lastStage: 'dbt-compile',
  phases: [
    { phase: 'repo-clone', outcome: 'succeeded', durationMs: 8000, startedOffsetMs: 0 },
    { phase: 'dbt-compile', outcome: 'failed', durationMs: 64_000, startedOffsetMs: 8000 },
  ],
  stats: { dbtVersion: '1.9.1', models: 48, macros: 12, sources: 9 },
  triggerContext: { headSha: '4b825dc642cb6eb9a060e54bf8d69288fbee4904', pushedBranch: 'main' },
}

export const dbtSyncs = {
  'list-dbt-syncs': {
    summary: 'List dbt syncs of a deployment',
    description: 'Newest start first, then by `syncJobId`. Needs read access to the deployment.',
    parameters: {
      ...listParameters,
      status: { description: 'Only syncs in this status.' },
      trigger: { description: 'Only syncs with this trigger.' },
    },
    success: pages(
      'dbt syncs',
      pageOf(responseSchemas.DbtSync),
      'A failed sync',
      onlyPage(dbtSync),
    ),
  },
} satisfies Operations

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

export const notifications = {
  'list-notifications': {
    summary: 'List scheduled notifications of a deployment',
    description:
      'Newest first, then by descending `id`. Needs read access to the deployment. Items ' +
      'describe the schedule alone. Give at most one identifier of a dashboard and one of a ' +
      'recipient. With both, a notification must match both. If the dashboard or the recipient ' +
      'does not exist, or the embed tenant of the recipient was deleted, the page is empty. If ' +
      'several users have the address, or several dashboards have the public id, the request is ' +
      'refused, and the error has up to 20 of their ids.',
    parameters: {
      ...listParameters,
      dashboardId: { description: 'Only notifications of this dashboard.' },
      dashboardPublicId: { description: 'Only those of the dashboard with this public id.' },
      recipientUserId: { description: 'Only notifications that this user receives.' },
      recipientEmail: {
        description: 'Only those of the user with this address, in any case of letters.',
      },
      recipientEmbedTenantName: {
        description: 'Only those of an embed user of this tenant. Needs `recipientExternalId`.',
      },
      recipientExternalId: {
        description:
          'Only those of the embed user with this external id. Needs `recipientEmbedTenantName`.',
      },
    },
    success: pages(
      'scheduled notifications',
      pageOf(responseSchemas.Notification),
      'A weekly report',
      onlyPage(notification),
    ),
  },
} satisfies Operations
