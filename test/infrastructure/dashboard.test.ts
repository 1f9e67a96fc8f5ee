import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { expect } from 'vitest'
import { routes } from '../../functions/operations/operations.ts'
import { metricNamespace, metrics } from '../../functions/runtime/metrics.ts'
import { type Stage, testMonitored } from './suite.ts'

type Line = readonly (string | { readonly label?: string; readonly stat?: string })[]
type Widget = readonly [title: string, stat: string, metrics: readonly Line[]]

const whole = (metric: string, options: object): Line => ['AWS/ApiGateway', metric, 'ApiId', 'ApiApiId', options]

const byRoute = (metric: string): Line[] =>
  routes.map(({ method, path }) => {
    const dimensions = ['ApiId', 'ApiApiId', 'Stage', '$default', 'Method', method, 'Resource', path]
    return ['AWS/ApiGateway', metric, ...dimensions, { label: `${method} ${path}` }]
  })

const refusals = {
  redeemed: 'already redeemed',
  expired: 'expired',
  revoked: 'revoked',
  unknown: 'unknown',
  answer_lost: 'an answer of the database was lost',
}

function widgetsOf({ physical, prefix, url }: Stage): Widget[] {
  const authorizerFailures = [`embed-access/${physical}`, 'AuthorizerFailures', { label: 'failures of the authorizer' }]
  const made = (name: string, options: Line[number], ...dimensions: string[]): Line => {
    return ['EmbedAccess', name, 'issuer', url, ...dimensions, options]
  }
  const queue = (metric: string, suffix: string, label: string): Line => {
    return ['AWS/SQS', metric, 'QueueName', `${prefix}catalog-changes${suffix}`, { label }]
  }
  const changes = (outcome: string, ...more: string[]): Widget => [
    `Catalog changes ${outcome}`,
    'Sum',
    [...Object.keys(kinds), ...more].map((kind) => made('changes', { label: kind }, 'kind', kind, 'outcome', outcome)),
  ]
  return [
    ['Requests', 'Sum', byRoute('Count')],
    [
      'Errors',
      'Sum',
      [whole('4xx', { label: 'refused (4xx)' }), whole('5xx', { label: 'failed (5xx)' }), authorizerFailures],
    ],
    ['Latency', 'p99', ['p50', 'p95', 'p99'].map((stat) => whole('Latency', { stat, label: stat }))],
    ['Latency, p99 by route', 'p99', byRoute('Latency')],
    ['Sessions', 'Sum', [made('sessionsMade', { label: 'made' }), made('sessionsRedeemed', { label: 'redeemed' })]],
    [
      'Redemptions refused, by reason',
      'Sum',
      Object.entries(refusals).map(([reason, label]) => made('redemptionsRefused', { label }, 'reason', reason)),
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
    changes('applied'),
    changes('skipped'),
    changes('refused', 'unknown'),
    changes('failed'),
    [
      'Catalog changes, milliseconds from sent to applied',
      'p99',
      ['p50', 'p99', 'Maximum'].map((stat) => made('lag', { stat, label: stat })),
    ],
    [
      'Catalog changes waiting',
      'Maximum',
      [
        queue('ApproximateAgeOfOldestMessage', '', 'age of the oldest, in seconds'),
        queue('ApproximateNumberOfMessagesVisible', '', 'messages'),
        queue('ApproximateNumberOfMessagesVisible', '-dead', 'dead letters'),
      ],
    ],
    ['Catalog fields left out', 'Sum', [made('fieldsLeftOut', { label: 'fields' })]],
  ]
}

testMonitored('the dashboard shows use, errors, latency and what becomes of sessions', (stage) => {
  const widgets = widgetsOf(stage).map(([title, stat, metrics], index) => ({
    type: 'metric',
    x: (index % 2) * 12,
    y: Math.floor(index / 2) * 6,
    width: 12,
    height: 6,
    properties: { title, region: 'eu-central-1', stat, period: 60, view: 'timeSeries', metrics },
  }))
  const Dashboard = { dashboardName: `${stage.prefix}eu-central-1`, dashboardBody: { widgets } }
  expect(stage.made('cloudwatch:Dashboard')).toEqual({ Dashboard })
})

type Query = { readonly metric?: { namespace: string; metricName: string; dimensions: object } }

testMonitored('the dashboard or an alarm shows each metric of the functions, and no other', ({ made }) => {
  const widgets: { properties: { metrics: unknown[][] } }[] =
    made('cloudwatch:Dashboard').Dashboard?.dashboardBody.widgets
  const onDashboard = widgets.flatMap(({ properties }) =>
    properties.metrics.map(([namespace, name, ...rest]) => {
      const dimensions = rest.filter((part, index) => typeof part === 'string' && index % 2 === 0)
      return { namespace, name, dimensions }
    }),
  )
  const inAlarms = Object.values(made('cloudwatch:MetricAlarm')).flatMap(({ metricQueries = [] }) =>
    metricQueries.flatMap(({ metric }: Query) =>
      metric ? [{ ...metric, name: metric.metricName, dimensions: Object.keys(metric.dimensions) }] : [],
    ),
  )
  const named = ({ name, dimensions }: { name?: unknown; dimensions: readonly unknown[] }) =>
    `${name} by ${dimensions.join(', ')}`
  const shown = [...onDashboard, ...inAlarms].filter(({ namespace }) => namespace === metricNamespace).map(named)
  const counted = Object.entries(metrics).flatMap(([name, { dimensions }]) =>
    dimensions.map((each) => named({ name, dimensions: each })),
  )
  expect([...new Set(shown)].sort()).toEqual(counted.sort())
})
