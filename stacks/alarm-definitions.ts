import { type MetricName, metricNamespace } from '../functions/runtime/metrics.ts'
import type { Alarm, Metric } from './alarm.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import type { CountedMetrics } from './metrics.ts'

/** An alarm and its name. */
export type Named = readonly [name: string, alarm: Alarm]

export function requestAlarms(gateway: sst.aws.ApiGatewayV2, { namespace, names }: CountedMetrics): Named[] {
  const requests = (metricName: string): Metric =>
    gateway.nodes.api.id.apply((ApiId) => ({ namespace: 'AWS/ApiGateway', metricName, dimensions: { ApiId } }))
  const own = (key: keyof CountedMetrics['names']): Metric => ({ namespace, metricName: names[key], dimensions: {} })
  const failedOfAll = [
    { id: 'failed', metric: requests('5xx'), stat: 'Sum' },
    { id: 'all', metric: requests('Count'), stat: 'Sum' },
  ]
  return [
    [
      'FailedRequests',
      {
        description: 'More than 1 % of the requests fail (5xx), and at least 5 a minute.',
        heading: 'Failed requests',
        metrics: failedOfAll,
        expression: 'IF(failed >= 5, 100 * failed / all, 0)',
        threshold: 1,
        measurements: [3, 5],
      },
    ],
    [
      'AllRequestsFail',
      {
        description: 'There are few requests, and all of them fail (5xx).',
        heading: 'Failed requests',
        metrics: failedOfAll,
        expression: 'IF(failed > 0 AND failed == all, 1, 0)',
        threshold: 0,
        period: 300,
        measurements: [2, 3],
      },
    ],
    [
      'SlowRequests',
      {
        description: 'One request in a hundred takes longer than 2 seconds.',
        heading: 'Slow requests',
        metrics: [{ id: 'p99', metric: requests('Latency'), stat: 'p99' }],
        expression: 'p99',
        threshold: 2000,
        measurements: [5, 5],
      },
    ],
    [
      'RefusedRedemptions',
      {
        description: 'More than half of the redemptions are refused (401), and at least 20 in five minutes.',
        heading: 'Refused redemptions',
        metrics: [
          { id: 'refused', metric: own('redemptionsRefused'), stat: 'Sum' },
          { id: 'redeemed', metric: own('sessionsRedeemed'), stat: 'Sum' },
        ],
        expression: 'IF(refused >= 20, 100 * refused / (refused + redeemed), 0)',
        threshold: 50,
        period: 300,
        measurements: [2, 3],
      },
    ],
    [
      'ThrottledRequests',
      {
        description: 'API Gateway refuses requests over the limits (429), more than 10 a minute.',
        heading: 'Throttled',
        metrics: [{ id: 'throttled', metric: own('throttledRequests'), stat: 'Sum' }],
        expression: 'throttled',
        threshold: 10,
        measurements: [3, 5],
      },
    ],
    [
      'AuthorizerFailures',
      {
        description: 'The authorizer fails instead of deciding, and callers get 500. Refused credentials do not count.',
        heading: 'Authorizer failures',
        metrics: [{ id: 'failures', metric: own('authorizerFailures'), stat: 'Sum' }],
        expression: 'failures',
        threshold: 0,
        measurements: [2, 5],
      },
    ],
  ]
}

/** Changes that were refused in a minute: so many are no single mistake, but a producer that has changed its format. */
const manyRefused = 10

