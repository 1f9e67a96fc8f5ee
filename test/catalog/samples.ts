import type { kinds } from '@embed-access/core/catalog/kinds.ts'
import type { InferOutput } from 'valibot'

/** With every optional field, at every depth, and nothing null. */
type Complete<Value> = Value extends readonly (infer Element)[]
  ? Complete<Element>[]
  : Value extends object
    ? { [Field in keyof Value]-?: Complete<NonNullable<Value[Field]>> }
    : Value

type DataOf<Kind extends keyof typeof kinds> = InferOutput<(typeof kinds)[Kind]['data']>

/** The path of a workbook's folders follows from the folders, and is not stored. */
type Stored<Data> = Data extends { folderPath?: unknown } ? Omit<Data, 'folderPath'> : Data

type Sample<Kind extends keyof typeof kinds> = Complete<Stored<DataOf<Kind>>>

type Samples = { readonly [Kind in keyof typeof kinds]: readonly [Sample<Kind>, ...Sample<Kind>[]] }

const breakpoints = { lg: 1200, md: 900, sm: 700, xs: 400, xxs: 0 }
const position = { x: 0, y: 1, w: 2, h: 3 }

const config = {
  app: {
    entry: 'index.html',
    files: { 'index.html': '<p>', constructor: 'x' },
    html: '<p>',
    manifest: { dependencies: { d3: '7' }, version: 1 },
  },
  description: 'All of it',
  kind: 'APP' as const,
  layout: { breakpoints, cols: breakpoints, containerPadding: [1, 2], margin: [3, 4], rowHeight: 30 },
  settings: { any: [1, { thing: null }] },
  theme: { dark: true },
  title: 'Title',
  widgets: [
    {
      id: 'w1',
      type: 'CHART' as const,
      position,
      config: { measure: 'orders.count' },
      responsiveLayouts: { lg: position, md: position, sm: position, xs: position, xxs: position },
      style: { color: 'red' },
    },
  ],
}

const reportSnapshot = {
  id: 1,
  reportId: 2,
  versionNumber: 3,
  description: 'Flow of orders',
  fillMissingRows: { member: 'orders.createdAt', excludedDimensions: ['orders.status'] },
  isSourceReport: true,
  kind: 'sankey' as const,
  meta: { any: 'thing' },
  name: 'Flow',
  periodComparisons: [
    { measure: 'm', timeDimension: 't', offset: { amount: -1, unit: 'month' }, outputs: ['difference'] },
  ],
  preferences: { columnFormats: { revenue: { type: 'currency' as const, decimalPlaces: 2 } } },
  pythonCode: 'print(1)',
  spec: { mark: 'bar' },
  sqlQuery: 'SELECT 1',
  title: 'Flow',
}

const ada = {
  accountId: 'acme',
  id: 1,
  email: 'Ada@acme.example',
  username: 'Ada',
  firstName: 'Ada',
  picture: 'https://acme.example/ada.png',
  roles: ['admin', 'viewer'],
  deploymentIds: [1, 2],
}

