import * as v from 'valibot'
import {
  boolean,
  exactly,
  freeForm,
  id,
  integer,
  list,
  mapOf,
  number,
  oneOf,
  optional,
  orNull,
  text,
  textOf,
} from '../schema.ts'
import { time } from '../time.ts'

/* Workbook and its parts, as in docs/specification.md#resources-and-their-fields. */

export const FillMissingRows = exactly({ member: text, excludedDimensions: orNull(list(text)) })

export const PeriodComparison = exactly({
  measure: text,
  timeDimension: text,
  offset: exactly({ amount: integer, unit: text }),
  outputs: orNull(list(text)),
})

export const ColumnFormatOverride = exactly({
  type: oneOf(['currency', 'percent', 'number']),
  decimalPlaces: orNull(integer),
})

export const Preferences = exactly({
  columnFormats: orNull(mapOf(v.nullable(ColumnFormatOverride))),
})

export const ReportSnapshot = exactly({
  id,
  reportId: id,
  versionNumber: integer,
  publicId: orNull(text),
  description: orNull(text),
  fillMissingRows: orNull(FillMissingRows),
  isSourceReport: orNull(boolean),
  kind: orNull(oneOf(['vega', 'table', 'kpi', 'html', 'map', 'sankey'])),
  meta: orNull(freeForm),
  name: orNull(text),
  periodComparisons: orNull(list(PeriodComparison)),
  preferences: orNull(Preferences),
  pythonCode: orNull(text),
  spec: orNull(v.union([text, freeForm], 'must be a string or an object')),
  sqlQuery: orNull(text),
  title: orNull(text),
})

export const AppManifest = exactly({ dependencies: orNull(mapOf(text)), version: orNull(integer) })

export const AppSource = exactly({
  entry: orNull(textOf(0, 255)),
  files: orNull(mapOf(text)),
  html: orNull(text),
  manifest: orNull(AppManifest),
})

const perBreakpoint = <const Schema extends v.GenericSchema>(schema: Schema) =>
  exactly(v.entriesFromList(['lg', 'md', 'sm', 'xs', 'xxs'], orNull(schema)))

export const Layout = exactly({
  breakpoints: orNull(perBreakpoint(integer)),
  cols: orNull(perBreakpoint(integer)),
  containerPadding: orNull(list(integer)),
  margin: orNull(list(integer)),
  rowHeight: orNull(integer),
})

export const WidgetPosition = exactly({ x: integer, y: integer, w: integer, h: integer })

export const Widget = exactly({
  id: text,
  type: oneOf([
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
  ]),
  position: WidgetPosition,
  config: orNull(freeForm),
  responsiveLayouts: optional(perBreakpoint(WidgetPosition)),
  style: orNull(freeForm),
})

export const DashboardConfig = exactly({
  app: orNull(AppSource),
  description: orNull(text),
  kind: orNull(oneOf(['CLASSIC', 'APP'])),
  layout: orNull(Layout),
  settings: orNull(freeForm),
  theme: orNull(freeForm),
  title: orNull(text),
  widgets: orNull(list(Widget)),
})

export const Dashboard = exactly({
  id,
  publicId: textOf(1, 255),
  deploymentId: id,
  workbookId: id,
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

export const FolderPathEntry = exactly({ id, name: text })

export const ResourceOwner = exactly({
  id,
  email: text,
  firstName: orNull(text),
  picture: orNull(text),
})

export const Workbook = exactly({
  id,
  deploymentId: id,
  name: text,
  meta: freeForm,
  calculatedFields: freeForm,
  createdAt: time,
  updatedAt: time,
  type: oneOf(['FOLDER', 'WORKBOOK', 'REPORT']),
  createdBy: optional(integer),
  dashboardDraft: orNull(DashboardConfig),
  dashboardPublished: orNull(DashboardConfig),
  folderId: orNull(id),
  folderPath: optional(list(FolderPathEntry)),
  isFavorite: orNull(boolean),
  promotion: orNull(freeForm),
  publishedDashboard: orNull(Dashboard),
  slug: orNull(text),
  user: orNull(ResourceOwner),
  userId: orNull(number),
})
