import {
  boolean,
  freeForm,
  integer,
  list,
  mapOf,
  number,
  oneOf,
  orNull,
  text,
} from '@embed-access/core/schema.ts'
import * as v from 'valibot'

/*
 * What the platform publishes today of the operations that this service has too: version 0.11.0 of
 * its description, and what its changelog says up to 0.19.1. The names of schemas are ours.
 */

/** The answers of the platform may get more fields, so an object may have others. */
const fields = (required: v.ObjectEntries, optional: v.ObjectEntries = {}) =>
  v.object(
    {
      ...required,
      ...Object.fromEntries(Object.entries(optional).map(([name, each]) => [name, orNull(each)])),
    },
    ({ input }) => (input === undefined ? 'is required' : 'must be an object'),
  )

const optional = (entries: v.ObjectEntries) => fields({}, entries)

/** The published schema takes any value but null: null matches both of its alternatives. */
const flag = v.optional(
  v.pipe(
    v.unknown(),
    v.check((value) => value !== null, 'must be left out instead of null'),
    v.metadata({ not: { type: 'null' } }),
  ),
)

/** The forms that every generated client reads: a day, or an instant in UTC. */
export const dateForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/
const date = v.pipe(text, v.regex(dateForm, 'must be such as 2026-01-31 or 2026-01-31T12:00:00Z'))

const perBreakpoint = (each: v.GenericSchema) =>
  optional({ lg: each, md: each, sm: each, xs: each, xxs: each })

const PageInfo = fields(
  { hasNextPage: boolean, hasPreviousPage: boolean },
  { startCursor: text, endCursor: text },
)

const FillMissingRows = fields({ member: text }, { excludedDimensions: list(text) })

const PeriodComparison = fields(
  { measure: text, timeDimension: text, offset: fields({ amount: integer, unit: text }) },
  { outputs: list(text) },
)

const ColumnFormatOverride = fields(
  { type: oneOf(['currency', 'percent', 'number']) },
  { decimalPlaces: integer },
)

const ReportSnapshot = fields(
  { id: integer, reportId: integer, versionNumber: integer },
  {
    publicId: text,
    description: text,
    fillMissingRows: FillMissingRows,
    isSourceReport: boolean,
    kind: oneOf(['vega', 'table', 'kpi', 'html', 'map', 'sankey']),
    meta: freeForm,
    name: text,
    periodComparisons: list(PeriodComparison),
    preferences: optional({ columnFormats: mapOf(ColumnFormatOverride) }),
    pythonCode: text,
    spec: v.union([text, freeForm]),
    sqlQuery: text,
    title: text,
  },
)

const AppSource = optional({
  entry: v.pipe(text, v.maxLength(255)),
  files: mapOf(text),
  html: text,
  manifest: optional({ dependencies: mapOf(text), version: integer }),
})

const Layout = optional({
  breakpoints: perBreakpoint(integer),
  cols: perBreakpoint(integer),
  containerPadding: list(integer),
  margin: list(integer),
  rowHeight: integer,
})

const position = fields({ x: integer, y: integer, w: integer, h: integer })

const widgetTypes = [
  'CHART',
  'TEXT',
  'FILTER',
  'AI',
  'TIME_GRAIN',
  'FIELD',
  'PARENT',
  'SPACER',
  'DIVIDER',
  'CONTAINER',
]

const Widget = fields(
  { id: text, type: oneOf(widgetTypes), position },
  { config: freeForm, responsiveLayouts: perBreakpoint(position), style: freeForm },
)

const DashboardConfig = optional({
  app: AppSource,
  description: text,
  kind: oneOf(['CLASSIC', 'APP']),
  layout: Layout,
  settings: freeForm,
  theme: freeForm,
  title: text,
  widgets: list(Widget),
})

