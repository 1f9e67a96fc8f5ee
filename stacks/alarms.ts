import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { metricNamespace } from '../functions/runtime/metrics.ts'
import { type Alarm, alarm, type Metric } from './alarm.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import { componentName, type Functions } from './functions.ts'
import { heartbeat } from './heartbeat.ts'
import type { CountedMetrics } from './metrics.ts'
import type { Settings } from './settings.ts'
import { sloAlarms } from './slo-alarms.ts'
import type { Tables } from './tables.ts'

/** Alarms for everything that somebody must be woken for. Each names its paragraph in the runbook. */
export function alarms(
  gateway: sst.aws.ApiGatewayV2,
  functions: Functions,
  tables: Tables,
  queues: CatalogQueues,
  counted: CountedMetrics,
  url: $util.Output<string>,
  { alarmEmail, runbook }: Settings,
): void {
  const topic = new aws.sns.Topic('Alarms', {
    name: `${$app.name}-${$app.stage}-alarms`,
    displayName: `${$app.name} ${$app.stage}`,
  })
  if (alarmEmail) {
    new aws.sns.TopicSubscription('AlarmEmail', { topic: topic.arn, protocol: 'email', endpoint: alarmEmail })
  }
  const target = { topics: [topic.arn], runbook }
  const all = [
    ...requestAlarms(gateway, counted),
    ...functionAlarms(functions),
    ...tableAlarms(tables),
    ...catalogAlarms(queues, url),
  ]
  for (const [name, definition] of all) alarm(name, target, definition)
  sloAlarms(gateway, target)
  heartbeat(url, alarmEmail, runbook)
}

type Named = readonly [name: string, alarm: Alarm]

function requestAlarms(gateway: sst.aws.ApiGatewayV2, { namespace, names }: CountedMetrics): Named[] {
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

const functionAlarms = (functions: Functions): Named[] =>
  Object.entries(functions).map(([name, { name: physical }]) => [
    `Throttled${componentName(name)}`,
    {
      description: `Lambda refuses to run ${name}: the account's concurrency is used up.`,
      heading: 'Throttled',
      metrics: [
        {
          id: 'throttles',
          metric: physical.apply((FunctionName) => ({
            namespace: 'AWS/Lambda',
            metricName: 'Throttles',
            dimensions: { FunctionName },
          })),
          stat: 'Sum',
        },
      ],
      expression: 'throttles',
      threshold: 0,
      measurements: [1, 5],
    },
  ])

/** One for each table, and one for each index, since an index that is throttled on writing throttles its table. */
const tableAlarms = (tables: Tables): Named[] =>
  (Object.keys(tables) as (keyof Tables)[]).flatMap((table) =>
    [undefined, ...tableDefinitions[table].indexes.map(({ name }) => name)].map((index): Named => {
      const throttled = (metricName: string): Metric =>
        $util.output(tables[table].name).apply((TableName) => ({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensions: { TableName, ...(index !== undefined && { GlobalSecondaryIndexName: index }) } as Readonly<
            Record<string, string>
          >,
        }))
      return [
        `Throttled${componentName(table)}${index === undefined ? 'Table' : componentName(index)}`,
        {
          description: `DynamoDB throttles the ${index === undefined ? `table ${table}` : `index ${index} of ${table}`}.`,
          heading: 'Throttled',
          metrics: [
            { id: 'reads', metric: throttled('ReadThrottleEvents'), stat: 'Sum' },
            { id: 'writes', metric: throttled('WriteThrottleEvents'), stat: 'Sum' },
          ],
          expression: 'SUM(METRICS())',
          threshold: 0,
          measurements: [3, 5],
        },
      ]
    }),
  )

/** Changes that were refused in a minute: so many are no single mistake, but a producer that has changed its format. */
const manyRefused = 10

function catalogAlarms({ changes, dead }: CatalogQueues, url: $util.Output<string>): Named[] {
  const ofQueue = ({ name }: aws.sqs.Queue, metricName: string): Metric =>
    name.apply((QueueName) => ({ namespace: 'AWS/SQS', metricName, dimensions: { QueueName } }))
  const refused = url.apply((issuer) => ({
    namespace: metricNamespace,
    metricName: 'changesRefused',
    dimensions: { issuer },
  }))
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
        metrics: [{ id: 'refused', metric: refused, stat: 'Sum' }],
        expression: 'refused',
        threshold: manyRefused,
        measurements: [2, 5],
      },
    ],
  ]
}
