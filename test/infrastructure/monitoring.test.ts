import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { metricNamespace, metrics } from '../../functions/runtime/metrics.ts'
import { arn, evaluated, type Inputs, type Stage, testMonitored } from './suite.ts'

type Metric = { readonly namespace: string; readonly name: string; readonly dimensions: Inputs }

const named = (name: string, dimensions: Inputs | readonly string[]) =>
  `${name} by ${Array.isArray(dimensions) ? dimensions : Object.keys(dimensions)}`

const byFunctions = Object.entries(metrics).flatMap(([name, { dimensions }]) =>
  dimensions.map((each) => named(name, each)),
)

const ofRoutes = routes.map(({ method: Method, path: Resource }) => ({
  Stage: '$default',
  Method,
  Resource,
}))
const byApi = [{}, ...ofRoutes].map((more) => ({ ApiId: 'ApiApiId', ...more }))

/** Whether somebody writes a metric of this stage. */
function isWritten(
  { namespace, name, dimensions }: Metric,
  { made, physical, url }: Stage,
): boolean {
  const queues = Object.values(made('sqs:Queue')).map((queue) => queue.name)
  const writers: Record<string, boolean> = {
    'AWS/ApiGateway':
      /^(4xx|5xx|Count|Latency)$/.test(name) &&
      byApi.some((each) => isDeepStrictEqual(each, { ...dimensions })),
    'AWS/Lambda': name === 'ClaimedAccountConcurrency' && Object.keys(dimensions).length === 0,
    'AWS/SQS':
      /^Approximate(AgeOfOldest|NumberOf)Message/.test(name) &&
      queues.includes(dimensions.QueueName),
    [metricNamespace]: dimensions.issuer === url && byFunctions.includes(named(name, dimensions)),
    [`embed-access/${physical}`]: name in made('cloudwatch:LogMetricFilter'),
  }
  return writers[namespace] === true
}

/** Alarms over metrics but that of the heartbeat, which is about Route 53's own metric. */
function alarmsOf({ made }: Stage): Inputs[] {
  const { HeartbeatAlarm: _, ...alarms } = made('cloudwatch:MetricAlarm')
  return Object.values(alarms)
}

const inAlarm = ({ metricQueries }: Inputs): Metric[] =>
  metricQueries.flatMap(({ metric }: Inputs) =>
    metric ? [{ ...metric, name: metric.metricName }] : [],
  )

const widgetsOf = ({ made }: Stage): Inputs[] =>
  made('cloudwatch:Dashboard').Dashboard?.dashboardBody.widgets

