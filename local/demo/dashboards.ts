import type { Json, JsonObject } from './change.ts'
import type { Random } from './random.ts'
import { type ReportKind, reportKindsFor, reportSnapshot } from './reports.ts'
import type { Subject } from './subjects.ts'

export type DashboardBrief = { deploymentId: number; workbookId: number; title: string; ownerId: number }

const widgetTypes = ['TEXT', 'FILTER', 'TIME_GRAIN', 'FIELD', 'AI', 'PARENT', 'SPACER', 'DIVIDER', 'CONTAINER'] as const
type WidgetType = (typeof widgetTypes)[number] | 'CHART'

function widgetConfig(random: Random, type: WidgetType, subject: Subject, title: string): JsonObject | null {
  const dimension = random.pick(subject.dimensions)
  const member = `${subject.view}.${dimension[0]}`
  switch (type) {
    case 'TEXT':
      return { markdown: `## ${title}\nQuestions? Ask the ${subject.view} team before the weekly review.` }
    case 'FILTER':
      return { member, title: dimension[1], operator: 'equals', values: random.sample(dimension[2], 2) }
    case 'TIME_GRAIN':
      return { member: `${subject.view}.${subject.time}`, grain: 'week', options: ['day', 'week', 'month', 'quarter'] }
    case 'FIELD':
      return { member, options: subject.dimensions.map(([name]) => `${subject.view}.${name}`) }
    case 'AI':
      return {
        prompt: `Say in three sentences what changed in ${subject.view} since last ${random.pick(['week', 'month'])}.`,
      }
    case 'PARENT':
    case 'CONTAINER':
      return { title: random.pick(['Details', 'Headline numbers', 'How to read this']), children: ['w1'] }
    default:
      return null
  }
}

const positionFor = (index: number, type: WidgetType): JsonObject => {
  const isChart = type === 'CHART'
  return { x: (index % 2) * 12, y: Math.floor(index / 2) * 8, w: type === 'DIVIDER' ? 24 : 12, h: isChart ? 8 : 2 }
}

function widget(random: Random, index: number, type: WidgetType, config: JsonObject | null): JsonObject {
  const position = positionFor(index, type)
  const made: JsonObject = { id: `w${index + 1}`, type, position, config }
  if (random.chance(0.35)) {
    made.responsiveLayouts = {
      lg: position,
      md: random.chance(0.5) ? { ...position, w: 10 } : null,
      sm: { x: 0, y: index * 8, w: 6, h: 8 },
      ...(random.chance(0.3) ? { xs: { x: 0, y: index * 8, w: 4, h: 8 }, xxs: null } : {}),
    }
  }
  if (random.chance(0.15))
    made.style = random.pick<Json>([{ background: '#f6f3ee', border: 'none' }, { padding: 12 }, null])
  return made
}

const layout: JsonObject = {
  breakpoints: { lg: 1200, md: 996, sm: 768, xs: 480, xxs: 0 },
  cols: { lg: 24, md: 20, sm: 12, xs: 4, xxs: null },
  containerPadding: [16, 16],
  margin: [12, 12],
  rowHeight: 40,
}

/** A dashboard put together from widgets. */
export function classicConfig(random: Random, subject: Subject, title: string, reportIds: number[]): JsonObject {
  const others = random.sample(widgetTypes, random.integer(1, 3))
  const widgets = [
    ...reportIds.map((reportId, index) => widget(random, index, 'CHART', { reportId, showTitle: true })),
    ...others.map((type, index) =>
      widget(random, reportIds.length + index, type, widgetConfig(random, type, subject, title)),
    ),
  ]
  return {
    kind: 'CLASSIC',
    title,
    widgets,
    layout: random.chance(0.4) ? layout : null,
    theme: random.chance(0.3) ? { palette: random.pick(['harbor', 'slate', 'meadow']), font: 'Inter' } : null,
    settings: { autoRefreshMinutes: random.pick([0, 15, 60]), showFilterBar: random.chance(0.7) },
  }
}

/** A dashboard that is a small web application. */
export function appConfig(subject: Subject, title: string): JsonObject {
  const measure = subject.measures[0]?.[0] ?? 'count'
  return {
    kind: 'APP',
    title,
    description: `${title}, as an app`,
    app: {
      entry: 'src/main.js',
      html: '<!doctype html><title>App</title><main id="app"></main>',
      files: {
        'src/main.js': `import { load } from './data.js'\ndocument.querySelector('#app').textContent = String(await load())\n`,
        'src/data.js': `export const load = () => query({ measures: ['${subject.view}.${measure}'] })\n`,
      },
      manifest: { version: 1, dependencies: { 'd3-scale': '^4.0.2', 'd3-shape': '^3.2.0' } },
    },
  }
}

export function publishedDashboard(random: Random, subject: Subject, brief: DashboardBrief): JsonObject {
  const { deploymentId, workbookId, title, ownerId } = brief
  const kinds: ReportKind[] = random.sample(reportKindsFor(subject), random.integer(1, 3))
  const reports = kinds.map((kind, index) => reportSnapshot(random, subject, kind, workbookId * 10 + index))
  const reportIds = kinds.map((_, index) => workbookId * 10 + index + 40_000)
  const isApp = random.chance(0.08)
  const dashboard: JsonObject = {
    id: workbookId + 30_000,
    publicId: random.hex(16),
    deploymentId,
    workbookId,
    status: random.chance(0.94) ? 'published' : 'archived',
    allowEmbed: random.chance(0.8),
    config: isApp ? appConfig(subject, title) : classicConfig(random, subject, title, reportIds),
    versionNumber: random.integer(1, 24),
    versionId: workbookId * 100 + random.integer(1, 99),
    reportSnapshots: reports,
    title,
  }
  if (random.chance(0.7)) dashboard.createdBy = ownerId
  if (random.chance(0.4)) dashboard.description = `${title}: ${subject.measures.map(([, name]) => name).join(', ')}.`
  if (random.chance(0.2)) dashboard.restrictDataDownload = random.chance(0.5)
  if (random.chance(0.2)) dashboard.useBoardDashboards = random.chance(0.5)
  if (random.chance(0.1)) dashboard.fromSharedWorkspace = random.pick([true, false, null])
  return dashboard
}
