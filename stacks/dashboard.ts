import { kinds } from '@embed-access/core/catalog/kinds.ts'
import type { Redemption } from '@embed-access/core/sessions/redeem.ts'
import { routeKeyOf, routes } from '../functions/operations/operations.ts'
import { type MetricName, metricNamespace } from '../functions/runtime/metrics.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import { type CountedMetric, countedNamespace } from './metrics.ts'

/** Why a redemption is refused, as the metric and the dashboard say it. */
const reasons: Readonly<Record<Exclude<Redemption, { readonly token: string }>['refused'], string>> = {
  redeemed: 'already redeemed',
  expired: 'expired',
  revoked: 'revoked',
  unknown: 'unknown',
  answer_lost: 'an answer of the database was lost',
}

type Options = { readonly label: string; readonly stat?: string }

/** A metric as a line of a widget: namespace, name, names and values of dimensions, options. */
type Line = readonly ($util.Input<string> | Options)[]
type Widget = readonly [title: string, stat: string, metrics: readonly Line[]]

/** The dashboard shows whether the service is used, whether it answers, how fast, and what becomes of sessions. */
export function dashboard(gateway: sst.aws.ApiGatewayV2, queues: CatalogQueues, url: $util.Output<string>): void {
  const region = aws.getRegionOutput().region
  const widgets = [...requestWidgets(gateway.nodes.api.id, url), ...catalogWidgets(url, queues)]
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

const ofFunctions = (url: $util.Output<string>, name: MetricName, options: Options, ...dimensions: string[]): Line => [
  ...[metricNamespace, name, 'issuer', url, ...dimensions],
  options,
]

function requestWidgets(apiId: $util.Output<string>, url: $util.Output<string>): Widget[] {
  const whole = (metric: string, options: Options): Line => ['AWS/ApiGateway', metric, 'ApiId', apiId, options]
  const byRoute = (metric: string): Line[] =>
    routes.map((route) => [
      ...[
        'AWS/ApiGateway',
        metric,
        'ApiId',
        apiId,
        'Stage',
        '$default',
        'Method',
        route.method,
        'Resource',
        route.path,
      ],
      { label: routeKeyOf(route) },
    ])
  const authorizerFailures: CountedMetric = 'AuthorizerFailures'
  const own = (name: MetricName, options: Options) => ofFunctions(url, name, options)
  return [
    ['Requests', 'Sum', byRoute('Count')],
    [
      'Errors',
      'Sum',
      [
        whole('4xx', { label: 'refused (4xx)' }),
        whole('5xx', { label: 'failed (5xx)' }),
        [countedNamespace(), authorizerFailures, { label: 'failures of the authorizer' }],
      ],
    ],
    ['Latency', 'p99', ['p50', 'p95', 'p99'].map((stat) => whole('Latency', { stat, label: stat }))],
    ['Latency, p99 by route', 'p99', byRoute('Latency')],
    ['Sessions', 'Sum', [own('sessionsMade', { label: 'made' }), own('sessionsRedeemed', { label: 'redeemed' })]],
    [
      'Redemptions refused, by reason',
      'Sum',
      Object.entries(reasons).map(([reason, label]) =>
        ofFunctions(url, 'redemptionsRefused', { label }, 'reason', reason),
      ),
    ],
    ['Pages', 'Sum', [own('pageItems', { stat: 'SampleCount', label: 'pages' }), own('pageItems', { label: 'items' })]],
    ['Cold starts', 'Sum', [own('coldStarts', { label: 'cold starts' })]],
    [
      'Capacity units that invocations consume',
      'Sum',
      [own('units', { label: 'all' }), own('units', { stat: 'p99', label: 'of one, p99' })],
    ],
  ]
}

/** What the dashboard shows of catalog changes: each outcome by kind, how late they are, and what waits or is left out. */
function catalogWidgets(url: $util.Output<string>, { changes, dead }: CatalogQueues): Widget[] {
  const outcome = (outcome: string, ...more: string[]): Widget => [
    `Catalog changes ${outcome}`,
    'Sum',
    [...Object.keys(kinds), ...more].map((kind) =>
      ofFunctions(url, 'changes', { label: kind }, 'kind', kind, 'outcome', outcome),
    ),
  ]
  const ofQueue = (metric: string, { name }: aws.sqs.Queue, label: string): Line => {
    return ['AWS/SQS', metric, 'QueueName', name, { label }]
  }
  return [
    outcome('applied'),
    outcome('skipped'),
    outcome('refused', 'unknown'),
    outcome('failed'),
    [
      'Catalog changes, milliseconds from sent to applied',
      'p99',
      ['p50', 'p99', 'Maximum'].map((stat) => ofFunctions(url, 'lag', { stat, label: stat })),
    ],
    [
      'Catalog changes waiting',
      'Maximum',
      [
        ofQueue('ApproximateAgeOfOldestMessage', changes, 'age of the oldest, in seconds'),
        ofQueue('ApproximateNumberOfMessagesVisible', changes, 'messages'),
        ofQueue('ApproximateNumberOfMessagesVisible', dead, 'dead letters'),
      ],
    ],
    ['Catalog fields left out', 'Sum', [ofFunctions(url, 'fieldsLeftOut', { label: 'fields' })]],
  ]
}