const onWidget = ({ properties }: Inputs): (Metric & { label: string })[] =>
  properties.metrics.map(([namespace, name, ...rest]: Inputs[]) => {
    const pairs = rest
      .slice(0, -1)
      .flatMap((key, index) => (index % 2 === 0 ? [[key, rest[index + 1]]] : []))
    const label = rest.at(-1)?.label
    return { namespace, name, label, dimensions: Object.fromEntries(pairs) }
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

testMonitored('the dashboard has a line for each route, and a place for each widget', (stage) => {
  const widgets = widgetsOf(stage)
  expect(new Set(widgets.map(({ x, y }) => `${x} ${y}`)).size).toBe(widgets.length)
  const labels = widgets.map((widget) => onWidget(widget).map(({ label }) => label))
  for (const ofWidget of labels) expect(new Set(ofWidget).size).toBe(ofWidget.length)
  expect(labels[0]).toEqual(routes.map(routeKeyOf))
})

testMonitored(
  'an alarm compares one value with its threshold, and is silent without values',
  (stage) => {
    for (const { name, metricQueries, ...alarm } of alarmsOf(stage)) {
      const above = { comparisonOperator: 'GreaterThanThreshold', treatMissingData: 'notBreaching' }
      expect(alarm, name).toMatchObject(above)
      const results = metricQueries.filter(({ returnData }: Inputs) => returnData)
      expect(results, name).toHaveLength(1)
      const [{ expression = 'MAX(METRICS())' }] = results
      // AWS takes a query that tells of each group in this form alone.
      const ofGroups = /^SELECT SUM\(\w+\) FROM .* GROUP BY \w+ ORDER BY SUM\(\) DESC$/
      if (expression === 'MAX(METRICS())' || ofGroups.test(expression)) continue
      const ids = metricQueries.flatMap(({ id, metric }: Inputs) => (metric ? [id] : []))
      expect([...new Set(expression.match(/\b[a-z]\w*/g))].sort(), name).toEqual(ids.sort())
    }
  },
)

const runbookOf = ({ isOwn }: Stage): string =>
  isOwn ? 'https://runbook.example' : 'docs/operations.md'

/** Whom an alarm tells: the operators, and who is on call where a setting says so. */
const told = ({ prefix, isOwn }: Stage, topic = 'alarms', region = 'eu-central-1') => [
  arn('sns', prefix + topic),
  ...(isOwn ? [`arn:aws:sns:${region}:210987654321:on-call`] : []),
]

const composites = ({ made }: Stage) => made('cloudwatch:CompositeAlarm')

testMonitored(
  'every alarm tells every topic when it begins and ends, and where the runbook is',
  (stage) => {
    const { HeartbeatAlarm, ...alarms } = {
      ...stage.made('cloudwatch:MetricAlarm'),
      ...composites(stage),
    }
    const parts = Object.values(composites(stage)).flatMap(({ alarmName, alarmRule }) => {
      const both = ['Hour', 'Minutes'].map((window) => alarmName + window)
      expect(alarmRule).toBe(both.map((part) => `ALARM("${part}")`).join(' AND '))
      return both
    })
    for (const [logical, { name, alarmName = name, ...alarm }] of Object.entries(alarms)) {
      const topics = parts.includes(name) ? [] : told(stage)
      expect([alarmName, alarm.alarmActions, alarm.okActions]).toEqual([
        stage.prefix + logical.replace(/Alarm$/, ''),
        topics,
        topics,
      ])
      expect(alarm.alarmDescription).toMatch(new RegExp(`^[A-Z].*\\. ${runbookOf(stage)}#[a-z-]+$`))
    }
    const topics = told(stage, 'heartbeat', 'us-east-1')
    expect(HeartbeatAlarm).toMatchObject({ alarmActions: topics, okActions: topics })
  },
)

testMonitored(
  'the key set is asked for from outside, and nobody asking is an alarm too',
  (stage) => {
    expect(stage.made('route53:HealthCheck').HeartbeatCheck).toMatchObject({
      type: 'HTTPS_STR_MATCH',
      fqdn: new URL(stage.url).hostname,
      port: 443,
      resourcePath: '/.well-known/jwks.json',
      searchString: '"keys"',
    })
    expect(stage.made('cloudwatch:MetricAlarm').HeartbeatAlarm).toMatchObject({
      alarmDescription: `The key set cannot be read from outside. ${runbookOf(stage)}#heartbeat`,
      dimensions: { HealthCheckId: 'HeartbeatCheckId' },
      comparisonOperator: 'LessThanThreshold',
      threshold: 1,
      treatMissingData: 'breaching',
    })
    // Route 53 has its metrics there and nowhere else.
    expect(stage.made('pulumi:providers:aws').Heartbeat?.region).toBe('us-east-1')
  },
)

testMonitored(
  'events about the signing keys’ KMS key and about backups tell every topic',
  (stage) => {
    const rules = stage.made('cloudwatch:EventRule')
    expect(rules.SigningKeyAtRiskRule?.eventPattern.detail).toEqual({
      eventName: ['DisableKey', 'ScheduleKeyDeletion'],
      resources: { ARN: [arn('kms', 'key/signing-keys')] },
    })
    expect(rules.FailedBackupRule?.eventPattern.detail).toEqual({
      state: ['FAILED', 'ABORTED', 'EXPIRED'],
      resourceArn: [{ wildcard: `arn:aws:dynamodb:*:table/${stage.prefix}*` }],
    })
    const targets = Object.values(stage.made('cloudwatch:EventTarget'))
    for (const name of ['SigningKeyAtRisk', 'FailedBackup']) {
      const ofRule = targets.filter(({ rule }) => rule === stage.prefix + name)
      const input = JSON.stringify(rules[`${name}Rule`]?.description)
      expect(ofRule.map(({ arn, input }) => [arn, input]).sort()).toEqual(
        told(stage).map((arn) => [arn, input]),
      )
    }
  },
)

testMonitored('the operators’ address hears of every topic', ({ made }) => {
  const subscriptions = Object.values(made('sns:TopicSubscription'))
  const topics = Object.values(made('sns:Topic')).map(({ name }) => arn('sns', name))
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
      limitUnit: 'USD',
    })
    const above = {
      comparisonOperator: 'GREATER_THAN',
      threshold: 100,
      thresholdType: 'PERCENTAGE',
      subscriberEmailAddresses: ['operators@example.com'],
      subscriberSnsTopicArns: ['arn:aws:sns:eu-central-1:210987654321:on-call'],
    }
    const types = ['ACTUAL', 'FORECASTED']
    expect(MonthlyBudget?.notifications).toEqual(
      types.map((notificationType) => ({ ...above, notificationType })),
    )
  },
)

