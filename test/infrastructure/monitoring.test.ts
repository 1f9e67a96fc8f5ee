import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { errorCodes } from '../../functions/http/error-codes.ts'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { metricNamespace, metrics } from '../../functions/runtime/metrics.ts'
import { embedSessions } from '../../openapi/operations/embed-sessions.ts'
import { matches } from './account-template.ts'
import { ownSettings } from './stages.ts'
import { arn, evaluated, type Inputs, type Stage, stageOf, testMonitored } from './suite.ts'

type Metric = {
  readonly namespace: string
  readonly name: string
  readonly dimensions: Inputs
}

const named = (name: string, dimensions: Inputs | readonly string[]) =>
  `${name} by ${Array.isArray(dimensions) ? dimensions : Object.keys(dimensions)}`

const byFunctions = Object.entries(metrics).flatMap(([name, { dimensions }]) =>
  dimensions.map((each) => named(name, each)),
)

/** Whether somebody writes a metric of this stage. */
function isWritten({ namespace, name, dimensions }: Metric, stage: Stage): boolean {
  const { made, physical, url } = stage
  const queues = Object.values(made('sqs:Queue')).map((queue) => queue.name)
  const filter = made('cloudwatch:LogMetricFilter')[name]
  const writers: Record<string, boolean> = {
    'AWS/ApiGateway':
      /^(4xx|5xx|Count|Latency)$/.test(name) &&
      byApi(stage).some((each) => isDeepStrictEqual(each, { ...dimensions })),
    'AWS/CertificateManager':
      name === 'DaysToExpiry' && /^arn:aws:acm:/.test(dimensions.CertificateArn),
    'AWS/Lambda': name === 'ClaimedAccountConcurrency' && Object.keys(dimensions).length === 0,
    'AWS/SQS':
      /^Approximate(AgeOfOldestMessage|NumberOfMessagesVisible)$/.test(name) &&
      queues.includes(dimensions.QueueName),
    [metricNamespace]: dimensions.issuer === url && byFunctions.includes(named(name, dimensions)),
    [`embed-access/${physical}`]:
      filter !== undefined &&
      isDeepStrictEqual(
        Object.keys(dimensions),
        Object.keys(filter.metricTransformation.dimensions ?? {}),
      ),
  }
  return writers[namespace] === true
}

/** Alarms over metrics, except the heartbeat, which is about Route 53's own metric. */
function alarmsOf({ made }: Stage): Inputs[] {
  const { HeartbeatAlarm: _, ...alarms } = made('cloudwatch:MetricAlarm')
  return Object.values(alarms)
}

const inAlarm = ({ metricQueries }: Inputs): (Metric & { stat: string })[] =>
  metricQueries.flatMap(({ metric }: Inputs) =>
    metric ? [{ ...metric, name: metric.metricName }] : [],
  )

const widgetsOf = ({ made }: Stage): Inputs[] =>
  made('cloudwatch:Dashboard').Dashboard?.dashboardBody.widgets

const onWidget = ({ properties }: Inputs): Metric[] =>
  properties.metrics.map(([namespace, name, ...rest]: Inputs[]) => {
    const pairs = rest
      .slice(0, -1)
      .flatMap((key, index) => (index % 2 === 0 ? [[key, rest[index + 1]]] : []))
    return { namespace, name, dimensions: Object.fromEntries(pairs) }
  })

testMonitored(
  'alarms and the dashboard show the metrics that are written, and no others',
  (stage) => {
    const shown = [...widgetsOf(stage).flatMap(onWidget), ...alarmsOf(stage).flatMap(inAlarm)]
    expect(shown.length).toBeGreaterThan(60)
    expect(shown.filter((metric) => !isWritten(metric, stage))).toEqual([])
    const own = shown.filter(({ namespace }) => namespace === metricNamespace)
    expect([...new Set(own.map(({ name, dimensions }) => named(name, dimensions)))].sort()).toEqual(
      byFunctions.toSorted(),
    )
  },
)

