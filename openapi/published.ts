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
const fields = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object(entries, ({ input }) => (input === undefined ? 'is required' : 'must be an object'))

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

const perBreakpoint = <const Schema extends v.GenericSchema>(schema: Schema) =>
  fields({
    lg: orNull(schema),
    md: orNull(schema),
    sm: orNull(schema),
    xs: orNull(schema),
    xxs: orNull(schema),
  })

const PageInfo = fields({
  hasNextPage: boolean,
  hasPreviousPage: boolean,
  startCursor: orNull(text),
  endCursor: orNull(text),
})

const FillMissingRows = fields({ member: text, excludedDimensions: orNull(list(text)) })

const PeriodComparison = fields({
  measure: text,
  timeDimension: text,
  offset: fields({ amount: integer, unit: text }),
  outputs: orNull(list(text)),
})

const ColumnFormatOverride = fields({
  type: oneOf(['currency', 'percent', 'number']),
  decimalPlaces: orNull(integer),
})

const ReportSnapshot = fields({
  id: integer,
  reportId: integer,
  versionNumber: integer,
  publicId: orNull(text),
  description: orNull(text),
  fillMissingRows: orNull(FillMissingRows),
  isSourceReport: orNull(boolean),
  kind: orNull(oneOf(['vega', 'table', 'kpi', 'html', 'map', 'sankey'])),
  meta: orNull(freeForm),
  name: orNull(text),
  periodComparisons: orNull(list(PeriodComparison)),
  preferences: orNull(fields({ columnFormats: orNull(mapOf(ColumnFormatOverride)) })),
  pythonCode: orNull(text),
  spec: orNull(v.union([text, freeForm])),
  sqlQuery: orNull(text),
  title: orNull(text),
})

const AppSource = fields({
  entry: orNull(v.pipe(text, v.maxLength(255))),
  files: orNull(mapOf(text)),
  html: orNull(text),
  manifest: orNull(fields({ dependencies: orNull(mapOf(text)), version: orNull(integer) })),
})

const Layout = fields({
  breakpoints: orNull(perBreakpoint(integer)),
  cols: orNull(perBreakpoint(integer)),
  containerPadding: orNull(list(integer)),
  margin: orNull(list(integer)),
  rowHeight: orNull(integer),
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
] as const

const Widget = fields({
  id: text,
  type: oneOf(widgetTypes),
  position,
  config: orNull(freeForm),
  responsiveLayouts: orNull(perBreakpoint(position)),
  style: orNull(freeForm),
})

const DashboardConfig = fields({
  app: orNull(AppSource),
  description: orNull(text),
  kind: orNull(oneOf(['CLASSIC', 'APP'])),
  layout: orNull(Layout),
  settings: orNull(freeForm),
  theme: orNull(freeForm),
  title: orNull(text),
  widgets: orNull(list(Widget)),
})

const Dashboard = fields({
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
  createdBy: orNull(integer),
  description: orNull(text),
  fromSharedWorkspace: orNull(boolean),
  restrictDataDownload: orNull(boolean),
  title: orNull(text),
  useBoardDashboards: orNull(boolean),
})

const ResourceOwner = fields({
  id: integer,
  email: text,
  firstName: orNull(text),
  picture: orNull(text),
})

const Workbook = fields({
  id: integer,
  deploymentId: integer,
  name: text,
  meta: freeForm,
  calculatedFields: freeForm,
  createdAt: date,
  updatedAt: date,
  type: oneOf(['FOLDER', 'WORKBOOK', 'REPORT']),
  createdBy: v.optional(integer),
  dashboardDraft: orNull(DashboardConfig),
  dashboardPublished: orNull(DashboardConfig),
  folderId: orNull(number),
  folderPath: v.optional(list(fields({ id: integer, name: text }))),
  isFavorite: orNull(boolean),
  // The changelog names its schema, which is not described.
  promotion: orNull(freeForm),
  publishedDashboard: orNull(Dashboard),
  slug: orNull(text),
  user: orNull(ResourceOwner),
  userId: orNull(number),
})

const DbtSync = fields({
  syncJobId: text,
  deploymentId: integer,
  branchName: text,
  source: text,
  startedAt: text,
  status: text,
  trigger: text,
  completedAt: orNull(text),
  durationMs: orNull(integer),
  errorMessage: orNull(text),
  failedPhase: orNull(text),
  gitRef: orNull(text),
  lastStage: orNull(text),
  phases: orNull(
    list(fields({ phase: text, outcome: text, durationMs: integer, startedOffsetMs: integer })),
  ),
  stats: orNull(
    fields({
      cubeCount: orNull(integer),
      dbtVersion: orNull(text),
      generatedFileCount: orNull(integer),
      macros: orNull(integer),
      manifestGeneratedAt: orNull(text),
      models: orNull(integer),
      sources: orNull(integer),
    }),
  ),
  triggerContext: orNull(
    fields({ headSha: orNull(text), pushedBranch: orNull(text), targetBranch: orNull(text) }),
  ),
  userId: orNull(integer),
})

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
] as const