testMonitored('a line of the access log counts for what has happened', (stage) => {
  const filters = Object.entries(stage.made('cloudwatch:LogMetricFilter'))
  const counted = (routeKey: string, status: number, integrationRequestId = 'id') =>
    filters.flatMap(([name, { pattern }]) => {
      const javascript = pattern.replaceAll(
        /\$\.(\w+) (!?)=/g,
        (_: string, field: string, not: string) => {
          return `line.${field} ${not || '='}==`
        },
      )
      const line = { routeKey, status, integrationRequestId }
      return new Function('line', `return (${javascript.replace(/^\{|\}$/g, '')})`)(line)
        ? [name]
        : []
    })
  const exchange = 'POST /api/v1/embed/session/token'
  expect(counted(exchange, 200)).toEqual(['SessionsRedeemed'])
  expect(counted(exchange, 401)).toEqual(['RedemptionsRefused'])
  expect(counted(exchange, 429, '-')).toEqual(['ThrottledRequests'])
  for (const route of routes) {
    const askedAuthorizer = !['public', 'embed'].includes(route.access)
    expect(counted(routeKeyOf(route), 500, '-')).toEqual(
      askedAuthorizer ? ['AuthorizerFailures'] : [],
    )
    expect(counted(routeKeyOf(route), 500)).toEqual([])
  }
  for (const [name, { logGroupName, metricTransformation }] of filters) {
    expect(logGroupName).toBe(`/aws/vendedlogs/apis/${stage.sstName('Api')}`)
    // It is 0 and not missing where nothing happens, so an alarm over several always has a value.
    expect(metricTransformation).toMatchObject({
      namespace: `embed-access/${stage.physical}`,
      name,
      defaultValue: '0',
    })
  }
})

test('the runbook has a row and a paragraph for each alarm, with the alarm’s numbers', () => {
  const runbook = readFileSync('docs/operations.md', 'utf8')
  const anchors = (runbook.match(/^## .*/gm) ?? []).map((heading) =>
    heading.slice(3).toLowerCase().replaceAll(' ', '-'),
  )
  const rows = [...runbook.matchAll(/^\| `(\w+)` \| (.*) \| .*\(#([\w-]+)\) \|$/gm)]
  const alarms: Inputs[] = evaluated.own.resources.flatMap(({ type, inputs }) => {
    const { alarmDescription, description = alarmDescription, alarmName, name = alarmName } = inputs
    return /Alarm$|eventRule:/.test(type) && description
      ? [{ ...inputs, description, name: name.split('-').at(-1) }]
      : []
  })
  const named = alarms.map(
    ({ name, description }) => [name, description.split('#').at(-1)] as [string, string],
  )
  const whole = [
    ...named.filter(([name]) => !/Budget(Hour|Minutes)$/.test(name)),
    ['MonthlyBudget', 'monthly-budget'],
  ]
  expect(rows.map(([, name, , anchor]) => [name, anchor]).sort()).toEqual(whole.sort())
  for (const [, name, fires = '', anchor] of rows) {
    expect(anchors).toContain(anchor)
    const alarm = alarms.find(
      (each) => 'threshold' in each && each.name.replace(/Minutes$/, '') === name,
    )
    const { datapointsToAlarm, evaluationPeriods, threshold, metricQueries } = alarm ?? {}
    const queries = JSON.stringify(metricQueries)
    const [, measurements, ofFive] = /in (\d of \d) (periods of 5 )?minutes/.exec(fires) ?? []
    if (measurements) {
      expect(`${datapointsToAlarm} of ${evaluationPeriods}`, name).toBe(measurements)
      expect(queries, name).toContain(`"period":${ofFive ? 300 : 60}`)
    }
    const [, least] = /at least (\d+)$/.exec(fires) ?? []
    if (least) expect(queries, name).toContain(` >= ${least}, `)
    const [, above, unit = ''] =
      /(?:more than|exceeds) ([\d.]+)(?: (s|minutes)\b)?/.exec(fires) ?? []
    if (above)
      expect(threshold, name).toBeCloseTo(Number(above) * ({ s: 1000, minutes: 60 }[unit] ?? 1), 9)
  }
})

test('a preview has none of this, which costs money', () => {
  const observing =
    /metricAlarm|compositeAlarm|healthCheck|dashboard|sns|logMetricFilter|insight|budget|eventRule/i
  expect(evaluated.preview.resources.filter(({ type }) => observing.test(type))).toEqual([])
})
