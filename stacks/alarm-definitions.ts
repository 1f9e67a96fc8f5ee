import { isList, type OperationId, operations, routes } from '../functions/operations/operations.ts'
import { type MetricName, metricNamespace } from '../functions/runtime/metrics.ts'
import type { Alarm, Budget, Burn, Dimensions, EventAlarm } from './alarm.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import { type CountedMetric, countedNamespace } from './metrics.ts'
import { restoreTestName } from './names.ts'
import { nameOf } from './stage-names.ts'

type Alarms = Record<string, Alarm>

const metric = (namespace: string, metricName: string, dimensions: Dimensions, stat = 'Sum') => {
  return { namespace, metricName, dimensions, stat }
}

const failedOfAll = (dimensions: Dimensions) => ({
  failed: metric('AWS/ApiGateway', '5xx', dimensions),
  all: metric('AWS/ApiGateway', 'Count', dimensions),
})

export function requestAlarms(ApiId: $util.Input<string>): Alarms {
  const counted = (name: CountedMetric) => metric(countedNamespace(), name, {})
  return {
    FailedRequests: {
      description: 'More than 1 % of the requests fail (5xx), and at least 5 a minute.',
      heading: 'failed-requests',
      wakes: true,
      metrics: failedOfAll({ ApiId }),
      expression: 'IF(failed >= 5, 100 * failed / all, 0)',
      rings: { above: 1, in: [3, 5] },
    },
    AllRequestsFail: {
      description: 'Requests fail (5xx), and none of an API key, a token or a session succeeds.',
      heading: 'failed-requests',
      wakes: true,
      metrics: { failed: counted('CallersFailures'), good: counted('CallersSuccesses') },
      expression: 'IF(failed > 0 AND good == 0, 1, 0)',
      rings: { above: 0, in: [2, 3], period: 300 },
    },
    // A route with few calls fails too seldom for the two alarms above.
    FailingRoute: {
      description: 'A route has answered 5xx in half of the last hour.',
      heading: 'failed-requests',
      expression: sumBy('RouteKey', 'RouteFailures', `SCHEMA("${countedNamespace()}", RouteKey)`),
      rings: { above: 0, in: [6, 12], period: 300 },
    },
    SlowRequests: {
      description: 'One request in a hundred takes longer than 2 seconds.',
      heading: 'slow-requests',
      metrics: { p99: metric('AWS/ApiGateway', 'Latency', { ApiId }, 'p99') },
      rings: { above: 2000, in: [5, 5] },
    },
    RefusedRedemptions: {
      description:
        'More than half of the redemptions are refused (401), and at least 20 in five minutes.',
      heading: 'refused-redemptions',
      metrics: { refused: counted('RedemptionsRefused'), redeemed: counted('SessionsRedeemed') },
      expression: 'IF(refused >= 20, 100 * refused / (refused + redeemed), 0)',
      rings: { above: 50, in: [2, 3], period: 300 },
    },
    ThrottledRequests: {
      description: 'API Gateway refuses requests over the limits (429), more than 10 a minute.',
      heading: 'throttled',
      metrics: { throttled: counted('ThrottledRequests') },
      rings: { above: 10, in: [3, 5] },
    },
    AuthorizerFailures: {
      description:
        'The authorizer fails instead of deciding, and callers get 500. Refused ' +
        'credentials do not count.',
      heading: 'authorizer-failures',
      wakes: true,
      metrics: { failures: counted('AuthorizerFailures') },
      rings: { above: 0, in: [2, 5] },
    },
  }
}

