import { type OperationId, operations, routes } from '../functions/operations/operations.ts'
import { type MetricName, metricNamespace } from '../functions/runtime/metrics.ts'
import type { Alarm, Budget, EventAlarm, Metric } from './alarm.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import { type CountedMetric, countedNamespace } from './metrics.ts'

const metric = (namespace: string, metricName: string, dimensions: Metric['dimensions'], stat = 'Sum'): Metric => ({
  namespace,
  metricName,
  dimensions,
  stat,
})

const counted = (name: CountedMetric) => metric(countedNamespace(), name, {})

const ofStage = (issuer: $util.Input<string>, name: MetricName, stat?: string) =>
  metric(metricNamespace, name, { issuer }, stat)

/** @param ApiId id of the API Gateway */
export const requestAlarms = (ApiId: $util.Input<string>): Readonly<Record<string, Alarm>> => ({
  FailedRequests: {
    description: 'More than 1 % of the requests fail (5xx), and at least 5 a minute.',
    heading: 'Failed requests',
    metrics: failedOfAll({ ApiId }),
    expression: 'IF(failed >= 5, 100 * failed / all, 0)',
    threshold: 1,
    measurements: [3, 5],
  },
  AllRequestsFail: {
    description: 'There are few requests, and all of them fail (5xx).',
    heading: 'Failed requests',
    metrics: failedOfAll({ ApiId }),
    expression: 'IF(failed > 0 AND failed == all, 1, 0)',
    threshold: 0,
    period: 300,
    measurements: [2, 3],
  },
  SlowRequests: {
    description: 'One request in a hundred takes longer than 2 seconds.',
    heading: 'Slow requests',
    metrics: { p99: metric('AWS/ApiGateway', 'Latency', { ApiId }, 'p99') },
    threshold: 2000,
    measurements: [5, 5],
  },
  RefusedRedemptions: {
    description: 'More than half of the redemptions are refused (401), and at least 20 in five minutes.',
    heading: 'Refused redemptions',
    metrics: { refused: counted('RedemptionsRefused'), redeemed: counted('SessionsRedeemed') },
    expression: 'IF(refused >= 20, 100 * refused / (refused + redeemed), 0)',
    threshold: 50,
    period: 300,
    measurements: [2, 3],
  },
  ThrottledRequests: {
    description: 'API Gateway refuses requests over the limits (429), more than 10 a minute.',
    heading: 'Throttled',
    metrics: { throttled: counted('ThrottledRequests') },
    threshold: 10,
    measurements: [3, 5],
  },
  AuthorizerFailures: {
    description: 'The authorizer fails instead of deciding, and callers get 500. Refused credentials do not count.',
    heading: 'Authorizer failures',
    metrics: { failures: counted('AuthorizerFailures') },
    threshold: 0,
    measurements: [2, 5],
  },
})

const failedOfAll = (dimensions: Metric['dimensions']) => ({
  failed: metric('AWS/ApiGateway', '5xx', dimensions),
  all: metric('AWS/ApiGateway', 'Count', dimensions),
})

/** Changes that were refused in a minute: so many are no single mistake, but a producer that has changed its format. */
const manyRefused = 10

export function catalogAlarms({ changes, dead }: CatalogQueues, url: $util.Input<string>): Record<string, Alarm> {
  const ofQueue = ({ name }: aws.sqs.Queue, metricName: string) =>
    metric('AWS/SQS', metricName, { QueueName: name }, 'Maximum')
  return {
    CatalogBehind: {
      description: 'The oldest catalog change has waited for more than five minutes.',
      heading: 'Catalog behind',
      metrics: { age: ofQueue(changes, 'ApproximateAgeOfOldestMessage') },
      threshold: 300,
      measurements: [3, 5],
    },
    DeadCatalogChanges: {
      description: 'Catalog changes could not be applied, and lie in the queue of dead letters.',
      heading: 'Dead letters',
      metrics: { dead: ofQueue(dead, 'ApproximateNumberOfMessagesVisible') },
      threshold: 0,
      measurements: [1, 5],
    },
    RefusedCatalogChanges: {
      description: `More than ${manyRefused} catalog changes a minute are refused.`,
      heading: 'Dead letters',
      metrics: { refused: ofStage(url, 'changesRefused') },
      threshold: manyRefused,
      measurements: [2, 5],
    },
  }
}

/**
 * Throttling of every function and table of the account in this region, each on its own: an alarm over a query that groups
 * tells of each group. A query can't name several tables, since its conditions are joined by AND alone:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-querylanguage.html
 */
const throttled = (description: string, metric: string, from: string, by: string, above: 1 | 3): Alarm => ({
  description,
  heading: 'Throttled',
  expression: `SELECT SUM(${metric}) FROM ${from} GROUP BY ${by} ORDER BY SUM() DESC`,
  threshold: 0,
  measurements: [above, 5],
})