const Dashboard = fields(
  {
    id: integer,
    publicId: text,
    deploymentId: integer,
    workbookId: integer,
    status: oneOf(['draft', 'published', 'archived']),
    allowEmbed: boolean,
    config: DashboardConfig,
    versionNumber: integer,
    versionId: integer,
    reportSnapshots: list(ReportSnapshot),
  },
  {
    createdBy: integer,
    description: text,
    fromSharedWorkspace: boolean,
    restrictDataDownload: boolean,
    title: text,
    useBoardDashboards: boolean,
  },
)

const ResourceOwner = fields({ id: integer, email: text }, { firstName: text, picture: text })

const Workbook = fields(
  {
    id: integer,
    deploymentId: integer,
    name: text,
    meta: freeForm,
    calculatedFields: freeForm,
    createdAt: date,
    updatedAt: date,
    type: oneOf(['FOLDER', 'WORKBOOK', 'REPORT']),
    createdBy: v.optional(integer),
    folderPath: v.optional(list(fields({ id: integer, name: text }))),
  },
  {
    dashboardDraft: DashboardConfig,
    dashboardPublished: DashboardConfig,
    folderId: number,
    isFavorite: boolean,
    // The changelog names its schema, which is not described.
    promotion: freeForm,
    publishedDashboard: Dashboard,
    slug: text,
    user: ResourceOwner,
    userId: number,
  },
)

const DbtSync = fields(
  {
    syncJobId: text,
    deploymentId: integer,
    branchName: text,
    source: text,
    startedAt: text,
    status: text,
    trigger: text,
  },
  {
    completedAt: text,
    durationMs: integer,
    errorMessage: text,
    failedPhase: text,
    gitRef: text,
    lastStage: text,
    phases: list(
      fields({ phase: text, outcome: text, durationMs: integer, startedOffsetMs: integer }),
    ),
    stats: optional({
      cubeCount: integer,
      dbtVersion: text,
      generatedFileCount: integer,
      macros: integer,
      manifestGeneratedAt: text,
      models: integer,
      sources: integer,
    }),
    triggerContext: optional({ headSha: text, pushedBranch: text, targetBranch: text }),
    userId: integer,
  },
)

export const filterOperators = [
  'equals',
  'not_equals',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'contains',
  'not_contains',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
  'is_null',
  'is_not_null',
  'is_empty',
  'is_not_empty',
  'between',
  'custom',
]

const NotificationFilter = fields(
  { member: text, caseSensitive: flag, endInclusive: flag, startInclusive: flag },
  {
    operator: oneOf(filterOperators),
    value: v.union([text, number, boolean, list(v.unknown())]),
  },
)

const Notification = fields(
  {
    id: integer,
    deploymentId: integer,
    dashboardId: integer,
    cronExpression: text,
    humanReadableSchedule: text,
    timezone: text,
    isEnabled: boolean,
    notificationEnabled: boolean,
    notificationAiSummary: boolean,
    notificationFormat: text,
  },
  {
    filters: list(NotificationFilter),
    memberSwitchers: list(fields({ member: text, selected: text })),
    timeGrains: list(fields({ grain: text, member: text })),
  },
)

const attributeValue = v.union([text, number, boolean, list(text), list(number)])

const groupDefinitions = list(fields({ name: text }, { description: text }))

