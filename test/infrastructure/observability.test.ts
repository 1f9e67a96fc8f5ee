import { readFileSync } from 'node:fs'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { metricNamespace, metrics } from '../../functions/runtime/metrics.ts'
import { catalogWidgets, expectedCatalogAlarms } from './catalog-expected.ts'
import {
  arn,
  describe,
  expect,
  isMonitored,
  named,
  ofType,
  only,
  physicalStage,
  type StageName,
  stageNames,
  stages,
  test,
  urls,
} from './suite.ts'

type Metric = readonly [namespace: string, name: string, stat: string, dimensions?: Readonly<Record<string, string>>]

/** What is asked of an alarm: `[above, of]` measurements, seconds each. */
type Expected = {
  readonly heading: string
  readonly metrics: readonly Metric[]
  readonly expression?: string
  readonly threshold: number
  readonly measurements: readonly [number, number]
  readonly period?: number
  readonly silent?: true
}

const api = (name: string, stat = 'Sum'): Metric => ['AWS/ApiGateway', name, stat, { ApiId: 'ApiApiId' }]

const route = (id: string, name: string, stat: string): Metric => {
  const { method, path } = routes.find((route) => route.id === id) as (typeof routes)[number]
  return ['AWS/ApiGateway', name, stat, { ApiId: 'ApiApiId', Stage: '$default', Method: method, Resource: path }]
}

type Widget = { readonly properties: { readonly metrics: unknown[][] } }
type Query = { readonly metric?: { namespace: string; metricName: string; dimensions: object } }

function expectedAlarms(stage: StageName): Record<string, Expected> {
  const own = (name: string): Metric => [`embed-access/${physicalStage[stage]}`, name, 'Sum']
  const exchangeBudget = {
    heading: 'budgets',
    metrics: [route('exchange-session', '5xx', 'Sum'), route('exchange-session', 'Count', 'Sum')],
    expression: 'IF(failed >= 2, 100 * failed / all, 0)',
    threshold: 1.44,
    measurements: [1, 1],
    silent: true,
  } as const
  const listsBudget = {
    heading: 'budgets',
    metrics: ['list-embed-tenant-workbooks', 'list-dbt-syncs', 'list-notifications', 'list-workbook-embed-access'].map(
      (id) => route(id, 'Latency', 'PR(2000:)'),
    ),
    expression: 'MAX(METRICS())',
    threshold: 14.4,
    measurements: [1, 1],
    silent: true,
  } as const
  return {
    ...expectedCatalogAlarms(stage),
    FailedRequests: {
      heading: 'failed-requests',
      metrics: [api('5xx'), api('Count')],
      expression: 'IF(failed >= 5, 100 * failed / all, 0)',
      threshold: 1,
      measurements: [3, 5],
    },
    AllRequestsFail: {
      heading: 'failed-requests',
      metrics: [api('5xx'), api('Count')],
      expression: 'IF(failed > 0 AND failed == all, 1, 0)',
      threshold: 0,
      measurements: [2, 3],
      period: 300,
    },
    SlowRequests: {
      heading: 'slow-requests',
      metrics: [api('Latency', 'p99')],
      threshold: 2000,
      measurements: [5, 5],
    },
    RefusedRedemptions: {
      heading: 'refused-redemptions',
      metrics: [own('RedemptionsRefused'), own('SessionsRedeemed')],
      expression: 'IF(refused >= 20, 100 * refused / (refused + redeemed), 0)',
      threshold: 50,
      measurements: [2, 3],
      period: 300,
    },
    ThrottledRequests: {
      heading: 'throttled',
      metrics: [own('ThrottledRequests')],
      threshold: 10,
      measurements: [3, 5],
    },
    AuthorizerFailures: {
      heading: 'authorizer-failures',
      metrics: [own('AuthorizerFailures')],
      threshold: 0,
      measurements: [2, 5],
    },
    ExchangeBudgetHour: { ...exchangeBudget, period: 3600 },
    ExchangeBudgetMinutes: { ...exchangeBudget, period: 300 },
    ListsBudgetHour: { ...listsBudget, period: 3600 },
    ListsBudgetMinutes: { ...listsBudget, period: 300 },
    Concurrency: {
      heading: 'throttled',
      metrics: [['AWS/Lambda', 'ClaimedAccountConcurrency', 'Maximum']],
      threshold: 800,
      measurements: [3, 5],
    },
    SigningKeyAge: {
      heading: 'old-signing-key',
      metrics: [['EmbedAccess', 'signingKeyDays', 'Maximum', { issuer: urls[stage] }]],
      threshold: stage === 'own' ? 40 : 90,
      measurements: [1, 1],
      period: 86_400,
    },
    ThrottledFunctions: throttled('Throttles', 'SCHEMA("AWS/Lambda", FunctionName)', 'FunctionName', [1, 5]),
    ThrottledReads: throttled('ReadThrottleEvents', '"AWS/DynamoDB"', 'TableName', [3, 5]),
    ThrottledWrites: throttled('WriteThrottleEvents', '"AWS/DynamoDB"', 'TableName', [3, 5]),
  }
}

