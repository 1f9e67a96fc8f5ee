import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { arn, evaluated, type Stage, testMonitored } from './suite.ts'

type Metric = readonly [namespace: string, name: string, stat: string, dimensions: Readonly<Record<string, string>>]
type Metrics = Readonly<Record<string, Metric>>

type Alarm = {
  /** It rings when so many of the last measurements are above this. */
  readonly rings: readonly [above: number, of: number, threshold: number]
  readonly heading: string
  readonly metrics: Metrics
  /** Left out: the metric itself. */
  readonly expression?: string
  /** Seconds of a measurement. */
  readonly period?: number
  readonly silent?: boolean
}

const minute = (rings: Alarm['rings'], heading: string, metrics: Metrics, expression?: string): Alarm => ({
  rings,
  heading,
  metrics,
  ...(expression && { expression }),
})

const api = (name: string, stat = 'Sum'): Metric => ['AWS/ApiGateway', name, stat, { ApiId: 'ApiApiId' }]
const failedOfAll = { failed: api('5xx'), all: api('Count') }

const route = (id: string, name: string, stat = 'Sum'): Metric => {
  const { method, path } = routes.find((route) => route.id === id) as (typeof routes)[number]
  return ['AWS/ApiGateway', name, stat, { ApiId: 'ApiApiId', Stage: '$default', Method: method, Resource: path }]
}

/** The two windows of a budget, of which both must ring. */
const windowsOf = (name: string, threshold: number, metrics: Metrics, expression: string): Record<string, Alarm> => {
  const part = { ...minute([1, 1, threshold], 'budgets', metrics, expression), silent: true }
  return { [`${name}Hour`]: { ...part, period: 3600 }, [`${name}Minutes`]: { ...part, period: 300 } }
}

const exchange = { failed: route('exchange-session', '5xx'), all: route('exchange-session', 'Count') }
const lists = ['list-embed-tenant-workbooks', 'list-dbt-syncs', 'list-notifications', 'list-workbook-embed-access']
const slow = Object.fromEntries(lists.map((id, index) => [`slow${index}`, route(id, 'Latency', 'PR(2000:)')]))

/** An alarm over a query that tells of each function or table by itself. AWS asks for GROUP BY and ORDER BY. */
const throttled = (rings: Alarm['rings'], metric: string, from: string, by: string): Alarm =>
  minute(rings, 'throttled', {}, `SELECT SUM(${metric}) FROM ${from} GROUP BY ${by} ORDER BY SUM() DESC`)

function alarmsOf({ physical, prefix, isOwn, url }: Stage): Record<string, Alarm> {
  const own = (name: string): Metric => [`embed-access/${physical}`, name, 'Sum', {}]
  const made = (name: string, stat: string): Metric => ['EmbedAccess', name, stat, { issuer: url }]
  const queue = (name: string, suffix = ''): Metric => {
    return ['AWS/SQS', name, 'Maximum', { QueueName: `${prefix}catalog-changes${suffix}` }]
  }
  const redemptions = { refused: own('RedemptionsRefused'), redeemed: own('SessionsRedeemed') }
  const manyRefused = 'IF(refused >= 20, 100 * refused / (refused + redeemed), 0)'
  const concurrency: Metric = ['AWS/Lambda', 'ClaimedAccountConcurrency', 'Maximum', {}]
  const allFail = 'IF(failed > 0 AND failed == all, 1, 0)'
  return {
    FailedRequests: minute([3, 5, 1], 'failed-requests', failedOfAll, 'IF(failed >= 5, 100 * failed / all, 0)'),
    AllRequestsFail: { ...minute([2, 3, 0], 'failed-requests', failedOfAll, allFail), period: 300 },
    SlowRequests: minute([5, 5, 2000], 'slow-requests', { p99: api('Latency', 'p99') }),
    RefusedRedemptions: { ...minute([2, 3, 50], 'refused-redemptions', redemptions, manyRefused), period: 300 },
    ThrottledRequests: minute([3, 5, 10], 'throttled', { throttled: own('ThrottledRequests') }),
    AuthorizerFailures: minute([2, 5, 0], 'authorizer-failures', { failures: own('AuthorizerFailures') }),
    ...windowsOf('ExchangeBudget', 1.44, exchange, 'IF(failed >= 2, 100 * failed / all, 0)'),
    ...windowsOf('ListsBudget', 14.4, slow, 'MAX(METRICS())'),
    Concurrency: minute([3, 5, 800], 'throttled', { taken: concurrency }),
    SigningKeyAge: {
      ...minute([1, 1, isOwn ? 40 : 90], 'old-signing-key', { days: made('signingKeyDays', 'Maximum') }),
      period: 86_400,
    },
    ThrottledFunctions: throttled([1, 5, 0], 'Throttles', 'SCHEMA("AWS/Lambda", FunctionName)', 'FunctionName'),
    ThrottledReads: throttled([3, 5, 0], 'ReadThrottleEvents', '"AWS/DynamoDB"', 'TableName'),
    ThrottledWrites: throttled([3, 5, 0], 'WriteThrottleEvents', '"AWS/DynamoDB"', 'TableName'),
    CatalogBehind: minute([3, 5, 300], 'catalog-behind', { age: queue('ApproximateAgeOfOldestMessage') }),
    DeadCatalogChanges: minute([1, 5, 0], 'dead-letters', {
      dead: queue('ApproximateNumberOfMessagesVisible', '-dead'),
    }),
    RefusedCatalogChanges: minute([2, 5, 10], 'dead-letters', { refused: made('changesRefused', 'Sum') }),
  }
}