/** The dimensions of API Gateway's metrics: none, and those of each route with metrics. */
function byApi({ made }: Stage): Inputs[] {
  const { defaultRouteSettings, routeSettings } = made('apigatewayv2:Stage').ApiStage ?? {}
  const settingsOf = (routeKey: string) =>
    routeSettings.find((each: Inputs) => each.routeKey === routeKey) ?? defaultRouteSettings
  const ofRoutes = routes
    .filter((route) => settingsOf(routeKeyOf(route)).detailedMetricsEnabled)
    .map(({ method: Method, path: Resource }) => ({ Stage: '$default', Method, Resource }))
  return [{}, ...ofRoutes].map((more) => ({ ApiId: 'ApiApiId', ...more }))
}

testMonitored(
  'an alarm compares one value with its threshold, and is silent without values',
  (stage) => {
    for (const { name, metricQueries, ...alarm } of alarmsOf(stage)) {
      const above = { comparisonOperator: 'GreaterThanThreshold', treatMissingData: 'notBreaching' }
      expect(alarm, name).toMatchObject(above)
      if (/Budget/.test(name))
        expect(alarm, name).toMatchObject({ evaluationPeriods: 1, datapointsToAlarm: 1 })
      const results = metricQueries.filter(({ returnData }: Inputs) => returnData)
      expect(results, name).toHaveLength(1)
      const [{ expression, label = name }] = results
      expect(name).toContain(label)
      // AWS only takes queries with groups in this form.
      const ofGroups = /^SELECT SUM\(\w+\) FROM .* GROUP BY \w+ ORDER BY SUM\(\) DESC$/
      const ids = metricQueries.flatMap(({ id, metric }: Inputs) => (metric ? [id] : []))
      if (ids.length === 0) expect(expression, name).toMatch(ofGroups)
      // AWS takes no more.
      expect(ids.length, name).toBeLessThanOrEqual(10)
      if (ids.length === 0 || !expression) continue
      const named = ids.map((id: string) => id.replace(/\d+$/, ''))
      expect(new Set(expression.match(/\b[a-z]\w*/g)), name).toEqual(new Set(named))
    }
  },
)

const runbookOf = ({ isOwn }: Stage): string =>
  isOwn ? 'https://runbook.example' : 'docs/operations.md'

const onCall = (region: string) =>
  ownSettings.ALARM_TOPICS.split(', ').filter((topic) => topic.includes(`:${region}:`))

/** Alarms that wake somebody. Everything else can wait until tomorrow. */
const paging = [
  'FailedRequests',
  'AllRequestsFail',
  'AuthorizerFailures',
  'ThrottledFunctions',
  'ExchangeBudget',
  'SessionsBudget',
  'ListsBudget',
]

const composites = ({ made }: Stage) => made('cloudwatch:CompositeAlarm')

