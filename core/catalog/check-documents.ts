import type { Item } from '../storage/batch-get.ts'
import { isTimeZone } from '../time.ts'
import { documentOf } from './documents.ts'
import { quoted } from './quoted.ts'

type Dashboard = {
  readonly id: number
  readonly publicId: string
  readonly deploymentId: number
  readonly workbookId: number
}
type Workbook = { readonly deploymentId: number; readonly id: number; readonly publishedDashboard?: Dashboard | null }
type Notification = {
  readonly id: number
  readonly dashboardId?: number
  readonly cronExpression?: string
  readonly timezone?: string
}

/**
 * Looks at the documents of a deployment's workbooks and notifications. The service only shows them, so it takes what can't
 * be right.
 */
export function documentCheck() {
  const dashboards = new Set<number>()
  const workbooksByPublicId = new Map<string, number[]>()
  const notifications: Notification[] = []
  const problems: string[] = []
  return {
    /** @param item one that is not deleted */
    take(item: Item): void {
      if (item.kind === 'notification') notifications.push(JSON.parse(documentOf(item)))
      if (item.kind !== 'workbook' || item.dashboardId === undefined) return
      const { id, deploymentId, publishedDashboard } = JSON.parse(documentOf(item)) as Workbook
      const dashboard = publishedDashboard as Dashboard
      dashboards.add(dashboard.id)
      workbooksByPublicId.set(dashboard.publicId, [...(workbooksByPublicId.get(dashboard.publicId) ?? []), id])
      if (dashboard.workbookId === id && dashboard.deploymentId === deploymentId) return
      problems.push(
        `Dashboard ${dashboard.id} of workbook ${id} says that it is of workbook ${dashboard.workbookId} of deployment ${dashboard.deploymentId}.`,
      )
    },
    problems: (): string[] => [
      ...problems,
      ...[...workbooksByPublicId].flatMap(([publicId, ids]) =>
        ids.length > 1 ? [`Workbooks ${ids.join(', ')} have dashboards of one public id, ${quoted(publicId)}.`] : [],
      ),
      ...notifications.flatMap((each) => notificationProblems(each, dashboards)),
    ],
  }
}

function notificationProblems(
  { id, dashboardId, cronExpression, timezone }: Notification,
  dashboards: ReadonlySet<number>,
): string[] {
  const problems: string[] = []
  const say = (what: string) => problems.push(`Notification ${id} ${what}.`)
  if (dashboardId !== undefined && !dashboards.has(dashboardId)) {
    say(`refers to dashboard ${dashboardId}, which no workbook publishes`)
  }
  if (cronExpression !== undefined && !isCron(cronExpression)) {
    say(`has a cron expression that can't be: ${quoted(cronExpression)}`)
  }
  if (timezone !== undefined && !isTimeZone(timezone)) say(`has a time zone that is not known: ${quoted(timezone)}`)
  return problems
}

/** What each field may be: minutes, hours, days of the month, months, days of the week. */
const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

/** Whether a cron expression of five fields can be. Schedulers have forms of their own for more fields: those pass. */
function isCron(expression: string): boolean {
  const fields = expression.trim().split(/\s+/)
  if (fields.length > ranges.length) return fields.length <= 7
  return (
    fields.length === ranges.length &&
    ranges.every(([least, most], index) => isField(fields[index] as string, least, most))
  )
}

/** @example isField('1-5,0/15', 0, 59) // true */
const isField = (field: string, least: number, most: number): boolean =>
  field.split(',').every((part) => {
    const numbers = (part.match(/\d+/g) ?? []).map(Number)
    const [from = least, to = most] = numbers
    const hasForm = /^(\*|\?|L|\d+|[a-z]{3})(-(\d+|[a-z]{3}))?(\/[1-9]\d*)?(L|W|#[1-5])?$/i.test(part)
    if (/[/#]/.test(part)) numbers.pop()
    return hasForm && numbers.every((each) => each >= least && each <= most) && (!/^\d+-\d+/.test(part) || from <= to)
  })
