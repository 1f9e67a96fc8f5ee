import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { catalogSync } from '../functions/operations/lambdas.ts'
import { metricNamespace } from '../functions/runtime/metrics.ts'
import type { Alarm, Metric } from './alarm.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import type { Functions } from './functions.ts'
import { type Line, ofFunctions } from './metrics.ts'

/** Has Lambda call the function with the messages of the queue. */
export function catalogSource({ changes }: CatalogQueues, functions: Functions): void {
  const { batchSize, batchWindow, concurrency } = catalogSync.queue
  new aws.lambda.EventSourceMapping('CatalogSyncSource', {
    eventSourceArn: changes.arn,
    functionName: (functions['catalog-sync'] as sst.aws.Function).arn,
    batchSize,
    maximumBatchingWindowInSeconds: batchWindow,
    functionResponseTypes: ['ReportBatchItemFailures'],
    scalingConfig: { maximumConcurrency: concurrency },
  })
}

/** What the function may do with the queues. */
export const queueStatements = ({ changes, dead }: CatalogQueues): sst.aws.FunctionPermissionArgs[] => [
  { actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], resources: [changes.arn] },
  { actions: ['sqs:SendMessage'], resources: [dead.arn] },
]

/** Changes that were refused in a minute: so many are no single mistake, but a producer that has changed its format. */
const manyRefused = 10

export function catalogAlarms({ changes, dead }: CatalogQueues, url: $util.Output<string>): [string, Alarm][] {
  const ofQueue = ({ name }: aws.sqs.Queue, metricName: string): Metric =>
    name.apply((QueueName) => ({ namespace: 'AWS/SQS', metricName, dimensions: { QueueName } }))
  const refused = url.apply((issuer) => ({
    namespace: metricNamespace,
    metricName: 'changesRefused',
    dimensions: { issuer },
  }))
  return [
    [
      'CatalogBehind',
      {
        description: 'The oldest catalog change has waited for more than five minutes.',
        heading: 'Catalog behind',
        metrics: [{ id: 'age', metric: ofQueue(changes, 'ApproximateAgeOfOldestMessage'), stat: 'Maximum' }],
        expression: 'age',
        threshold: 300,
        measurements: [3, 5],
      },
    ],
    [
      'DeadCatalogChanges',
      {
        description: 'Catalog changes could not be applied, and lie in the queue of dead letters.',
        heading: 'Dead letters',
        metrics: [{ id: 'dead', metric: ofQueue(dead, 'ApproximateNumberOfMessagesVisible'), stat: 'Maximum' }],
        expression: 'dead',
        threshold: 0,
        measurements: [1, 5],
      },
    ],
    [
      'RefusedCatalogChanges',
      {
        description: `More than ${manyRefused} catalog changes a minute are refused.`,
        heading: 'Dead letters',
        metrics: [{ id: 'refused', metric: refused, stat: 'Sum' }],
        expression: 'refused',
        threshold: manyRefused,
        measurements: [2, 5],
      },
    ],
  ]
}

/** What the dashboard shows of catalog changes: each outcome by kind, how late they are, and what waits or is left out. */
export function catalogWidgets(
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