const runbookOf = ({ isOwn }: Stage): string => (isOwn ? 'https://runbook.example' : 'docs/operations.md')

/** A sentence, and the paragraph of the runbook. */
const description = (stage: Stage, heading: string) =>
  expect.stringMatching(`^[A-Z].*\\. ${runbookOf(stage)}#${heading}$`)

/** What an alarm tells: the operators, and who is on call where a setting says so. */
function told({ prefix, isOwn }: Stage, topic = 'alarms', region = 'eu-central-1') {
  const actions = [arn('sns', prefix + topic), ...(isOwn ? [`arn:aws:sns:${region}:210987654321:on-call`] : [])]
  return { alarmActions: actions, okActions: actions }
}

function metricAlarm(stage: Stage, name: string, alarm: Alarm) {
  const { rings, heading, metrics, expression, period = 60, silent } = alarm
  const [datapointsToAlarm, evaluationPeriods, threshold] = rings
  const ofQuery = Object.keys(metrics).length === 0 && { period }
  return {
    name: stage.prefix + name,
    alarmDescription: description(stage, heading),
    comparisonOperator: 'GreaterThanThreshold',
    threshold: expect.closeTo(threshold, 9),
    datapointsToAlarm,
    evaluationPeriods,
    treatMissingData: 'notBreaching',
    ...(silent ? { alarmActions: [], okActions: [] } : told(stage)),
    metricQueries: [
      ...Object.entries(metrics).map(([id, [namespace, metricName, stat, dimensions]]) => ({
        id,
        returnData: expression === undefined,
        metric: { namespace, metricName, stat, dimensions, period },
      })),
      // A query takes no metrics of others, so it says its period itself.
      ...(expression ? [{ id: 'result', expression, label: name, returnData: true, ...ofQuery }] : []),
    ],
  }
}

testMonitored('alarms ring for each thing that can go wrong, and for nothing else', (stage) => {
  const { HeartbeatAlarm: _, ...alarms } = stage.made('cloudwatch:MetricAlarm')
  const expected = Object.entries(alarmsOf(stage)).map(([name, alarm]) => {
    return [`${name}Alarm`, metricAlarm(stage, name, alarm)]
  })
  expect(alarms).toEqual(Object.fromEntries(expected))
})

testMonitored('the alarm of a budget rings when both of its windows do', (stage) => {
  const both = (name: string) => ({
    alarmName: stage.prefix + name,
    alarmDescription: description(stage, 'budgets'),
    alarmRule: `ALARM("${stage.prefix}${name}Hour") AND ALARM("${stage.prefix}${name}Minutes")`,
    ...told(stage),
  })
  expect(stage.made('cloudwatch:CompositeAlarm')).toEqual({
    ExchangeBudgetAlarm: both('ExchangeBudget'),
    ListsBudgetAlarm: both('ListsBudget'),
  })
})

