import type * as v from 'valibot'
import {
  boolean,
  exactly,
  freeForm,
  id,
  integer,
  list,
  mapOf,
  oneOf,
  optional,
  orNull,
  text,
  textOf,
} from '../schema.ts'
import { ReportSnapshot } from './report-snapshot.ts'

/** Dashboard and what it is made of, field by field as in docs/specification.md#resources-and-their-fields. */

export const AppManifest = exactly({ dependencies: orNull(mapOf(text)), version: orNull(integer) })

export const AppSource = exactly({
  entry: orNull(textOf(0, 255)),
  files: orNull(mapOf(text)),
  html: orNull(text),
  manifest: orNull(AppManifest),
})

const perBreakpoint = <const Schema extends v.GenericSchema>(schema: Schema) =>
  exactly({ lg: orNull(schema), md: orNull(schema), sm: orNull(schema), xs: orNull(schema), xxs: orNull(schema) })

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
  type: oneOf(['CHART', 'TEXT', 'FILTER', 'AI', 'TIME_GRAIN', 'FIELD', 'PARENT', 'SPACER', 'DIVIDER', 'CONTAINER']),
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
