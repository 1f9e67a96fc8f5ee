import { deployed } from '../functions/operations/deployed.ts'
import type { Api } from './api.ts'
import { componentName, type Functions } from './functions.ts'
import type { CountedMetrics } from './metrics.ts'
import type { Settings } from './settings.ts'
import type { Tables } from './tables.ts'

type Metric = $util.Input<{
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: Readonly<Record<string, string>>
}>

/** An alarm over a sum of metrics, or over an expression of them. */
type Alarm = {
  readonly description: string
  readonly metrics: readonly { readonly id: string; readonly metric: Metric; readonly stat: string }[]
  readonly expression: string
  readonly threshold: number
  /** How many of the last five minutes must be above the threshold. */
  readonly minutes: number
}

/** Alarms for everything that somebody must be woken for. All go to one topic. */
export function alarms(
  { gateway }: Api,
  functions: Functions,
  tables: Tables,
  counted: CountedMetrics,
  { alarmEmail }: Settings,
): void {
  const topic = new aws.sns.Topic('Alarms', {
    name: `${$app.name}-${$app.stage}-alarms`,
    displayName: `${$app.name} ${$app.stage}`,
  })
  if (alarmEmail) {
    new aws.sns.TopicSubscription('AlarmEmail', { topic: topic.arn, protocol: 'email', endpoint: alarmEmail })
  }
  const requests = (metricName: string): Metric =>
    gateway.nodes.api.id.apply((ApiId) => ({ namespace: 'AWS/ApiGateway', metricName, dimensions: { ApiId } }))

  alarm('FailedRequests', topic, {
    description: 'More than 1 % of the requests fail (5xx), and at least 5 a minute.',
    metrics: [
      { id: 'failed', metric: requests('5xx'), stat: 'Sum' },
      { id: 'all', metric: requests('Count'), stat: 'Sum' },
    ],
    expression: 'IF(failed >= 5, 100 * failed / all, 0)',
    threshold: 1,
    minutes: 3,
  })
  alarm('SlowRequests', topic, {
    description: 'One request in a hundred takes longer than 2 seconds.',
    metrics: [{ id: 'p99', metric: requests('Latency'), stat: 'p99' }],
    expression: 'p99',
    threshold: 2000,
    minutes: 5,
  })
  for (const [name, { name: physical }] of Object.entries(functions)) {
    const throttles = physical.apply((FunctionName) => ({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      dimensions: { FunctionName },
    }))
    alarm(`Throttled${componentName(name)}`, topic, {
      description: `Lambda refuses to run ${name}: concurrency is used up.`,
      metrics: [{ id: 'throttles', metric: throttles, stat: 'Sum' }],
      expression: 'throttles',
      threshold: 0,
      minutes: 1,
    })
  }
  for (const table of Object.keys(tables) as (keyof Tables)[]) {
    const { name } = tables[table]
    alarm(`Throttled${componentName(table)}Table`, topic, {
      description: `DynamoDB refuses requests to the table ${table}, or to one of its indexes.`,
      metrics: operationsOn(table).map((Operation, index) => ({
        id: `throttled${index}`,
        metric: $util.output(name).apply((TableName) => ({
          namespace: 'AWS/DynamoDB',
          metricName: 'ThrottledRequests',
          dimensions: { TableName, Operation },
        })),
        stat: 'Sum',
      })),
      expression: 'SUM(METRICS())',
      threshold: 0,
      minutes: 3,
    })
  }
  alarm('AuthorizerFailures', topic, {
    description: 'The authorizer fails instead of deciding: callers get 500. Refused credentials do not count.',
    metrics: [
      {
        id: 'failures',
        metric: { namespace: counted.namespace, metricName: counted.names.authorizerFailures, dimensions: {} },
        stat: 'Sum',
      },
    ],
    expression: 'failures',
    threshold: 0,
    minutes: 2,
  })
}

/** DynamoDB counts throttled requests by operation. A put may also be part of a transaction. */
function operationsOn(table: keyof Tables): string[] {
  const used = Object.values(deployed)
    .flatMap(({ tables }) => tables)
    .filter((permission) => permission.table === table)
    .flatMap(({ reads = [], narrowReads = {}, writes = {}, indexes = [] }) => [
      ...reads,
      ...Object.keys(narrowReads),
      ...Object.keys(writes),
      ...(indexes.length > 0 ? ['Query'] : []),
    ])
  return [...new Set([...used, ...(used.includes('PutItem') ? ['TransactWriteItems'] : [])])]
}

function alarm(name: string, topic: aws.sns.Topic, { description, metrics, expression, threshold, minutes }: Alarm) {
  const result = metrics.length === 1 && expression === metrics[0]?.id
  return new aws.cloudwatch.MetricAlarm(`${name}Alarm`, {
    name: `${$app.name}-${$app.stage}-${name}`,
    alarmDescription: description,
    metricQueries: [
      ...metrics.map(({ id, metric, stat }) => ({
        id,
        metric: $util.output(metric).apply((metric) => ({ ...metric, period: 60, stat })),
        returnData: result,
      })),
      ...(result ? [] : [{ id: 'result', expression, label: name, returnData: true }]),
    ],
    comparisonOperator: 'GreaterThanThreshold',
    threshold,
    evaluationPeriods: 5,
    datapointsToAlarm: minutes,
    treatMissingData: 'notBreaching',
    alarmActions: [topic.arn],
    okActions: [topic.arn],
  })
}