testMonitored('the key set is asked for from outside, and nobody asking is an alarm too', (stage) => {
  const HeartbeatCheck = {
    type: 'HTTPS_STR_MATCH',
    fqdn: new URL(stage.url).hostname,
    port: 443,
    resourcePath: '/.well-known/jwks.json',
    searchString: '"keys"',
    enableSni: true,
    requestInterval: 30,
    failureThreshold: 3,
    tags: { Name: `embed-access-${stage.physical}` },
  }
  expect(stage.made('route53:HealthCheck')).toEqual({ HeartbeatCheck })
  const HeartbeatAlarm = {
    name: `${stage.prefix}Heartbeat`,
    alarmDescription: `The key set cannot be read from outside. ${runbookOf(stage)}#heartbeat`,
    namespace: 'AWS/Route53',
    metricName: 'HealthCheckStatus',
    dimensions: { HealthCheckId: 'HeartbeatCheckId' },
    statistic: 'Minimum',
    period: 60,
    comparisonOperator: 'LessThanThreshold',
    threshold: 1,
    evaluationPeriods: 3,
    datapointsToAlarm: 3,
    treatMissingData: 'breaching',
    ...told(stage, 'heartbeat', 'us-east-1'),
  }
  expect(stage.made('cloudwatch:MetricAlarm').HeartbeatAlarm).toEqual(HeartbeatAlarm)
  // Route 53 has its metrics there and nowhere else.
  const Heartbeat = { region: 'us-east-1', skipCredentialsValidation: 'false', skipRegionValidation: 'true' }
  expect(stage.made('pulumi:providers:aws')).toEqual({ Heartbeat })
})

testMonitored('events about the signing keys’ KMS key and about backups tell every topic', (stage) => {
  const { CatalogEvents: _, ...rules } = stage.made('cloudwatch:EventRule')
  const { CatalogEventsTarget: __, ...targets } = stage.made('cloudwatch:EventTarget')
  const rule = (name: string, heading: string, eventPattern: object) => ({
    name: stage.prefix + name,
    description: description(stage, heading),
    eventPattern,
  })
  const expected = {
    SigningKeyAtRiskRule: rule('SigningKeyAtRisk', 'rotation-gone-wrong', {
      source: ['aws.kms'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [arn('kms', 'key/signing-keys')] },
      },
    }),
    FailedBackupRule: rule('FailedBackup', 'failed-backup', {
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED'],
        resourceArn: [{ wildcard: `arn:aws:dynamodb:*:table/${stage.prefix}*` }],
      },
    }),
  }
  expect(rules).toEqual(expected)
  const toldOf = ['SigningKeyAtRisk', 'FailedBackup'].flatMap((name) => {
    const input = JSON.stringify(rules[`${name}Rule`]?.description)
    const target = (arn: string, index: number) => [`${name}Target${index}`, { rule: stage.prefix + name, arn, input }]
    return told(stage).alarmActions.map(target)
  })
  expect(targets).toEqual(Object.fromEntries(toldOf))
})

testMonitored('two topics are told, and the operators’ address hears of both', (stage) => {
  const topic = (name: string) => ({ name: stage.prefix + name, displayName: `embed-access ${stage.physical}` })
  const email = (name: string) => {
    return { topic: arn('sns', stage.prefix + name), protocol: 'email', endpoint: 'operators@example.com' }
  }
  expect(stage.made('sns:Topic')).toEqual({ Alarms: topic('alarms'), HeartbeatTopic: topic('heartbeat') })
  expect(stage.made('sns:TopicSubscription')).toEqual({
    AlarmEmail: email('alarms'),
    HeartbeatEmail: email('heartbeat'),
  })
})

testMonitored('alarms and events of the account may reach the topic', ({ made, prefix }) => {
  const Resource = arn('sns', `${prefix}alarms`)
  const publish = (service: string, Condition?: object) => ({
    Effect: 'Allow',
    Action: 'sns:Publish',
    Resource,
    Principal: { Service: `${service}.amazonaws.com` },
    Condition,
  })
  const Statement = [
    publish('cloudwatch', { StringEquals: { 'aws:SourceAccount': '123456789012' } }),
    publish('events'),
  ]
  const AlarmsPolicy = { arn: Resource, policy: { Version: '2012-10-17', Statement } }
  expect(made('sns:TopicPolicy')).toEqual({ AlarmsPolicy })
})