/** An alarm over a query that tells of each function or table by itself. AWS asks for GROUP BY and ORDER BY. */
const throttled = (metric: string, from: string, by: string, measurements: Expected['measurements']): Expected => ({
  heading: 'throttled',
  metrics: [],
  expression: `SELECT SUM(${metric}) FROM ${from} GROUP BY ${by} ORDER BY SUM() DESC`,
  threshold: 0,
  measurements,
})

const runbookOf = (stage: StageName): string => (stage === 'own' ? 'https://runbook.example' : 'docs/operations.md')

const monitored = stageNames.filter(isMonitored)

describe.each(monitored)('%s', (stage) => {
  const prefix = `embed-access-${physicalStage[stage]}-`
  const topic = arn('sns', `${prefix}alarms`)
  const heartbeatTopic = arn('sns', `${prefix}heartbeat`)
  const onCall = (region: string) => (stage === 'own' ? [`arn:aws:sns:${region}:210987654321:on-call`] : [])
  const topics = [topic, ...onCall('eu-central-1')]
  const expected = expectedAlarms(stage)

  test('has an alarm for each thing that can go wrong, and no others', () => {
    const found = ofType(stage, 'aws:cloudwatch/metricAlarm:MetricAlarm').map(({ name }) => name)
    expect(found.sort()).toEqual([...Object.keys(expected).map((name) => `${name}Alarm`), 'HeartbeatAlarm'].sort())
  })

  test.each(Object.entries(expected))(
    '%s rings when it should, names its paragraph, and tells the topic',
    (name, alarm) => {
      const { metricQueries, alarmDescription, ...others } = named(
        stage,
        'aws:cloudwatch/metricAlarm:MetricAlarm',
        `${name}Alarm`,
      ).inputs
      const { heading, metrics, expression, threshold, measurements, period = 60, silent } = alarm
      const actions = silent ? [] : topics
      expect(others).toEqual({
        name: prefix + name,
        comparisonOperator: 'GreaterThanThreshold',
        threshold: expect.closeTo(threshold, 9),
        datapointsToAlarm: measurements[0],
        evaluationPeriods: measurements[1],
        treatMissingData: 'notBreaching',
        alarmActions: actions,
        okActions: actions,
      })
      expect(alarmDescription).toMatch(/^[A-Z].*\. /)
      expect(alarmDescription.split(' ').at(-1)).toBe(`${runbookOf(stage)}#${heading}`)
      const ids: string[] = metricQueries.slice(0, metrics.length).map(({ id }: { id: string }) => id)
      expect(metricQueries).toEqual([
        ...metrics.map(([namespace, metricName, stat, dimensions = {}], index) => ({
          id: ids[index],
          returnData: expression === undefined,
          metric: { namespace, metricName, stat, dimensions, period },
        })),
        ...(expression === undefined
          ? []
          : [
              {
                ...{ id: 'result', expression, label: name, returnData: true },
                ...(metrics.length === 0 && { period }),
              },
            ]),
      ])
      // An id that an expression names is that of the metric it is about; AWS wants a small letter first.
      const named_ = (expression ?? '').match(/\b(failed|all|refused|redeemed)\b/g) ?? []
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(id).toMatch(/^[a-z]\w*$/)
      if (named_.length > 0) expect(ids).toEqual([...new Set(named_)])
    },
  )

  test.each(['ExchangeBudget', 'ListsBudget'])('%s rings when both of its windows do', (name) => {
    const { alarmDescription, ...others } = named(
      stage,
      'aws:cloudwatch/compositeAlarm:CompositeAlarm',
      `${name}Alarm`,
    ).inputs
    expect(others).toEqual({
      alarmName: prefix + name,
      alarmRule: `ALARM("${prefix}${name}Hour") AND ALARM("${prefix}${name}Minutes")`,
      alarmActions: topics,
      okActions: topics,
    })
    expect(alarmDescription).toMatch(/^[A-Z].*\. /)
    expect(alarmDescription.split(' ').at(-1)).toBe(`${runbookOf(stage)}#budgets`)
    expect(ofType(stage, 'aws:cloudwatch/compositeAlarm:CompositeAlarm')).toHaveLength(2)
  })

  test('the key set is asked for from outside, and nobody asking is an alarm too', () => {
    expect(only(stage, 'aws:route53/healthCheck:HealthCheck').inputs).toEqual({
      type: 'HTTPS_STR_MATCH',
      fqdn: new URL(urls[stage]).hostname,
      port: 443,
      resourcePath: '/.well-known/jwks.json',
      searchString: '"keys"',
      enableSni: true,
      requestInterval: 30,
      failureThreshold: 3,
      tags: { Name: `embed-access-${physicalStage[stage]}` },
    })
    expect(named(stage, 'aws:cloudwatch/metricAlarm:MetricAlarm', 'HeartbeatAlarm').inputs).toEqual({
      name: `${prefix}Heartbeat`,
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
      alarmActions: [heartbeatTopic, ...onCall('us-east-1')],
      okActions: [heartbeatTopic, ...onCall('us-east-1')],
    })
    // Route 53 has its metrics there and nowhere else.
    expect(only(stage, 'pulumi:providers:aws').inputs.region).toBe('us-east-1')
  })

  test.each([
    [
      'SigningKeyAtRisk',
      'rotation-gone-wrong',
      {
        source: ['aws.kms'],
        'detail-type': ['AWS API Call via CloudTrail'],
        detail: {
          eventName: ['DisableKey', 'ScheduleKeyDeletion'],
          resources: { ARN: [arn('kms', 'key/signing-keys')] },
        },
      },
    ],
    [
      'FailedBackup',
      'failed-backup',
      {
        source: ['aws.backup'],
        'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
        detail: {
          state: ['FAILED', 'ABORTED', 'EXPIRED'],
          resourceArn: [{ wildcard: `arn:aws:dynamodb:*:table/${prefix}*` }],
        },
      },
    ],
  ])('%s tells every topic of events that are its own', (name, heading, pattern) => {
    const { description, eventPattern, ...rule } = named(
      stage,
      'aws:cloudwatch/eventRule:EventRule',
      `${name}Rule`,
    ).inputs
    expect(rule).toEqual({ name: prefix + name })
    expect(JSON.parse(eventPattern)).toEqual(pattern)
    expect(description).toMatch(/^[A-Z].*\. /)
    expect(description.split(' ').at(-1)).toBe(`${runbookOf(stage)}#${heading}`)
    const targets = ofType(stage, 'aws:cloudwatch/eventTarget:EventTarget').map(({ inputs }) => inputs)
    const own = targets.filter(({ rule }) => rule === prefix + name)
    expect(own.sort((a, b) => (a.arn < b.arn ? -1 : 1))).toEqual(
      topics.map((arn) => ({ rule: prefix + name, arn, input: JSON.stringify(description) })),
    )
  })

  test('alarms and events of the account may reach the topic', () => {
    const { policy, ...of } = only(stage, 'aws:sns/topicPolicy:TopicPolicy').inputs
    expect(of).toEqual({ arn: topic })
    const publish = { Effect: 'Allow', Action: 'sns:Publish', Resource: topic }
    expect(JSON.parse(policy)).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          ...publish,
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': '123456789012' } },
        },
        { ...publish, Principal: { Service: 'events.amazonaws.com' } },
      ],
    })
  })

  test('the month’s spend is told of when it is or will be above the budget, if one is set', () => {
    const budgets = ofType(stage, 'aws:budgets/budget:Budget').map(({ inputs }) => inputs)
    const notification = {
      comparisonOperator: 'GREATER_THAN',
      threshold: 100,
      thresholdType: 'PERCENTAGE',
      subscriberEmailAddresses: ['operators@example.com'],
      subscriberSnsTopicArns: ['arn:aws:sns:eu-central-1:210987654321:on-call'],
    }
    const budget = {
      name: `embed-access-${physicalStage[stage]}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      limitAmount: '500',
      limitUnit: 'USD',
      notifications: [
        { ...notification, notificationType: 'ACTUAL' },
        { ...notification, notificationType: 'FORECASTED' },
      ],
    }
    expect(budgets).toEqual(stage === 'own' ? [budget] : [])
  })

  test('two topics are told, and the operators’ address hears of both', () => {
    const topics = ofType(stage, 'aws:sns/topic:Topic')
    expect(topics.map(({ inputs }) => inputs).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      ['alarms', 'heartbeat'].map((name) => ({
        name: prefix + name,
        displayName: `embed-access ${physicalStage[stage]}`,
      })),
    )
    const subscriptions = ofType(stage, 'aws:sns/topicSubscription:TopicSubscription').map(({ inputs }) => inputs)
    expect(subscriptions.sort((a, b) => (a.topic < b.topic ? -1 : 1))).toEqual(
      [topic, heartbeatTopic].map((topic) => ({ topic, protocol: 'email', endpoint: 'operators@example.com' })),
    )
  })

  test('what is counted from the access log has the routes and states it is about', () => {
    const onNoOpenRoute = routes
      .filter(({ access }) => ['public', 'embed'].includes(access))
      .map((route) => `($.routeKey != "${routeKeyOf(route)}")`)
      .join(' && ')
    const patterns = {
      SessionsRedeemed: '($.routeKey = "POST /api/v1/embed/session/token") && ($.status = 200)',
      RedemptionsRefused: '($.routeKey = "POST /api/v1/embed/session/token") && ($.status = 401)',
      ThrottledRequests: '($.status = 429)',
      AuthorizerFailures: `($.status = 500) && ($.integrationRequestId = "-") && ${onNoOpenRoute}`,
    }
    const log = named(stage, 'aws:cloudwatch/logGroup:LogGroup', 'ApiAccessLog').inputs.name
    const filters = ofType(stage, 'aws:cloudwatch/logMetricFilter:LogMetricFilter')
    expect(Object.fromEntries(filters.map(({ inputs }) => [inputs.metricTransformation.name, inputs]))).toEqual(
      Object.fromEntries(
        Object.entries(patterns).map(([name, pattern]) => [
          name,
          {
            logGroupName: log,
            pattern: `{ ${pattern} }`,
            metricTransformation: {
              namespace: `embed-access/${physicalStage[stage]}`,
              name,
              value: '1',
              defaultValue: '0',
              unit: 'Count',
            },
          },
        ]),
      ),
    )
    const { ruleDefinition, ...rule } = only(
      stage,
      'aws:cloudwatch/contributorInsightRule:ContributorInsightRule',
    ).inputs
    expect(rule).toEqual({ ruleName: `${prefix}accounts-by-requests`, ruleState: 'ENABLED' })
    expect(JSON.parse(ruleDefinition)).toEqual({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      LogGroupNames: [log],
      LogFormat: 'JSON',
      Contribution: {
        Keys: ['$.accountId', '$.routeKey'],
        Filters: [{ Match: '$.accountId', NotIn: ['-'] }],
      },
      AggregateOn: 'Count',
    })
  })

  test('the dashboard shows use, errors, latency and what becomes of sessions', () => {
    const { dashboardName, dashboardBody } = only(stage, 'aws:cloudwatch/dashboard:Dashboard').inputs
    expect(dashboardName).toBe(`${prefix}eu-central-1`)
    const byRoute = (metric: string) =>
      routes.map(({ method, path }) => [
        'AWS/ApiGateway',
        metric,
        ...['ApiId', 'ApiApiId', 'Stage', '$default', 'Method', method, 'Resource', path],
        { label: `${method} ${path}` },
      ])
    const whole = (metric: string, options: object) => ['AWS/ApiGateway', metric, 'ApiId', 'ApiApiId', options]
    const own = (name: string, label: string) => [`embed-access/${physicalStage[stage]}`, name, { label }]
    const made = (name: string, ...rest: unknown[]) => ['EmbedAccess', name, 'issuer', urls[stage], ...rest]
    const widgets = [
      ['Requests', 'Sum', byRoute('Count')],
      [
        'Errors',
        'Sum',
        [
          whole('4xx', { label: 'refused (4xx)' }),
          whole('5xx', { label: 'failed (5xx)' }),
          own('AuthorizerFailures', 'failures of the authorizer'),
        ],
      ],
      ['Latency', 'p99', ['p50', 'p95', 'p99'].map((stat) => whole('Latency', { stat, label: stat }))],
      ['Latency, p99 by route', 'p99', byRoute('Latency')],
      ['Sessions', 'Sum', [made('sessionsMade', { label: 'made' }), made('sessionsRedeemed', { label: 'redeemed' })]],
      [
        'Redemptions refused, by reason',
        'Sum',
        [
          ['redeemed', 'already redeemed'],
          ['expired', 'expired'],
          ['revoked', 'revoked'],
          ['unknown', 'unknown'],
          ['answer_lost', 'an answer of the database was lost'],
        ].map(([reason, label]) => made('redemptionsRefused', 'reason', reason, { label })),
      ],
      [
        'Pages',
        'Sum',
        [made('pageItems', { stat: 'SampleCount', label: 'pages' }), made('pageItems', { label: 'items' })],
      ],
      ['Cold starts', 'Sum', [made('coldStarts', { label: 'cold starts' })]],
      [
        'Capacity units that invocations consume',
        'Sum',
        [made('units', { label: 'all' }), made('units', { stat: 'p99', label: 'of one, p99' })],
      ],
      ...catalogWidgets(stage),
    ]
    expect(JSON.parse(dashboardBody)).toEqual({
      widgets: widgets.map(([title, stat, metrics], index) => ({
        type: 'metric',
        x: (index % 2) * 12,
        y: Math.floor(index / 2) * 6,
        width: 12,
        height: 6,
        properties: { title, region: 'eu-central-1', stat, period: 60, view: 'timeSeries', metrics },
      })),
    })
  })

  test('the dashboard or an alarm shows each metric of the functions, and no other', () => {
    const { dashboardBody } = only(stage, 'aws:cloudwatch/dashboard:Dashboard').inputs
    const lines: unknown[][] = JSON.parse(dashboardBody).widgets.flatMap((widget: Widget) => widget.properties.metrics)
    const onDashboard = lines.map(([namespace, name, ...rest]) => {
      const dimensions = rest.filter((part, index) => typeof part === 'string' && index % 2 === 0)
      return { namespace, name, dimensions }
    })
    const inAlarms = ofType(stage, 'aws:cloudwatch/metricAlarm:MetricAlarm').flatMap(({ inputs }) =>
      (inputs.metricQueries ?? []).flatMap(({ metric }: Query) =>
        metric ? [{ ...metric, name: metric.metricName, dimensions: Object.keys(metric.dimensions) }] : [],
      ),
    )
    const named = ({ name, dimensions }: { name?: unknown; dimensions: readonly unknown[] }) =>
      `${name} by ${dimensions.join(', ')}`
    const shown = [...onDashboard, ...inAlarms].filter(({ namespace }) => namespace === metricNamespace).map(named)
    const made = Object.entries(metrics).flatMap(([name, { dimensions }]) =>
      dimensions.map((each) => named({ name, dimensions: each })),
    )
    expect([...new Set(shown)].sort()).toEqual(made.sort())
  })
})

test('the runbook has a row for each alarm, and the paragraph that the alarm names', () => {
  const runbook = readFileSync('docs/operations.md', 'utf8')
  const anchors = (runbook.match(/^## .*/gm) ?? []).map((heading) =>
    heading.slice(3).toLowerCase().replaceAll(' ', '-'),
  )
  const rows = [...runbook.matchAll(/^\| `(\w+)` \|.*\(#([\w-]+)\) \|$/gm)].map(([, name, anchor]) => [name, anchor])
  const described = stages.own.resources.flatMap(({ type, inputs: { alarmDescription, description, ...inputs } }) =>
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
  const observing = stages.preview.resources.filter(({ type }) =>
    /metricAlarm|compositeAlarm|healthCheck|dashboard|sns|logMetricFilter|insight|budget|eventRule/i.test(type),
  )
  expect(observing).toEqual([])
})