/** Alarms over the functions' own metrics and over the queues. */
export function ownAlarms(
  issuer: $util.Input<string>,
  { changes, dead }: CatalogQueues,
  maxKeyDays: number,
): Alarms {
  const own = (name: MetricName, stat?: string) => metric(metricNamespace, name, { issuer }, stat)
  const ofQueue = ({ name }: aws.sqs.Queue, metricName: string) =>
    metric('AWS/SQS', metricName, { QueueName: name }, 'Maximum')
  return {
    // GitHub stops the schedules of a public repository, such as that of the rotation, after 60
    // days without activity. A day without redemptions makes the key no younger.
    SigningKeyAge: {
      description: `The active signing key signs for more than ${maxKeyDays} days.`,
      heading: 'old-signing-key',
      metrics: { days: own('signingKeyDays', 'Maximum') },
      rings: { above: maxKeyDays, in: [1, 1], period: 86_400, stays: true },
    },
    CatalogBehind: {
      description: 'The oldest catalog change has waited for more than 5 minutes.',
      heading: 'catalog-behind',
      metrics: { age: ofQueue(changes, 'ApproximateAgeOfOldestMessage') },
      rings: { above: 300, in: [3, 5] },
    },
    DeadCatalogChanges: {
      description: 'Catalog changes could not be applied, and lie in the queue of dead letters.',
      heading: 'dead-letters',
      metrics: { dead: ofQueue(dead, 'ApproximateNumberOfMessagesVisible') },
      rings: { above: 0, in: [1, 5] },
    },
    // One mistake is never this many: a producer has changed its format.
    RefusedCatalogChanges: {
      description: 'More than 10 catalog changes a minute are refused.',
      heading: 'dead-letters',
      metrics: { refused: own('changesRefused') },
      rings: { above: 10, in: [2, 5] },
    },
  }
}

/** An alarm over this query watches each group: each function or table in account and region. */
const sumBy = (group: string, metric: string, from: string): string =>
  `SELECT SUM(${metric}) FROM ${from} GROUP BY ${group} ORDER BY SUM() DESC`

/**
 * CloudWatch Logs tries throttled deliveries again for a day. It does not repeat one that the
 * destination forbids:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/Subscriptions.html
 */
export const auditAlarms: Alarms = {
  FailedAudit: {
    description: 'Lines of the audit do not reach AUDIT_DESTINATION.',
    heading: 'failed-audit',
    expression: sumBy('LogGroupName', 'DeliveryErrors', '"AWS/Logs"'),
    rings: { above: 0, in: [1, 5] },
  },
  ThrottledAudit: {
    description: 'AUDIT_DESTINATION is throttled, and lines that wait for a day are lost.',
    heading: 'failed-audit',
    expression: sumBy('LogGroupName', 'DeliveryThrottling', '"AWS/Logs"'),
    rings: { above: 0, in: [5, 5] },
  },
}

/**
 * ACM renews a certificate 60 days before its end, unless its DNS record is gone. It measures
 * nothing any more once the certificate has ended. Nor does the heartbeat notice that: Route 53
 * does not check certificates.
 */
export const certificateAlarm = (CertificateArn: $util.Input<string>): Alarm => ({
  description: 'The certificate of the domain ends in less than 21 days.',
  heading: 'certificate-expiry',
  metrics: {
    days: metric('AWS/CertificateManager', 'DaysToExpiry', { CertificateArn }, 'Minimum'),
  },
  expression: 'IF(days < 21, 1, 0)',
  rings: { above: 0, in: [1, 1], period: 86_400, stays: true },
})

/**
 * Without a SCHEMA the metrics of a table's indexes are in its group. A throttled index throttles
 * writes to its table.
 */
const throttledTables = (access: 'Read' | 'Write'): Alarm => ({
  description: `DynamoDB throttles ${access.toLowerCase()}s of a table or of one of its indexes.`,
  heading: 'throttled',
  expression: sumBy('TableName', `${access}ThrottleEvents`, '"AWS/DynamoDB"'),
  rings: { above: 0, in: [3, 5] },
})

