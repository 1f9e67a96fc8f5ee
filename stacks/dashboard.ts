import { kinds } from '@embed-access/core/catalog/kinds.ts'
import type { Redemption } from '@embed-access/core/sessions/redeem.ts'
import { routeKeyOf, routes } from '../functions/operations/operations.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import { type CountedMetrics, type Line, ofFunctions } from './metrics.ts'

/** Why a redemption is refused, as the metric and the dashboard say it. */
const reasons: Readonly<Record<Exclude<Redemption, { readonly token: string }>['refused'], string>> = {
  redeemed: 'already redeemed',
  expired: 'expired',
  revoked: 'revoked',
  unknown: 'unknown',
  answer_lost: 'an answer of the database was lost',
}

/** The dashboard shows whether the service is used, whether it answers, how fast, and what becomes of sessions. */
export function dashboard(
  gateway: sst.aws.ApiGatewayV2,
  queues: CatalogQueues,
  { namespace, names }: CountedMetrics,
  url: $util.Output<string>,
): void {
  const region = aws.getRegionOutput().region
  const body = $util
    .all([gateway.nodes.api.id, region, url, queues.changes.name, queues.dead.name])
    .apply((outputs) => {
      const [apiId, region, issuer, changesName, deadName] = outputs
      const whole = (metric: string, options: object): Line => ['AWS/ApiGateway', metric, 'ApiId', apiId, options]
      const byRoute = (metric: string): Line[] =>
        routes.map((route) => [
          'AWS/ApiGateway',
          metric,
          ...['ApiId', apiId, 'Stage', '$default', 'Method', route.method, 'Resource', route.path],
          { label: routeKeyOf(route) },
        ])
      const own = (name: string, label: string): Line => [namespace, name, { label }]
      const percentiles = ['p50', 'p95', 'p99'].map((stat) => whole('Latency', { stat, label: stat }))
      const widgets = [
        { title: 'Requests', stat: 'Sum', metrics: byRoute('Count') },
        {
          title: 'Errors',
          stat: 'Sum',
          metrics: [
            whole('4xx', { label: 'refused (4xx)' }),
            whole('5xx', { label: 'failed (5xx)' }),
            own(names.authorizerFailures, 'failures of the authorizer'),
          ],
        },
        { title: 'Latency', stat: 'p99', metrics: percentiles },
        { title: 'Latency, p99 by route', stat: 'p99', metrics: byRoute('Latency') },
        {
          title: 'Sessions',
          stat: 'Sum',
          metrics: [
            ofFunctions(issuer, 'sessionsMade', { label: 'made' }),
            ofFunctions(issuer, 'sessionsRedeemed', { label: 'redeemed' }),
          ],
        },
        {
          title: 'Redemptions refused, by reason',
          stat: 'Sum',
          metrics: Object.entries(reasons).map(([reason, label]) =>
            ofFunctions(issuer, 'redemptionsRefused', { label }, ['reason', reason]),
          ),
        },
        {
          title: 'Pages',
          stat: 'Sum',
          metrics: [
            ofFunctions(issuer, 'pageItems', { stat: 'SampleCount', label: 'pages' }),
            ofFunctions(issuer, 'pageItems', { label: 'items' }),
          ],
        },
        {
          title: 'Cold starts',
          stat: 'Sum',
          metrics: [ofFunctions(issuer, 'coldStarts', { label: 'cold starts' })],
        },
        {
          title: 'Capacity units that invocations consume',
          stat: 'Sum',
          metrics: [
            ofFunctions(issuer, 'units', { label: 'all' }),
            ofFunctions(issuer, 'units', { stat: 'p99', label: 'of one, p99' }),
          ],
        },
        ...catalogWidgets(issuer, changesName, deadName),
      ]
      return JSON.stringify({
        widgets: widgets.map(({ title, stat, metrics }, index) => ({
          type: 'metric',
          x: (index % 2) * 12,
          y: Math.floor(index / 2) * 6,
          width: 12,
          height: 6,
          properties: { title, region, stat, period: 60, view: 'timeSeries', metrics },
        })),
      })
    })
  new aws.cloudwatch.Dashboard('Dashboard', {
    // The names of dashboards are unique in the whole account, not in a region.
    dashboardName: $interpolate`${$app.name}-${$app.stage}-${region}`,
    dashboardBody: body,
  })
}

/** What the dashboard shows of catalog changes: each outcome by kind, how late they are, and what waits or is left out. */
function catalogWidgets(
  issuer: string,
  changes: string,
  dead: string,
): { title: string; stat: string; metrics: Line[] }[] {
  const outcome = (outcome: string) => ({
    title: `Catalog changes ${outcome}`,
    stat: 'Sum',
    metrics: [...Object.keys(kinds), ...(outcome === 'refused' ? ['unknown'] : [])].map((kind) =>
      ofFunctions(issuer, 'changes', { label: kind }, ['kind', kind, 'outcome', outcome]),
    ),
  })
  const ofQueue = (metric: string, queue: string, label: string): Line => [
    'AWS/SQS',
    metric,
    'QueueName',
    queue,
    { label },
  ]
  return [
    ...['applied', 'skipped', 'refused', 'failed'].map(outcome),
    {
      title: 'Catalog changes, milliseconds from sent to applied',
      stat: 'p99',
      metrics: ['p50', 'p99', 'Maximum'].map((stat) => ofFunctions(issuer, 'lag', { stat, label: stat })),
    },
    {
      title: 'Catalog changes waiting',
      stat: 'Maximum',
      metrics: [
        ofQueue('ApproximateAgeOfOldestMessage', changes, 'age of the oldest, in seconds'),
        ofQueue('ApproximateNumberOfMessagesVisible', changes, 'messages'),
        ofQueue('ApproximateNumberOfMessagesVisible', dead, 'dead letters'),
      ],
    },
    {
      title: 'Catalog fields left out',
      stat: 'Sum',
      metrics: [ofFunctions(issuer, 'fieldsLeftOut', { label: 'fields' })],
    },
  ]
}