const GenerateSession = fields(
  { deploymentId: number },
  {
    branchName: text,
    creatorMode: boolean,
    email: text,
    externalId: text,
    internalId: text,
    embedTenantName: v.pipe(text, v.regex(/^[a-z][a-z0-9-]{0,34}[a-z0-9]$/)),
    embedTenantProfile: optional({ displayName: text }),
    userProfile: optional({ displayName: text, picture: text }),
    embedTheme: optional({
      analyticsChat: optional({
        backgroundColor: text,
        chatInput: optional({ backgroundColor: text, borderColor: text }),
      }),
      chat: optional({ inputColor: text }),
      font: text,
      primaryColor: text,
    }),
    groups: list(text),
    tenantGroups: list(text),
    tenantGroupDefinitions: groupDefinitions,
    groupDefinitions,
    userAttributes: list(fields({ name: text }, { value: attributeValue })),
    userAttributeDefinitions: list(
      fields(
        {
          name: text,
          type: oneOf(['string', 'number', 'boolean', 'string_array', 'number_array']),
        },
        { defaultValue: text, description: text, displayName: text },
      ),
    ),
    securityContext: freeForm,
    roles: list(text),
    publicDashboardId: text,
    isEphemeral: boolean,
    settings: optional({
      allowAi: boolean,
      allowChatWorkspaceAuthoring: boolean,
      showAiWidgets: boolean,
      showDashboardChat: boolean,
      showDashboardSettings: boolean,
      showGroupByCube: boolean,
      showMemberNames: boolean,
      showWorkbookChat: boolean,
      showWorkbookShare: boolean,
      locale: text,
      timezone: text,
    }),
  },
)

const embedAction = oneOf(['read', 'none'])

const EmbedAccess = fields({
  allowEmbed: boolean,
  allEmbedUsers: fields({ enabled: boolean, action: embedAction }, { groupId: integer }),
  tenants: list(fields({ embedTenantName: text, groupId: integer, action: embedAction })),
})

const EmbedTenant = fields(
  { id: integer, name: text, userCount: integer },
  { createdAt: date, displayName: text },
)

const pageOf = (item: v.GenericSchema) => fields({ items: list(item), pageInfo: PageInfo })

/** The schemas of the rows that lines of the catalog become in an answer, by kind. */
export const publishedRows = { workbook: Workbook, dbtSync: DbtSync, notification: Notification }

type PublishedOperation = {
  /** Each parameter of the path is required. Each parameter of the query is optional. */
  path?: v.ObjectEntries
  query?: v.ObjectEntries
  body?: v.GenericSchema
  /** The answer with status 200, or 204 without a body. */
  answer?: v.GenericSchema
}

const page = { after: text, first: v.pipe(integer, v.minValue(1)) }
const numbered = v.nullable(v.pipe(integer, v.minValue(1)))
const named = v.nullable(text)

export const publishedOperations: Record<string, PublishedOperation> = {
  'GET /api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks': {
    path: { deploymentId: number, embedTenantName: text },
    query: { ...page, accessSource: v.nullable(oneOf(['tenant', 'allEmbedUsers', 'folder'])) },
    answer: pageOf(Workbook),
  },
  'GET /api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access': {
    path: { deploymentId: number, workbookId: number },
    answer: EmbedAccess,
  },
  'GET /api/v1/deployments/{deploymentId}/dbt-sync': {
    path: { deploymentId: integer },
    query: {
      ...page,
      status: v.nullable(oneOf(['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'UNKNOWN'])),
      trigger: v.nullable(oneOf(['manual', 'api', 'webhook', 'agent', 'unknown'])),
    },
    answer: pageOf(DbtSync),
  },
  'GET /api/v1/deployments/{deploymentId}/notifications': {
    path: { deploymentId: integer },
    query: {
      ...page,
      dashboardId: numbered,
      dashboardPublicId: named,
      recipientUserId: numbered,
      recipientEmail: named,
      recipientEmbedTenantName: named,
      recipientExternalId: named,
    },
    answer: fields({ items: list(Notification) }, { pageInfo: PageInfo }),
  },
  'GET /api/v1/embed-tenants': { query: { ...page, search: named }, answer: pageOf(EmbedTenant) },
  'GET /api/v1/spec': { answer: freeForm },
  'POST /api/v1/embed/generate-session': {
    body: GenerateSession,
    answer: fields({ sessionId: text }),
  },
  'POST /api/v1/embed/session/revoke': {
    body: fields({ sessionId: v.pipe(text, v.regex(/^[0-9a-f]{32}$/)) }),
  },
  'POST /api/v1/embed/session/token': {
    body: fields({ sessionId: text }),
    answer: fields({ token: text }),
  },
}
