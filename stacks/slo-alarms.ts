import { type OperationId, operations, routes } from '../functions/operations/operations.ts'
import { type Alarm, type AlarmTarget, alarm, alarmName, described, type Metric } from './alarm.ts'

/**
 * What the service promises for a month, and how fast the promise may be used up. At this rate its budget of failures lasts
 * two days (Google's SRE workbook, "Alerting on SLOs").
 */
const burnRate = 14.4

/** Of exchanges, percent that may fail. */
const failedExchanges = 0.1

/** Of pages of lists, percent that may take longer than {@link slowPage}: their p99. */
const slowPages = 1

/** In milliseconds. */
const slowPage = 2000

const lists = routes.filter(({ id }) => id.startsWith('list-')).map(({ id }) => id)

/** Alarms that ring when the month's budget goes too fast: over an hour, and still within the last five minutes. */
export function sloAlarms(gateway: sst.aws.ApiGatewayV2, target: AlarmTarget): void {
  const ofRoute = (id: OperationId, metricName: string): Metric =>
    gateway.nodes.api.id.apply((ApiId) => ({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensions: { ApiId, Stage: '$default', Method: operations[id].method, Resource: operations[id].path },
    }))

  sloAlarm('ExchangeBudget', target, {
    description: `Exchanges fail so often that the month's ${failedExchanges} % are used up within two days.`,
    heading: 'Budgets',
    metrics: [
      { id: 'failed', metric: ofRoute('exchange-session', '5xx'), stat: 'Sum' },
      { id: 'all', metric: ofRoute('exchange-session', 'Count'), stat: 'Sum' },
    ],
    expression: 'IF(failed >= 2, 100 * failed / all, 0)',
    threshold: burnRate * failedExchanges,
  })
  sloAlarm('ListsBudget', target, {
    description: `Pages of lists take longer than ${slowPage} ms so often that the month's ${slowPages} % are used up within two days.`,
    heading: 'Budgets',
    metrics: lists.map((id, index) => ({
      id: `slow${index}`,
      metric: ofRoute(id, 'Latency'),
      stat: `PR(${slowPage}:)`,
    })),
    expression: 'MAX(METRICS())',
    threshold: burnRate * slowPages,
  })
}

function sloAlarm(
  name: string,
  { topics, runbook }: AlarmTarget,
  budget: Omit<Alarm, 'period' | 'measurements'>,
): void {
  const parts = [
    alarm(`${name}Hour`, { topics: [], runbook }, { ...budget, period: 3600, measurements: [1, 1] }),
    alarm(`${name}Minutes`, { topics: [], runbook }, { ...budget, period: 300, measurements: [1, 1] }),
  ]
  new aws.cloudwatch.CompositeAlarm(`${name}Alarm`, {
    alarmName: alarmName(name),
    alarmDescription: described(budget.description, budget.heading, runbook),
    alarmRule: $util
      .all(parts.map(({ name }) => name))
      .apply((names) => names.map((name) => `ALARM("${name}")`).join(' AND ')),
    alarmActions: [...topics],
    okActions: [...topics],
  })
}
