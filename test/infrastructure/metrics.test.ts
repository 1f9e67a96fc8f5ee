import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { errorCodes } from '../../functions/http/error-codes.ts'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { metricNamespace, metrics } from '../../functions/runtime/metrics.ts'
import { embedSessions } from '../../openapi/operations/embed-sessions.ts'
import { alarmsOf, inAlarm, type Metric } from './alarms.ts'
import { evaluated, type Inputs, type Stage, testMonitored } from './suite.ts'

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
      'RouteFailures',
    ])
    expect(counted(routeKeyOf(route), 503)).toEqual([...ofCallers, 'RouteFailures'])
    expect(counted(routeKeyOf(route), 403)).toEqual([])
    const succeeded = counted(routeKeyOf(route), 200)
    expect(succeeded.includes('CallersSuccesses'), route.id).toBe(!isOpen)
  }
  for (const [name, { logGroupName, metricTransformation }] of filters) {
    expect(logGroupName).toBe(`/aws/vendedlogs/apis/${stage.sstName('Api')}`)
    // It is 0 and not missing where nothing happens, so an alarm over several always has a value.
    // CloudWatch takes a default or dimensions, not both.
    const more =
      name === 'RouteFailures' ? { dimensions: { RouteKey: '$.routeKey' } } : { defaultValue: '0' }
    expect(metricTransformation).toEqual({
      namespace: `embed-access/${stage.physical}`,
      name,
      value: '1',
      unit: 'Count',
      ...more,
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

test('a preview has none of this, which costs money', () => {
  const observing =
    /(metric|composite)Alarm|healthCheck|dashboard|sns|metricFilter|insight|budget|eventRule|query/i
  expect(evaluated.preview.resources.filter(({ type }) => observing.test(type))).toEqual([])
})