testMonitored('a budget, if one is set, tells when a month’s spend is or will be above it', ({ made, isOwn }) => {
  const above = (notificationType: string) => ({
    notificationType,
    comparisonOperator: 'GREATER_THAN',
    threshold: 100,
    thresholdType: 'PERCENTAGE',
    subscriberEmailAddresses: ['operators@example.com'],
    subscriberSnsTopicArns: ['arn:aws:sns:eu-central-1:210987654321:on-call'],
  })
  const MonthlyBudget = {
    name: 'embed-access-production',
    budgetType: 'COST',
    timeUnit: 'MONTHLY',
    limitAmount: '500',
    limitUnit: 'USD',
    notifications: [above('ACTUAL'), above('FORECASTED')],
  }
  expect(made('budgets:Budget')).toEqual(isOwn ? { MonthlyBudget } : {})
})

testMonitored('what is counted from the access log has the routes and states it is about', (stage) => {
  const onNoOpenRoute = routes
    .filter(({ access }) => ['public', 'embed'].includes(access))
    .map((route) => `($.routeKey != "${routeKeyOf(route)}")`)
  const exchange = '($.routeKey = "POST /api/v1/embed/session/token")'
  const patterns = {
    SessionsRedeemed: `${exchange} && ($.status = 200)`,
    RedemptionsRefused: `${exchange} && ($.status = 401)`,
    ThrottledRequests: '($.status = 429)',
    AuthorizerFailures: ['($.status = 500)', '($.integrationRequestId = "-")', ...onNoOpenRoute].join(' && '),
  }
  const logGroupName = `/aws/vendedlogs/apis/${stage.sstName('Api')}`
  const namespace = `embed-access/${stage.physical}`
  const filters = Object.entries(patterns).map(([name, pattern]) => [
    name,
    {
      logGroupName,
      pattern: `{ ${pattern} }`,
      metricTransformation: { namespace, name, value: '1', defaultValue: '0', unit: 'Count' },
    },
  ])
  const ruleDefinition = {
    Schema: { Name: 'CloudWatchLogRule', Version: 1 },
    LogGroupNames: [logGroupName],
    LogFormat: 'JSON',
    Contribution: { Keys: ['$.accountId', '$.routeKey'], Filters: [{ Match: '$.accountId', NotIn: ['-'] }] },
    AggregateOn: 'Count',
  }
  const ruleName = `${stage.prefix}accounts-by-requests`
  expect(stage.made('cloudwatch:LogMetricFilter')).toEqual(Object.fromEntries(filters))
  expect(stage.made('cloudwatch:ContributorInsightRule')).toEqual({
    AccountsByRequests: { ruleName, ruleState: 'ENABLED', ruleDefinition },
  })
})

test('the runbook has a row for each alarm, and the paragraph that the alarm names', () => {
  const runbook = readFileSync('docs/operations.md', 'utf8')
  const anchors = (runbook.match(/^## .*/gm) ?? []).map((heading) =>
    heading.slice(3).toLowerCase().replaceAll(' ', '-'),
  )
  const rows = [...runbook.matchAll(/^\| `(\w+)` \|.*\(#([\w-]+)\) \|$/gm)].map(([, name, anchor]) => [name, anchor])
  const described = evaluated.own.resources.flatMap(({ type, inputs: { alarmDescription, description, ...inputs } }) =>
    /Alarm$|eventRule:/.test(type) && (alarmDescription ?? description)
      ? [[(inputs.name ?? inputs.alarmName).split('-').at(-1), (alarmDescription ?? description).split('#').at(-1)]]
      : [],
  )
  const parts = /Budget(Hour|Minutes)$/
  const alarms = [...described.filter(([name]) => !parts.test(name)), ['MonthlyBudget', 'monthly-budget']]
  expect(rows.sort()).toEqual(alarms.sort())
  for (const [, anchor] of rows) expect(anchors).toContain(anchor)
})

test('a preview has none of this, which costs money', () => {
  const observing = /metricAlarm|compositeAlarm|healthCheck|dashboard|sns|logMetricFilter|insight|budget|eventRule/i
  expect(evaluated.preview.resources.filter(({ type }) => observing.test(type))).toEqual([])
})