testMonitored(
  'every alarm tells the operators when it begins and ends, and the runbook',
  (stage) => {
    const { HeartbeatAlarm, ...alarms } = stage.made('cloudwatch:MetricAlarm')
    const { OutageAlarm, ...burns } = composites(stage)
    const parts = Object.entries(burns).flatMap(([name, { alarmName, alarmRule, ...whole }]) => {
      const both = ['Long', 'Short'].map((window) => alarmName + window)
      for (const window of ['Long', 'Short'])
        expect(alarms[name.replace(/Alarm$/, `${window}$&`)]).toMatchObject({
          alarmDescription: whole.alarmDescription,
        })
      expect(alarmRule).toBe(both.map((part) => `ALARM("${part}")`).join(' AND '))
      return both
    })
    const all = Object.entries({ ...alarms, ...burns })
    for (const [logical, { name, alarmName = name, ...alarm }] of all) {
      const topics = parts.includes(name) ? [] : [arn('sns', `${stage.prefix}alarms`)]
      expect([alarmName, alarm.alarmActions, alarm.okActions]).toEqual([
        stage.prefix + logical.replace(/Alarm$/, ''),
        topics,
        topics,
      ])
      expect(alarm.alarmDescription).toMatch(new RegExp(`^[A-Z].*\\. ${runbookOf(stage)}#[a-z-]+$`))
    }
    const own = [arn('sns', `${stage.prefix}heartbeat-eu-central-1`, 'us-east-1')]
    const topics = [...own, ...(stage.isOwn ? onCall('us-east-1') : [])]
    expect(HeartbeatAlarm).toMatchObject({ alarmActions: topics, okActions: topics })
    // However many of them ring, they wake people once.
    const rule = paging.map((name) => `ALARM("${stage.prefix}${name}")`).join(' OR ')
    const actions = { alarmActions: onCall('eu-central-1'), okActions: onCall('eu-central-1') }
    if (stage.isOwn) expect(OutageAlarm).toMatchObject({ alarmRule: rule, ...actions })
    else expect(OutageAlarm).toBeUndefined()
  },
)

/** Seconds of a measurement. All numbers of an alarm are of the same ones. */
function periodOf({ name, metricQueries }: Inputs): number {
  const periods = metricQueries.flatMap(
    ({ period = [], metric }: Inputs) => metric?.period ?? period,
  )
  expect(new Set(periods).size, name).toBe(1)
  return periods[0]
}