/** @param kept how many of the executions are kept for functions, which counts as taken at once */
export const accountAlarms = (executions: number, kept: number): Alarms => ({
  ThrottledFunctions: {
    description:
      "Lambda refuses to run a function: the account's concurrency, or its own, is used up.",
    heading: 'throttled',
    wakes: true,
    expression: sumBy('FunctionName', 'Throttles', 'SCHEMA("AWS/Lambda", FunctionName)'),
    rings: { above: 0, in: [1, 5] },
  },
  ThrottledReads: throttledTables('Read'),
  ThrottledWrites: throttledTables('Write'),
  // Time to ask AWS for more:
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html
  Concurrency: {
    description: "More than 80 % of the account's unreserved concurrent executions are taken.",
    heading: 'throttled',
    metrics: { taken: metric('AWS/Lambda', 'ClaimedAccountConcurrency', {}, 'Maximum') },
    rings: { above: kept + 0.8 * (executions - kept), in: [3, 5] },
  },
})

export const burns: readonly Burn[] = [
  { suffix: '', rate: 14.4, long: 3600, short: 300, wakes: true, lasts: 'two days' },
  { suffix: 'Slowly', rate: 6, long: 21_600, short: 1800, wakes: false, lasts: 'five days' },
]

export function budgets(ApiId: $util.Input<string>): Record<string, Budget> {
  const ofRoute = (id: OperationId) => {
    const { method: Method, path: Resource } = operations[id]
    return { ApiId, Stage: '$default', Method, Resource }
  }
  const failures = (description: string, id: OperationId): Budget => ({
    description,
    metrics: failedOfAll(ofRoute(id)),
    expression: 'IF(failed >= 2, 100 * failed / all, 0)',
    percent: 0.1,
  })
  const lists = routes.filter(isList)
  return {
    ExchangeBudget: failures('Exchanges fail', 'exchange-session'),
    SessionsBudget: failures('Generating sessions fails', 'generate-session'),
    ListsBudget: {
      description: 'Pages of lists take longer than 2000 ms',
      metrics: {
        slow: metric('AWS/ApiGateway', 'Latency', { ApiId }, 'TC(2000:)'),
        ...Object.fromEntries(
          lists.map(({ id }, index) => [
            `list${index}`,
            metric('AWS/ApiGateway', 'Latency', ofRoute(id), 'PR(2000:)'),
          ]),
        ),
      },
      // An alarm has at most ten metrics, so one number counts the slow requests of all routes.
      expression: 'IF(slow >= 2, MAX(METRICS("list")), 0)',
      percent: 1,
    },
  }
}

/** @param signingKey ARN of the KMS key that encrypts the signing keys */
export const eventAlarms = (signingKey: string): Record<string, EventAlarm> => ({
  // KMS sends no event of its own when a key is disabled. CloudTrail does, where the account has a
  // trail:
  // https://docs.aws.amazon.com/prescriptive-guidance/latest/patterns/get-amazon-sns-notifications-when-the-key-state-of-an-aws-kms-key-changes.html
  SigningKeyAtRisk: {
    description: 'The KMS key of the signing keys was disabled, or is about to be deleted.',
    heading: 'rotation-gone-wrong',
    wakes: true,
    pattern: {
      source: ['aws.kms'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [signingKey] },
      },
    },
  },
  // https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html
  FailedBackup: {
    description: 'A table was not backed up, or its copy did not reach the other account.',
    heading: 'failed-backup',
    pattern: {
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED'],
        resourceArn: [{ wildcard: `arn:aws:dynamodb:*:table/${nameOf('*')}` }],
      },
    },
  },
  // `restoreTestingPlanArn` ends with the plan's name and letters of AWS's own.
  FailedRestoreTest: {
    description: 'The monthly restore test could not restore a table from its backup.',
    heading: 'failed-restore-test',
    pattern: {
      source: ['aws.backup'],
      'detail-type': ['Restore Job State Change'],
      detail: {
        status: ['FAILED', 'ABORTED'],
        restoreTestingPlanArn: [
          { wildcard: `arn:aws:backup:*:restore-testing-plan:${restoreTestName($app.stage)}-*` },
        ],
      },
    },
  },
})