/** Complete data of every kind, one of each form that a kind has. */
export const samples: Samples = {
  account: [
    {
      id: 'acme',
      name: 'Acme',
      embeddingEnabled: true,
      onlyAdminsMint: false,
      oidc: { issuer: 'https://login.acme.example', audience: 'embed', userClaim: 'email' },
    },
  ],
  user: [ada, { ...ada, id: 2, email: 'rob@acme.example', username: 'rob', roles: [], deploymentIds: 'all' }],
  apiKey: [
    {
      accountId: 'acme',
      tokenHash: 'a1'.repeat(32),
      userId: 1,
      name: 'nightly export',
      deploymentIds: [1],
      operations: ['generate-session'],
      expiresAt: '2027-01-01T00:00:00Z',
      accountSince: 1,
    },
  ],
  deployment: [{ accountId: 'acme', id: 1, name: 'First', accountSince: 1 }],
  embedTenant: [{ accountId: 'acme', name: 'north', displayName: 'North #1' }],
  group: [{ accountId: 'acme', name: '100%25 #1', description: 'odd' }],
  tenantGroup: [{ accountId: 'acme', embedTenantName: 'north', name: 'a#b', description: 'odd as well' }],
  attributeDefinition: [
    {
      accountId: 'acme',
      embedTenantName: 'north',
      name: 'a#b',
      type: 'number_array',
      defaultValue: [1, 2.5],
      description: 'odd as well',
      displayName: 'A or B',
    },
  ],
  folder: [{ deploymentId: 1, id: 7, name: 'Reports', parentId: 6 }],
  workbook: [
    {
      id: 5,
      deploymentId: 1,
      name: 'Whole',
      meta: { free: 'form' },
      calculatedFields: { profit: 'revenue - cost' },
      createdAt: '2026-01-01',
      updatedAt: '2026-01-01T00:00:00.000Z',
      type: 'REPORT',
      createdBy: 7,
      dashboardDraft: config,
      dashboardPublished: config,
      folderId: 7,
      isFavorite: true,
      publishedDashboard: {
        id: 9,
        publicId: 'public-9',
        deploymentId: 1,
        workbookId: 5,
        status: 'archived',
        allowEmbed: false,
        config,
        versionNumber: 3,
        versionId: 4,
        reportSnapshots: [reportSnapshot],
        createdBy: 7,
        description: 'd',
        fromSharedWorkspace: false,
        restrictDataDownload: true,
        title: 't',
        useBoardDashboards: true,
      },
      slug: 'whole',
      user: { id: 7, email: 'a@b.example', firstName: 'A', picture: 'p' },
      userId: 7.5,
    },
  ],
  share: [
    { deploymentId: 1, resource: { type: 'workbook', id: 5 }, grantee: { type: 'embedTenant', name: 'north' } },
    { deploymentId: 1, resource: { type: 'folder', id: 7 }, grantee: { type: 'allEmbedUsers' } },
  ],
  dbtSync: [
    {
      syncJobId: 'job#1%',
      deploymentId: 1,
      branchName: 'main',
      source: 'github',
      startedAt: '2026-01-01T00:00:00.123456789Z',
      status: 'FAILED',
      trigger: 'agent',
      completedAt: '2026-01-01T00:01:00Z',
      durationMs: 60_000,
      errorMessage: 'it said \n"no"',
      failedPhase: 'compile',
      gitRef: 'refs/heads/main',
      lastStage: 'compile',
      phases: [{ phase: 'compile', outcome: 'failed', durationMs: 1, startedOffsetMs: 0 }],
      stats: {
        cubeCount: 1,
        dbtVersion: '1.9.0',
        generatedFileCount: 2,
        macros: 3,
        manifestGeneratedAt: '2026-01-01',
        models: 4,
        sources: 5,
      },
      triggerContext: { headSha: 'abc', pushedBranch: 'b', targetBranch: 'main' },
      userId: 1,
    },
  ],
  notification: [
    {
      id: 500,
      deploymentId: 1,
      dashboardId: 71,
      cronExpression: '0 9 * * 1',
      humanReadableSchedule: 'Every Monday at 09:00',
      timezone: 'Europe/Oslo',
      isEnabled: true,
      notificationEnabled: false,
      notificationAiSummary: true,
      notificationFormat: 'PDF',
      filters: [
        {
          member: 'orders.status',
          operator: 'equals',
          value: 'open',
          caseSensitive: false,
          endInclusive: 1,
          startInclusive: 'yes',
        },
      ],
      memberSwitchers: [{ member: 'orders.measure', selected: 'revenue' }],
      timeGrains: [{ grain: 'week', member: 'orders.createdAt' }],
      createdAt: '2026-02-02',
    },
  ],
  recipient: [
    { deploymentId: 1, notificationId: 500, recipient: { type: 'user', userId: 2 } },
    {
      deploymentId: 1,
      notificationId: 500,
      recipient: { type: 'embedUser', embedTenantName: 'south', externalId: 'x#y' },
    },
  ],
}
