import { kindNames } from '@embed-access/core/catalog/kind.ts'
import type { NoTokenReason } from '@embed-access/core/sessions/redeem.ts'
import { routeKeyOf, routes } from '../functions/operations/operations.ts'
import { type MetricName, metricNamespace } from '../functions/runtime/metrics.ts'
import type { Dimensions } from './alarm.ts'
import { isMeasured } from './api.ts'
import type { Deployment } from './functions.ts'
import { type CountedMetric, countedNamespace } from './metrics.ts'

/** Why a redemption is refused, as the metric and the dashboard name it. */
const reasons: Record<NoTokenReason, string> = {
  redeemed: 'already redeemed',
  expired: 'expired',
  revoked: 'revoked',
  unknown: 'unknown',
  answer_lost: 'an answer of the database was lost',
}

/** How a metric is shown. By default its statistic is that of the widget. */
type Shown = { stat?: string; label: string }

/** A metric: its namespace, its name, names and values of its dimensions, and how to show it. */
type Line = readonly ($util.Input<string> | Shown)[]

const line = (namespace: string, name: string, shown: Shown, dimensions: Dimensions): Line => [
  namespace,
  name,
  ...Object.entries(dimensions).flat(),
  shown,
]

export function dashboard(gateway: sst.aws.ApiGatewayV2, { queues, url }: Deployment): void {
  const region = aws.getRegionOutput().region
  const api = { ApiId: gateway.nodes.api.id }
  const ofApi = (name: string, label: string, dimensions?: Dimensions) =>
    line('AWS/ApiGateway', name, { label }, { ...api, ...dimensions })
  const byRoute = (name: string) =>
    routes.filter(isMeasured).map((route) => {
      const dimensions = { Stage: '$default', Method: route.method, Resource: route.path }
      return ofApi(name, routeKeyOf(route), dimensions)
    })
  const own = (name: MetricName, label: string, dimensions?: Dimensions) =>
    line(metricNamespace, name, { label }, { issuer: url, ...dimensions })
  const ownStat = (name: MetricName, stat: string, label: string) =>
    line(metricNamespace, name, { stat, label }, { issuer: url })
  const changes = (outcome: string, ...more: string[]) =>
    [...kindNames, ...more].map((kind) => own('changes', kind, { kind, outcome }))
  const ofQueue = (queue: keyof typeof queues, metric: string, label: string) =>
    line('AWS/SQS', metric, { label }, { QueueName: queues[queue].name })

  const failure: CountedMetric = 'AuthorizerFailures'
  const errors = [
    ofApi('4xx', 'refused (4xx)'),
    ofApi('5xx', 'failed (5xx)'),
    line(countedNamespace(), failure, { label: 'failures of the authorizer' }, {}),
  ]
  const waiting = [
    ofQueue('changes', 'ApproximateAgeOfOldestMessage', 'age of the oldest, in seconds'),
    ofQueue('changes', 'ApproximateNumberOfMessagesVisible', 'messages'),
    ofQueue('dead', 'ApproximateNumberOfMessagesVisible', 'dead letters'),
  ]
  const refused = Object.entries(reasons).map(([reason, label]) =>
    own('redemptionsRefused', label, { reason }),
  )
  const latency = ['p50', 'p95', 'p99'].map((stat) =>
    line('AWS/ApiGateway', 'Latency', { stat, label: stat }, api),
  )
  const lag = ['p50', 'p99', 'Maximum'].map((stat) => ownStat('lag', stat, stat))
  const widgets: (readonly [title: string, stat: string, metrics: readonly Line[]])[] = [
    ['Requests', 'Sum', byRoute('Count')],
    ['Errors', 'Sum', errors],
    ['Latency', 'p99', latency],
    ['Latency, p99 by route', 'p99', byRoute('Latency')],
    ['Sessions', 'Sum', [own('sessionsMade', 'made'), own('sessionsRedeemed', 'redeemed')]],
    ['Redemptions refused, by reason', 'Sum', refused],
    ['Pages', 'Sum', [ownStat('pageItems', 'SampleCount', 'pages'), own('pageItems', 'items')]],
    ['Cold starts', 'Sum', [own('coldStarts', 'cold starts')]],
    [
      'Capacity units that invocations consume',
      'Sum',
      [own('units', 'all'), ownStat('units', 'p99', 'of one, p99')],
    ],
    ['Catalog changes applied', 'Sum', changes('applied')],
    ['Catalog changes skipped', 'Sum', changes('skipped')],
    ['Catalog changes refused', 'Sum', changes('refused', 'unknown')],
    ['Catalog changes failed', 'Sum', changes('failed')],
    ['Catalog changes, milliseconds from sent to applied', 'p99', lag],
    ['Catalog changes waiting', 'Maximum', waiting],
    ['Catalog fields left out', 'Sum', [own('fieldsLeftOut', 'fields')]],
  ]
  new aws.cloudwatch.Dashboard('Dashboard', {
    // The names of dashboards are unique in the whole account, not in a region.
    dashboardName: $interpolate`${$app.name}-${$app.stage}-${region}`,
    dashboardBody: $jsonStringify({
      widgets: widgets.map(([title, stat, metrics], index) => ({
        type: 'metric',
        x: (index % 2) * 12,
        y: Math.floor(index / 2) * 6,
        width: 12,
        height: 6,
        properties: { title, region, stat, period: 60, view: 'timeSeries', metrics },
      })),
    }),
  })
}