const NotificationFilter = fields({
  member: text,
  operator: orNull(oneOf(filterOperators)),
  value: orNull(v.union([text, number, boolean, list(v.unknown())])),
  caseSensitive: flag,
  endInclusive: flag,
  startInclusive: flag,
})

const Notification = fields({
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
  filters: orNull(list(NotificationFilter)),
  memberSwitchers: orNull(list(fields({ member: text, selected: text }))),
  timeGrains: orNull(list(fields({ grain: text, member: text }))),
})

const attributeValue = v.union([text, number, boolean, list(text), list(number)])

const displayed = fields({ displayName: orNull(text) })

const groupDefinitions = orNull(list(fields({ name: text, description: orNull(text) })))

const GenerateSession = fields({
  deploymentId: number,
  branchName: orNull(text),
  creatorMode: orNull(boolean),
  email: orNull(text),
  externalId: orNull(text),
  internalId: orNull(text),
  embedTenantName: orNull(v.pipe(text, v.regex(/^[a-z][a-z0-9-]{0,34}[a-z0-9]$/))),
  embedTenantProfile: orNull(displayed),
  userProfile: orNull(fields({ displayName: orNull(text), picture: orNull(text) })),
  embedTheme: orNull(
    fields({
      analyticsChat: orNull(
        fields({
          backgroundColor: orNull(text),
          chatInput: orNull(fields({ backgroundColor: orNull(text), borderColor: orNull(text) })),
        }),
      ),
      chat: orNull(fields({ inputColor: orNull(text) })),
      font: orNull(text),
      primaryColor: orNull(text),
    }),
  ),
  groups: orNull(list(text)),
  tenantGroups: orNull(list(text)),
  tenantGroupDefinitions: groupDefinitions,
  groupDefinitions,
  userAttributes: orNull(list(fields({ name: text, value: orNull(attributeValue) }))),
  userAttributeDefinitions: orNull(
    list(
      fields({
        name: text,
        type: oneOf(['string', 'number', 'boolean', 'string_array', 'number_array']),
        defaultValue: orNull(text),
        description: orNull(text),
        displayName: orNull(text),
      }),
    ),
  ),
  securityContext: orNull(freeForm),
  roles: orNull(list(text)),
  publicDashboardId: orNull(text),
  isEphemeral: orNull(boolean),
  settings: orNull(
    fields({
      allowAi: orNull(boolean),
      allowChatWorkspaceAuthoring: orNull(boolean),
      showAiWidgets: orNull(boolean),
      showDashboardChat: orNull(boolean),
      showDashboardSettings: orNull(boolean),
      showGroupByCube: orNull(boolean),
      showMemberNames: orNull(boolean),
      showWorkbookChat: orNull(boolean),
      showWorkbookShare: orNull(boolean),
      locale: orNull(text),
      timezone: orNull(text),
    }),
  ),
})

const embedAction = oneOf(['read', 'none'])

const EmbedAccess = fields({
  allowEmbed: boolean,
  allEmbedUsers: fields({ enabled: boolean, action: embedAction, groupId: orNull(integer) }),
  tenants: list(fields({ embedTenantName: text, groupId: integer, action: embedAction })),
})

const EmbedTenant = fields({
  id: integer,
  name: text,
  userCount: integer,
  createdAt: orNull(date),
  displayName: orNull(text),
})

const pageOf = (item: v.GenericSchema) => fields({ items: list(item), pageInfo: PageInfo })

/** The schemas of the rows that lines of the catalog become in an answer, by kind. */
export const publishedRows = { workbook: Workbook, dbtSync: DbtSync, notification: Notification }

type PublishedOperation = {
  /** Each parameter of the path is required. Each parameter of the query is optional. */
  readonly path?: v.ObjectEntries
  readonly query?: v.ObjectEntries
  readonly body?: v.GenericSchema
  /** The answer with status 200, or 204 without a body. */
  readonly answer?: v.GenericSchema
}

const page = { after: text, first: v.pipe(integer, v.minValue(1)) }
const numbered = v.nullable(v.pipe(integer, v.minValue(1)))
const named = v.nullable(text)

export const publishedOperations: Readonly<Record<string, PublishedOperation>> = {
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
    answer: fields({ items: list(Notification), pageInfo: orNull(PageInfo) }),
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