export function catalogAlarms({ changes, dead }: CatalogQueues, url: $util.Output<string>): Named[] {
  const ofQueue = ({ name }: aws.sqs.Queue, metricName: string): Metric =>
    name.apply((QueueName) => ({ namespace: 'AWS/SQS', metricName, dimensions: { QueueName } }))
  return [
    [
      'CatalogBehind',
      {
        description: 'The oldest catalog change has waited for more than five minutes.',
        heading: 'Catalog behind',
        metrics: [{ id: 'age', metric: ofQueue(changes, 'ApproximateAgeOfOldestMessage'), stat: 'Maximum' }],
        expression: 'age',
        threshold: 300,
        measurements: [3, 5],
      },
    ],
    [
      'DeadCatalogChanges',
      {
        description: 'Catalog changes could not be applied, and lie in the queue of dead letters.',
        heading: 'Dead letters',
        metrics: [{ id: 'dead', metric: ofQueue(dead, 'ApproximateNumberOfMessagesVisible'), stat: 'Maximum' }],
        expression: 'dead',
        threshold: 0,
        measurements: [1, 5],
      },
    ],
    [
      'RefusedCatalogChanges',
      {
        description: `More than ${manyRefused} catalog changes a minute are refused.`,
        heading: 'Dead letters',
        metrics: [{ id: 'refused', metric: ofStage(url, 'changesRefused'), stat: 'Sum' }],
        expression: 'refused',
        threshold: manyRefused,
        measurements: [2, 5],
      },
    ],
  ]
}

/**
 * Throttling of every function and table of the account in this region, each on its own: an alarm over a query that groups
 * tells of each group. A query can't name several tables, since its conditions are joined by AND alone:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-querylanguage.html
 */
export const throttlingAlarms: readonly Named[] = [
  [
    'ThrottledFunctions',
    {
      description: "Lambda refuses to run a function: the account's concurrency is used up.",
      heading: 'Throttled',
      ...everyone('Throttles', 'SCHEMA("AWS/Lambda", FunctionName)', 'FunctionName'),
      measurements: [1, 5],
    },
  ],
  // Without a SCHEMA the metrics of a table's indexes are in its group. A throttled index throttles writes to its table.
  ...['Read', 'Write'].map(
    (direction): Named => [
      `Throttled${direction}s`,
      {
        description: `DynamoDB throttles ${direction.toLowerCase()}s of a table or of one of its indexes.`,
        heading: 'Throttled',
        ...everyone(`${direction}ThrottleEvents`, '"AWS/DynamoDB"', 'TableName'),
        measurements: [3, 5],
      },
    ],
  ),
]

function everyone(metric: string, from: string, by: string) {
  const expression = `SELECT SUM(${metric}) FROM ${from} GROUP BY ${by} ORDER BY SUM() DESC`
  return { metrics: [], expression, threshold: 0 }
}

/** Percent of the account's concurrency. Beyond it is time to ask AWS for more. */
const muchConcurrency = 80

/** @param limit executions that the account may have at once in this region */
export const concurrencyAlarm = (limit: number): Named => [
  'Concurrency',
  {
    description: `More than ${muchConcurrency} % of the account's concurrent executions are taken.`,
    heading: 'Throttled',
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html
    metrics: [
      {
        id: 'taken',
        metric: { namespace: 'AWS/Lambda', metricName: 'ClaimedAccountConcurrency', dimensions: {} },
        stat: 'Maximum',
      },
    ],
    expression: 'taken',
    threshold: (muchConcurrency / 100) * limit,
    measurements: [3, 5],
  },
]

/**
 * GitHub stops the schedules of a public repository, that of the rotation too, after 60 days without activity:
 * https://docs.github.com/en/actions/how-tos/manage-workflow-runs/disable-and-enable-a-workflow
 */
export const keyAgeAlarm = (url: $util.Output<string>, maxDays: number): Named => [
  'SigningKeyAge',
  {
    description: `The active signing key signs for more than ${maxDays} days.`,
    heading: 'Old signing key',
    metrics: [{ id: 'days', metric: ofStage(url, 'signingKeyDays'), stat: 'Maximum' }],
    expression: 'days',
    threshold: maxDays,
    period: 86_400,
    measurements: [1, 1],
  },
]

const ofStage = (url: $util.Output<string>, metricName: MetricName): Metric =>
  url.apply((issuer) => ({ namespace: metricNamespace, metricName, dimensions: { issuer } }))