// Without a SCHEMA the metrics of a table's indexes are in its group. A throttled index throttles writes to its table.
const throttledTable = (direction: 'Read' | 'Write') => {
  const description = `DynamoDB throttles ${direction.toLowerCase()}s of a table or of one of its indexes.`
  return throttled(description, `${direction}ThrottleEvents`, '"AWS/DynamoDB"', 'TableName', 3)
}

/** Percent of the account's concurrency. Beyond it is time to ask AWS for more. */
const muchConcurrency = 80

/** @param concurrency executions that the account may have at once in this region */
export const accountAlarms = (concurrency: number): Readonly<Record<string, Alarm>> => ({
  ThrottledFunctions: throttled(
    "Lambda refuses to run a function: the account's concurrency is used up.",
    'Throttles',
    'SCHEMA("AWS/Lambda", FunctionName)',
    'FunctionName',
    1,
  ),
  ThrottledReads: throttledTable('Read'),
  ThrottledWrites: throttledTable('Write'),
  Concurrency: {
    description: `More than ${muchConcurrency} % of the account's concurrent executions are taken.`,
    heading: 'Throttled',
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html
    metrics: { taken: metric('AWS/Lambda', 'ClaimedAccountConcurrency', {}, 'Maximum') },
    threshold: (muchConcurrency / 100) * concurrency,
    measurements: [3, 5],
  },
})

/**
 * GitHub stops the schedules of a public repository, that of the rotation too, after 60 days without activity:
 * https://docs.github.com/en/actions/how-tos/manage-workflow-runs/disable-and-enable-a-workflow
 */
export const keyAgeAlarm = (url: $util.Input<string>, maxDays: number): Alarm => ({
  description: `The active signing key signs for more than ${maxDays} days.`,
  heading: 'Old signing key',
  metrics: { days: ofStage(url, 'signingKeyDays', 'Maximum') },
  threshold: maxDays,
  period: 86_400,
  measurements: [1, 1],
})

/** At this rate the month's budget of failures lasts two days (Google's SRE workbook, "Alerting on SLOs"). */
const burnRate = 14.4

/** Of exchanges, percent that may fail. */
const failedExchanges = 0.1

/** Of pages of lists, percent that may take longer than {@link slowPage} milliseconds: their p99. */
const slowPages = 1
const slowPage = 2000

const lists = routes.filter(({ id }) => id.startsWith('list-')).map(({ id }) => id)

/** @param ApiId id of the API Gateway */
export function budgets(ApiId: $util.Input<string>): Readonly<Record<string, Budget>> {
  const ofRoute = (id: OperationId) => {
    return { ApiId, Stage: '$default', Method: operations[id].method, Resource: operations[id].path }
  }
  const slow = lists.map((id, index) => {
    return [`slow${index}`, metric('AWS/ApiGateway', 'Latency', ofRoute(id), `PR(${slowPage}:)`)]
  })
  return {
    ExchangeBudget: {
      description: `Exchanges fail so often that the month's ${failedExchanges} % are used up within two days.`,
      heading: 'Budgets',
      metrics: failedOfAll(ofRoute('exchange-session')),
      expression: 'IF(failed >= 2, 100 * failed / all, 0)',
      threshold: burnRate * failedExchanges,
    },
    ListsBudget: {
      description: `Pages of lists take longer than ${slowPage} ms so often that the month's ${slowPages} % are used up within two days.`,
      heading: 'Budgets',
      metrics: Object.fromEntries(slow),
      expression: 'MAX(METRICS())',
      threshold: burnRate * slowPages,
    },
  }
}

/** @param signingKey ARN of the KMS key that encrypts the signing keys */
export const eventAlarms = (signingKey: string): Readonly<Record<string, EventAlarm>> => ({
  // KMS sends no event of its own when a key is disabled. CloudTrail does, where the account has a trail:
  // https://docs.aws.amazon.com/prescriptive-guidance/latest/patterns/get-amazon-sns-notifications-when-the-key-state-of-an-aws-kms-key-changes.html
  SigningKeyAtRisk: {
    description: 'The KMS key of the signing keys was disabled, or is about to be deleted.',
    heading: 'Rotation gone wrong',
    pattern: {
      source: ['aws.kms'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: { eventName: ['DisableKey', 'ScheduleKeyDeletion'], resources: { ARN: [signingKey] } },
    },
  },
  // https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html
  FailedBackup: {
    description: 'A table was not backed up, or its copy did not reach the other account.',
    heading: 'Failed backup',
    pattern: {
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED'],
        resourceArn: [{ wildcard: `arn:aws:dynamodb:*:table/${$app.name}-${$app.stage}-*` }],
      },
    },
  },
})
