import { expect, inject, test } from 'vitest'
import { deployed } from '../../functions/operations/deployed.ts'
import { routes } from '../../functions/operations/operations.ts'
import { ofType, type Resource } from './evaluate.ts'

const production = inject('production')
const preview = inject('preview')

const alarms = ofType(production, 'aws:cloudwatch/metricAlarm:MetricAlarm')
const filters = ofType(production, 'aws:cloudwatch/logMetricFilter:LogMetricFilter')

const alarm = (name: string): Resource['inputs'] => {
  const found = alarms.find((each) => each.name === `${name}Alarm`)
  if (!found) throw new Error(`no alarm ${name}`)
  return found.inputs
}

type Query = { metric?: { namespace: string; metricName: string; stat: string; dimensions: Record<string, string> } }

const metricsOf = (name: string): string[] =>
  alarm(name)
    .metricQueries.flatMap(({ metric }: Query) => metric ?? [])
    .map(({ namespace, metricName, stat }: NonNullable<Query['metric']>) => `${namespace} ${metricName} ${stat}`)

test('every alarm tells the topic, and the operators’ address is subscribed to it', () => {
  const [topic, ...others] = ofType(production, 'aws:sns/topic:Topic')
  expect(others).toEqual([])
  const [subscription] = ofType(production, 'aws:sns/topicSubscription:TopicSubscription')
  expect(subscription?.inputs).toMatchObject({ protocol: 'email', endpoint: 'operators@example.com' })
  for (const { inputs } of alarms) {
    expect(inputs.alarmActions).toEqual([`arn:aws:sns:eu-central-1:123456789012:${topic?.inputs.name}`])
    expect(inputs).toMatchObject({ treatMissingData: 'notBreaching', comparisonOperator: 'GreaterThanThreshold' })
    expect(inputs.metricQueries.length).toBeLessThanOrEqual(10)
    expect(inputs.metricQueries.filter(({ returnData }: { returnData: boolean }) => returnData)).toHaveLength(1)
  }
})

test('there is an alarm for each thing that can go wrong, and for each function and table', () => {
  const component = (name: string) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  expect(alarms.map(({ name }) => name).sort()).toEqual(
    [
      'FailedRequestsAlarm',
      'SlowRequestsAlarm',
      'AuthorizerFailuresAlarm',
      ...Object.keys(deployed).map((name) => `Throttled${component(name)}Alarm`),
      ...['Catalog', 'Sessions', 'Credentials', 'SigningKeys'].map((table) => `Throttled${table}TableAlarm`),
    ].sort(),
  )
})

test('the alarm for failures is a rate, and that for latency a p99', () => {
  expect(metricsOf('FailedRequests')).toEqual(['AWS/ApiGateway 5xx Sum', 'AWS/ApiGateway Count Sum'])
  expect(alarm('FailedRequests').metricQueries.at(-1).expression).toContain('100 * failed / all')
  expect(alarm('FailedRequests').threshold).toBeLessThanOrEqual(5)
  expect(metricsOf('SlowRequests')).toEqual(['AWS/ApiGateway Latency p99'])
  expect(alarm('SlowRequests').threshold).toBeLessThanOrEqual(5000)
})

test('throttling is counted for every function, and for every operation on a table', () => {
  for (const { name, inputs } of alarms.filter(({ name }) => /^Throttled/.test(name))) {
    expect(inputs.threshold).toBe(0)
    const metric = name.endsWith('TableAlarm') ? 'AWS/DynamoDB ThrottledRequests Sum' : 'AWS/Lambda Throttles Sum'
    expect(new Set(metricsOf(name.replace(/Alarm$/, '')))).toEqual(new Set([metric]))
  }
  const operations = alarm('ThrottledCatalogTable').metricQueries.flatMap(
    ({ metric }: Query) => metric?.dimensions.Operation ?? [],
  )
  expect(operations.sort()).toEqual(['BatchGetItem', 'PutItem', 'Query', 'TransactWriteItems'])
})

test('what is counted from the access log has the routes and states it is about', () => {
  const patterns = Object.fromEntries(
    filters.map(({ inputs }) => [inputs.metricTransformation.name, inputs.pattern] as const),
  )
  expect(patterns).toEqual({
    SessionsMade: '{ ($.routeKey = "POST /api/v1/embed/generate-session") && ($.status = 200) }',
    SessionsRedeemed: '{ ($.routeKey = "POST /api/v1/embed/session/token") && ($.status = 200) }',
    RedemptionsRefused: '{ ($.routeKey = "POST /api/v1/embed/session/token") && ($.status = 401) }',
    AuthorizerFailures: expect.stringContaining('($.status = 500) && ($.integrationRequestId = "-")'),
  })
  const log = ofType(production, 'aws:cloudwatch/logGroup:LogGroup').find(({ name }) => name === 'ApiAccessLog')
  for (const { inputs } of filters) expect(inputs.logGroupName).toBe(log?.inputs.name)
})

test('the alarm for the authorizer leaves out refused credentials, which Lambda counts as errors', () => {
  expect(metricsOf('AuthorizerFailures')).toEqual(['embed-access/production AuthorizerFailures Sum'])
})

test('the dashboard shows use, errors, latency and what becomes of sessions', () => {
  const [dashboard] = ofType(production, 'aws:cloudwatch/dashboard:Dashboard')
  const { widgets } = JSON.parse(dashboard?.inputs.dashboardBody) as {
    widgets: { properties: { title: string; metrics: unknown[][] } }[]
  }
  expect(widgets.map(({ properties }) => properties.title)).toEqual([
    'Requests',
    'Errors',
    'Latency',
    'Latency, p99 by route',
    'Sessions',
    'Redemptions refused',
  ])
  expect(widgets[0]?.properties.metrics).toHaveLength(routes.length)
  expect(dashboard?.inputs.dashboardBody).toMatch(/SessionsMade.*SessionsRedeemed.*RedemptionsRefused/)
  const [stage] = ofType(production, 'aws:apigatewayv2/stage:Stage')
  expect(stage?.inputs.defaultRouteSettings.detailedMetricsEnabled).toBe(true)
})

test('a preview has none of this, which costs money', () => {
  const observing = preview.resources.filter(({ type }) => /metricAlarm|dashboard|sns|logMetricFilter/i.test(type))
  expect(observing).toEqual([])
})
