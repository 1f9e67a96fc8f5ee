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
type Workbook = { readonly id: number; readonly deploymentId: number; readonly publishedDashboard: Dashboard }
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
  const published: { readonly workbookId: number; readonly dashboardId: number; readonly publicId: string }[] = []
  const notifications: Notification[] = []
  const problems: string[] = []
  return {
    /** @param item one that is not deleted */
    take(item: Item): void {
      if (item.kind === 'notification') notifications.push(JSON.parse(documentOf(item)))
      if (item.kind !== 'workbook' || item.dashboardId === undefined) return
      const { id: workbookId, deploymentId, publishedDashboard: dashboard }: Workbook = JSON.parse(documentOf(item))
      const { id: dashboardId, publicId } = dashboard
      published.push({ workbookId, dashboardId, publicId })
      if (dashboard.workbookId === workbookId && dashboard.deploymentId === deploymentId) return
      const place = `workbook ${dashboard.workbookId} of deployment ${dashboard.deploymentId}`
      problems.push(`Dashboard ${dashboardId} of workbook ${workbookId} says that it is of ${place}.`)
    },
    problems(): string[] {
      const dashboardIds = new Set(published.map(({ dashboardId }) => dashboardId))
      return [
        ...problems,
        ...[...Map.groupBy(published, ({ publicId }) => publicId)]
          .filter(([, all]) => all.length > 1)
          .map(
            ([publicId, all]) =>
              `Workbooks ${all.map(({ workbookId }) => workbookId).join(', ')} have dashboards of one public id, ${quoted(publicId)}.`,
          ),
        ...notifications.flatMap((each) => notificationProblems(each, dashboardIds)),
      ]
    },
  }
}

function notificationProblems(
  { id, dashboardId, cronExpression = '* * * * *', timezone = 'UTC' }: Notification,
  dashboardIds: ReadonlySet<number>,
): string[] {
  const isUnpublished = dashboardId !== undefined && !dashboardIds.has(dashboardId)
  return [
    ...(isUnpublished ? [`refers to dashboard ${dashboardId}, which no workbook publishes`] : []),
    ...(isCron(cronExpression) ? [] : [`has a cron expression that can't be: ${quoted(cronExpression)}`]),
    ...(isTimeZone(timezone) ? [] : [`has a time zone that is not known: ${quoted(timezone)}`]),
  ].map((what) => `Notification ${id} ${what}.`)
}

/** The largest number of each field: minutes, hours, days of the month, months, days of the week. */
const largest = [59, 23, 31, 12, 7]

/** Whether a cron expression of five fields can be. Schedulers have forms of their own for six or seven: those pass. */
function isCron(expression: string): boolean {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== largest.length) return fields.length === 6 || fields.length === 7
  return fields.every((field, index) => {
    const numbers = (field.match(/\d+/g) ?? []).map(Number)
    return /^[\w*?,/#-]+$/.test(field) && numbers.every((number) => number <= (largest[index] as number))
  })
}