/** Numbers of its metrics with which an alarm rings, and with which it must not. */
const rung: Readonly<Record<string, readonly [rings: Inputs[], silent: Inputs[]]>> = {
  FailedRequests: [
    [{ failed: 5, all: 499 }],
    [
      { failed: 5, all: 500 },
      { failed: 4, all: 4 },
      { failed: 0, all: 0 },
    ],
  ],
  AllRequestsFail: [
    [{ failed: 1, good: 0 }],
    [
      { failed: 1, good: 1 },
      { failed: 0, good: 0 },
    ],
  ],
  SlowRequests: [[{ p99: 2001 }], [{ p99: 2000 }]],
  RefusedRedemptions: [
    [
      { refused: 20, redeemed: 19 },
      { refused: 1001, redeemed: 1000 },
    ],
    [
      { refused: 20, redeemed: 20 },
      { refused: 19, redeemed: 0 },
      { refused: 0, redeemed: 0 },
    ],
  ],
  ThrottledRequests: [[{ throttled: 11 }], [{ throttled: 10 }]],
  AuthorizerFailures: [[{ failures: 1 }], [{ failures: 0 }]],
  SigningKeyAge: [[{ days: 41 }], [{ days: 40 }]],
  CatalogBehind: [[{ age: 301 }], [{ age: 300 }]],
  DeadCatalogChanges: [[{ dead: 1 }], [{ dead: 0 }]],
  RefusedCatalogChanges: [[{ refused: 11 }], [{ refused: 10 }]],
  Concurrency: [[{ taken: 801 }], [{ taken: 800 }]],
  CertificateExpiry: [[{ days: 20 }], [{ days: 21 }]],
  ...Object.fromEntries(
    ['ExchangeBudget', 'SessionsBudget'].flatMap((name) =>
      ['Long', 'Short'].flatMap((window) => [
        [
          name + window,
          [
            [{ failed: 2, all: 138 }],
            [
              { failed: 2, all: 139 },
              { failed: 1, all: 1 },
            ],
          ],
        ],
        [`${name}Slowly${window}`, [[{ failed: 2, all: 333 }], [{ failed: 2, all: 334 }]]],
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['Long', 'Short'].flatMap((window) => [
      [
        `ListsBudget${window}`,
        [
          [{ slow: 2, list0: 0, list1: 14.5 }],
          [
            { slow: 2, list0: 14.4, list1: 14.4 },
            { slow: 1, list0: 100, list1: 0 },
          ],
        ],
      ],
      [
        `ListsBudgetSlowly${window}`,
        [[{ slow: 2, list0: 6.1, list1: 0 }], [{ slow: 2, list0: 6, list1: 6 }]],
      ],
    ]),
  ),
}

/** The metric and statistic behind each name in an alarm's expression. */
const numbers: Readonly<Record<string, readonly string[]>> = {
  failed: ['5xx Sum', 'CallersFailures Sum'],
  all: ['Count Sum'],
  good: ['CallersSuccesses Sum'],
  p99: ['Latency p99'],
  slow: ['Latency TC(2000:)'],
  list: ['Latency PR(2000:)'],
  refused: ['RedemptionsRefused Sum', 'changesRefused Sum'],
  redeemed: ['SessionsRedeemed Sum'],
  throttled: ['ThrottledRequests Sum'],
  failures: ['AuthorizerFailures Sum'],
  days: ['signingKeyDays Maximum', 'DaysToExpiry Minimum'],
  age: ['ApproximateAgeOfOldestMessage Maximum'],
  dead: ['ApproximateNumberOfMessagesVisible Maximum'],
  taken: ['ClaimedAccountConcurrency Maximum'],
}

/** What an alarm over groups sums up. */
const sums: Readonly<Record<string, string>> = {
  FailedAudit: 'SUM(DeliveryErrors) FROM "AWS/Logs" GROUP BY LogGroupName',
  ThrottledAudit: 'SUM(DeliveryThrottling) FROM "AWS/Logs" GROUP BY LogGroupName',
  ThrottledFunctions:
    'SUM(Throttles) FROM SCHEMA("AWS/Lambda", FunctionName) GROUP BY FunctionName',
  ThrottledReads: 'SUM(ReadThrottleEvents) FROM "AWS/DynamoDB" GROUP BY TableName',
  ThrottledWrites: 'SUM(WriteThrottleEvents) FROM "AWS/DynamoDB" GROUP BY TableName',
}

/** How the ids of a budget's routes begin. Other alarms are about all routes. */
const budgeted: Readonly<Record<string, string>> = {
  Exchange: 'exchange-session',
  Sessions: 'generate-session',
  Lists: 'list-',
}

testMonitored('each number of an alarm is the metric of its name, of its own routes', (stage) => {
  for (const { name, metricQueries } of alarmsOf(stage)) {
    const [, budget = ''] = /(\w+)Budget/.exec(name) ?? []
    const found = inAlarm({ metricQueries }).flatMap(
      ({ stat, dimensions: { Method, Resource } }) =>
        Resource || (budget && !stat.startsWith('TC')) ? `${Method} ${Resource}` : [],
    )
    const wanted = routes.filter(({ id }) => budget && id.startsWith(budgeted[budget] ?? ''))
    expect(new Set(found), name).toEqual(new Set(wanted.map(routeKeyOf)))
    for (const { id, metric, expression = '' } of metricQueries) {
      const [, summed] = /^SELECT (.*) ORDER BY/.exec(expression) ?? []
      if (summed) expect(summed, name).toBe(sums[name.slice(stage.prefix.length)])
      if (metric)
        expect(numbers[id.replace(/\d+$/, '')] ?? numbers[id], `${name}: ${id}`).toContain(
          `${metric.metricName} ${metric.stat}`,
        )
    }
  }
})

/** Metric math, as far as the alarms use it. */
function calculated(expression: string, numbers: Inputs): number {
  const javascript = expression
    .replaceAll('IF(', 'choose(')
    .replaceAll(' AND ', ' && ')
    .replaceAll('==', '===')
    .replace('MAX(METRICS("list"))', 'Math.max(list0, list1)')
  const choose = (when: boolean, then: number, otherwise: number) => (when ? then : otherwise)
  const names = Object.keys(numbers)
  return new Function('choose', ...names, `return ${javascript}`)(choose, ...Object.values(numbers))
}

/** What is counted for all functions or tables of the account, by AWS alone. */
const ofAudit = ['FailedAudit', 'ThrottledAudit']
const grouped = ['ThrottledFunctions', 'ThrottledReads', 'ThrottledWrites', ...ofAudit]

test('every alarm rings with numbers that must ring, and with no others', () => {
  const alarms = alarmsOf(stageOf('own')).map(({ name, ...alarm }): [string, Inputs] => [
    name.split('-').at(-1),
    alarm,
  ])
  expect(alarms.map(([name]) => name).sort()).toEqual([...Object.keys(rung), ...grouped].sort())
  for (const [name, { threshold, metricQueries }] of alarms) {
    const [rings, silent] = rung[name] ?? [[], []]
    const { id, expression = id } = metricQueries.find(({ returnData }: Inputs) => returnData)
    const above = (numbers: Inputs) => calculated(expression, numbers) > threshold
    expect([rings.map(above), silent.map(above)], name).toEqual([
      rings.map(() => true),
      silent.map(() => false),
    ])
    if (grouped.includes(name)) expect(threshold).toBe(0)
  }
  const budgets = ['ExchangeBudget', 'SessionsBudget', 'ListsBudget'].map((budget) =>
    ['Long', 'Short', 'SlowlyLong', 'SlowlyShort'].map((window) =>
      alarms.flatMap(([name, alarm]) => (name === budget + window ? periodOf(alarm) : [])),
    ),
  )
  expect(budgets).toEqual(Array(3).fill([[3600], [300], [21_600], [1800]]))
})

/** Whether EventBridge matches an event: a list says what a value may be. */
const fits = (pattern: Inputs, event: Inputs): boolean =>
  Object.entries(pattern).every(([name, wanted]) =>
    Array.isArray(wanted)
      ? wanted.some((each) =>
          [event[name]]
            .flat()
            .some((value) =>
              each.wildcard ? matches(each.wildcard, value ?? '') : each === value,
            ),
        )
      : [event[name] ?? {}].flat().some((value) => fits(wanted, value)),
  )

test('each event rings the alarm that is about it, and no event of others rings any', () => {
  const kms = (eventName: string, ARN: string) => ({
    source: 'aws.kms',
    'detail-type': 'AWS API Call via CloudTrail',
    detail: { eventName, resources: [{ ARN }] },
  })
  const ofBackup = (kind: string, detail: object) => ({
    source: 'aws.backup',
    'detail-type': `${kind} Job State Change`,
    detail,
  })
  const table = (name: string) => arn('dynamodb', `table/${name}`)
  const plan = (name: string) => arn('backup', `restore-testing-plan:${name}-a1`)
  const own = { resourceArn: table('embed-access-production-CatalogTable') }
  const restored = { restoreTestingPlanArn: plan('embed_access_production') }
  const key = arn('kms', 'key/signing-keys')
  const told: readonly (readonly [string | undefined, object])[] = [
    ['SigningKeyAtRisk', kms('DisableKey', key)],
    ['SigningKeyAtRisk', kms('ScheduleKeyDeletion', key)],
    [undefined, kms('EnableKey', key)],
    [undefined, kms('DisableKey', `${key}2`)],
    [undefined, ofBackup('Backup', { state: 'COMPLETED', ...own })],
    [undefined, ofBackup('Copy', { state: 'FAILED', resourceArn: table('others') })],
    ['FailedRestoreTest', ofBackup('Restore', { status: 'FAILED', ...restored })],
    ['FailedRestoreTest', ofBackup('Restore', { status: 'ABORTED', ...restored })],
    [undefined, ofBackup('Restore', { status: 'COMPLETED', ...restored })],
    [undefined, ofBackup('Restore', { status: 'FAILED', restoreTestingPlanArn: plan('others') })],
    ...['FAILED', 'ABORTED', 'EXPIRED'].flatMap((state) =>
      ['Backup', 'Copy'].map(
        (kind) => ['FailedBackup', ofBackup(kind, { state, ...own })] as const,
      ),
    ),
  ]
  const rules = Object.values(stageOf('production').made('cloudwatch:EventRule'))
  const ringing = (event: object) =>
    rules.flatMap(({ name, eventPattern }) =>
      fits(eventPattern, event) ? name.split('-').at(-1) : [],
    )
  for (const [name, event] of told) {
    expect(ringing(event), JSON.stringify(event)).toEqual(name ? [name] : [])
    expect(ringing({ ...event, source: 'others' })).toEqual([])
    expect(ringing({ ...event, 'detail-type': 'Others' })).toEqual([])
  }
})

testMonitored(
  'the key set is asked for from outside, and nobody asking is an alarm too',
  (stage) => {
    expect(stage.made('route53:HealthCheck').HeartbeatCheck).toMatchObject({
      fqdn: new URL(stage.url).hostname,
      resourcePath: '/.well-known/jwks.json',
    })
    expect(stage.made('cloudwatch:MetricAlarm').HeartbeatAlarm).toMatchObject({
      statistic: 'Minimum',
      period: 60,
      comparisonOperator: 'LessThanThreshold',
      threshold: 1,
      // The runbook says: for 3 minutes.
      evaluationPeriods: 3,
      datapointsToAlarm: 3,
      treatMissingData: 'breaching',
    })
  },
)

testMonitored('events tell the operators, and those that page who is on call', (stage) => {
  const rules = stage.made('cloudwatch:EventRule')
  const targets = Object.values(stage.made('cloudwatch:EventTarget'))
  for (const name of ['SigningKeyAtRisk', 'FailedBackup', 'FailedRestoreTest']) {
    const input = JSON.stringify(rules[`${name}Rule`]?.description)
    const rule = stage.prefix + name
    const ofRule = targets.filter((each) => each.rule === rule)
    // EventBridge needs a role for a topic of another account, and none for one of its own.
    const roleArn = arn('iam', `role/${stage.prefix}events-eu-central-1`, '')
    const woken = stage.isOwn && name === 'SigningKeyAtRisk' ? onCall('eu-central-1') : []
    const told = [arn('sns', `${stage.prefix}alarms`), ...woken].map((arn) => {
      return { rule, input, arn, ...(!arn.includes(':123456789012:') && { roleArn }) }
    })
    expect(ofRule).toHaveLength(told.length)
    expect(ofRule).toEqual(expect.arrayContaining(told))
  }
})

testMonitored('the operators’ address hears of every topic', ({ made }) => {
  const subscriptions = Object.values(made('sns:TopicSubscription'))
  const topics = Object.values(made('sns:Topic')).map(({ name }) =>
    arn('sns', name, name.includes('heartbeat') ? 'us-east-1' : undefined),
  )
  expect(topics).toHaveLength(2)
  expect(subscriptions).toEqual(
    topics.map((topic) => ({ topic, protocol: 'email', endpoint: 'operators@example.com' })),
  )
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

testMonitored(
  'a budget, if one is set, tells when a month’s spend is or will be above it',
  ({ made, isOwn }) => {
    const { MonthlyBudget } = made('budgets:Budget')
    if (!isOwn) return expect(MonthlyBudget).toBeUndefined()
    expect(MonthlyBudget).toMatchObject({
      timeUnit: 'MONTHLY',
      limitAmount: '500',
      notifications: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notificationType,
        threshold: 100,
        subscriberEmailAddresses: ['operators@example.com'],
        subscriberSnsTopicArns: ['arn:aws:sns:eu-central-1:123456789012:on-call'],
      })),
    })
  },
)

/** In JavaScript, where it differs from a pattern of CloudWatch Logs. */
const signs: Readonly<Record<string, string>> = { '=': '===', '!=': '!==' }

testMonitored('a line of the access log counts for what has happened', (stage) => {
  const filters = Object.entries(stage.made('cloudwatch:LogMetricFilter'))
  const counted = (routeKey: string, status: number, integrationRequestId = 'id') =>
    filters.flatMap(([name, { pattern }]) => {
      const javascript = pattern.replaceAll(
        /\$\.(\w+) (=|!=|>=|<)/g,
        (_: string, field: string, sign: string) => `line.${field} ${signs[sign] ?? sign}`,
      )
      const line = { routeKey, status, integrationRequestId }
      return new Function('line', `return (${javascript.replace(/^\{|\}$/g, '')})`)(line)
        ? [name]
        : []
    })
  const exchange = 'POST /api/v1/embed/session/token'
  expect(counted(exchange, 200)).toEqual(['CallersSuccesses', 'SessionsRedeemed'])
  // What a scanner gets, and a browser's preflight, says nothing about the callers.
  expect([counted('-', 404, '-'), counted('-', 204, '-')]).toEqual([[], []])
  for (const code of embedSessions['exchange-session'].refusals)
    expect(counted(exchange, errorCodes[code].status), code).toContain('RedemptionsRefused')
  expect(counted(exchange, 429, '-')).toEqual(['ThrottledRequests'])
  for (const route of routes) {
    const askedAuthorizer = !['public', 'embed'].includes(route.access)
    const ofCallers = route.id === 'get-key-set' ? [] : ['CallersFailures']
    const isOpen = route.access === 'public' && route.id !== 'exchange-session'
    expect(counted(routeKeyOf(route), 500, '-')).toEqual([
      ...ofCallers,
      ...(askedAuthorizer ? ['AuthorizerFailures'] : []),
    ])
    expect(counted(routeKeyOf(route), 503)).toEqual(ofCallers)
    expect(counted(routeKeyOf(route), 403)).toEqual([])
    const succeeded = counted(routeKeyOf(route), 200)
    expect(succeeded.includes('CallersSuccesses'), route.id).toBe(!isOpen)
  }
  for (const [name, { logGroupName, metricTransformation }] of filters) {
    expect(logGroupName).toBe(`/aws/vendedlogs/apis/${stage.sstName('Api')}`)
    // It is 0 and not missing where nothing happens, so an alarm over several always has a value.
    expect(metricTransformation).toEqual({
      namespace: `embed-access/${stage.physical}`,
      name,
      value: '1',
      unit: 'Count',
      defaultValue: '0',
    })
  }
})

testMonitored('the busiest accounts are ranked by route', ({ made, sstName }) => {
  const { AccountsByRequests } = made('cloudwatch:ContributorInsightRule')
  expect(AccountsByRequests?.ruleDefinition).toMatchObject({
    LogGroupNames: [`/aws/vendedlogs/apis/${sstName('Api')}`],
    Contribution: {
      Keys: ['$.accountId', '$.routeKey'],
      // An open route has no account.
      Filters: [{ Match: '$.accountId', NotIn: ['-'] }],
    },
  })
})

testMonitored('saved queries read the logs of one request, and tokens by embed tenant', (stage) => {
  const { RequestQuery, UsageQuery } = stage.made('cloudwatch:QueryDefinition')
  const groups = Object.values(stage.made('cloudwatch:LogGroup')).map(({ name }) => name)
  expect(RequestQuery?.logGroupNames.toSorted()).toEqual(groups.toSorted())
  expect(RequestQuery?.queryString).toContain('filter requestId in ["REQUEST-ID", "DECISION-ID"]')
  expect(UsageQuery).toMatchObject({
    logGroupNames: [`/aws/lambda/embed-access-${stage.physical}-exchange-session`],
    // An anonymous token has a `sub` of its own, so each would count as an end user.
    queryString: expect.stringMatching(
      /like "#external#"[\s\S]*by for.accountId, for.embedTenantName/,
    ),
  })
})

/**
 * One measurement of five is enough, unless the row says more.
 * @example windowIn('in 2 of 3 periods of 5 minutes, …') // '2 of 3 times 5'
 */
function windowIn(fires: string): string {
  const [, all] = /^for (\d) minutes/.exec(fires) ?? []
  if (all) return `${all} of ${all} times 1`
  const [, measurements = '1 of 5', minutes = 1] =
    /^in (\d of \d) (?:periods of (\d) )?minutes/.exec(fires) ?? []
  return `${measurements} times ${minutes}`
}

test('the runbook has a row and a paragraph for each alarm, with the alarm’s numbers', () => {
  const runbook = readFileSync('docs/operations.md', 'utf8')
  const anchors = (runbook.match(/^## .*/gm) ?? []).map((heading) =>
    heading.slice(3).toLowerCase().replaceAll(' ', '-'),
  )
  const rows = [...runbook.matchAll(/^\| (?:\*\*)?\[`(\w+)`\]\(#([\w-]+)\)(?:\*\*)? \| (.*) \|$/gm)]
  const alarms: Inputs[] = evaluated.own.resources.flatMap(({ type, inputs }) => {
    const { alarmDescription, description = alarmDescription, alarmName, name = alarmName } = inputs
    return /Alarm$|eventRule:/.test(type) && description
      ? [{ ...inputs, description, name: name.split('-')[3] }]
      : []
  })
  const told = alarms.filter(({ name }) => !/Budget(Slowly)?(Long|Short)$/.test(name))
  const whole = told.map(({ name, description }) => [name, description.split('#').at(-1)])
  expect(rows.map(([, name, anchor]) => [name, anchor]).sort()).toEqual(
    [...whole, ['MonthlyBudget', 'monthly-budget']].sort(),
  )
  // Each message says something else than the others.
  const messages = told.map(({ description }) => description.replace(/ \S+$/, ''))
  expect(new Set(messages).size).toBe(messages.length)
  let window = ''
  for (const [, name, anchor, fires = ''] of rows) {
    expect(anchors).toContain(anchor)
    const alarm = alarms.find(
      (each) => 'threshold' in each && each.name.replace(/Short$/, '') === name,
    )
    const { datapointsToAlarm, evaluationPeriods, threshold, metricQueries } = alarm ?? {}
    const queries = JSON.stringify(metricQueries)
    if (fires !== 'the same for writes') window = windowIn(fires)
    if (alarm?.metricQueries && !name?.includes('Budget')) {
      const minutes = periodOf(alarm) / 60
      // A value of a day counts once.
      expect(`${datapointsToAlarm} of ${evaluationPeriods} times ${minutes}`, name).toBe(
        minutes === 1440 ? '1 of 1 times 1440' : window,
      )
    }
    const [, least] = /at least (\d+)$/.exec(fires) ?? []
    if (least) expect(queries, name).toContain(` >= ${least}, `)
    const [, above, unit = ''] =
      /(?:more than|exceeds) ([\d.]+)(?: (s|minutes|% of the account)\b)?/.exec(fires) ?? []
    const message = told.find((each) => each.name === name)?.description
    for (const number of name?.includes('Budget') ? [] : [above, least])
      if (number) expect(message).toMatch(new RegExp(`(than|least) ${number}\\b`))
    if (above)
      expect(threshold, name).toBeCloseTo(
        Number(above) * ({ s: 1000, minutes: 60, '% of the account': 10 }[unit] ?? 1),
        9,
      )
  }
})

test('a preview has none of this, which costs money', () => {
  const observing =
    /(metric|composite)Alarm|healthCheck|dashboard|sns|metricFilter|insight|budget|eventRule|query/i
  expect(evaluated.preview.resources.filter(({ type }) => observing.test(type))).toEqual([])
})
