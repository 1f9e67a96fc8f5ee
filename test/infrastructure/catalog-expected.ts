import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { physicalStage, type StageName, urls } from './suite.ts'

/** What the alarms of the catalog's queue are, and what the dashboard shows of it. */

const queueOf = (stage: StageName): string => `embed-access-${physicalStage[stage]}-catalog-changes`

export const expectedCatalogAlarms = (stage: StageName) =>
  ({
    CatalogBehind: {
      heading: 'catalog-behind',
      metrics: [['AWS/SQS', 'ApproximateAgeOfOldestMessage', 'Maximum', { QueueName: queueOf(stage) }]],
      threshold: 300,
      measurements: [3, 5],
    },
    DeadCatalogChanges: {
      heading: 'dead-letters',
      metrics: [['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'Maximum', { QueueName: `${queueOf(stage)}-dead` }]],
      threshold: 0,
      measurements: [1, 5],
    },
    RefusedCatalogChanges: {
      heading: 'dead-letters',
      metrics: [['EmbedAccess', 'changesRefused', 'Sum', { issuer: urls[stage] }]],
      threshold: 10,
      measurements: [2, 5],
    },
  }) as const

export function catalogWidgets(stage: StageName) {
  const ofIssuer = (name: string, ...rest: unknown[]) => ['EmbedAccess', name, 'issuer', urls[stage], ...rest]
  const ofQueue = (metric: string, suffix: string, label: string) => [
    'AWS/SQS',
    metric,
    'QueueName',
    queueOf(stage) + suffix,
    { label },
  ]
  return [
    ...['applied', 'skipped', 'refused', 'failed'].map((outcome) => [
      `Catalog changes ${outcome}`,
      'Sum',
      [...Object.keys(kinds), ...(outcome === 'refused' ? ['unknown'] : [])].map((kind) =>
        ofIssuer('changes', 'kind', kind, 'outcome', outcome, { label: kind }),
      ),
    ]),
    [
      'Catalog changes, milliseconds from sent to applied',
      'p99',
      ['p50', 'p99', 'Maximum'].map((stat) => ofIssuer('lag', { stat, label: stat })),
    ],
    [
      'Catalog changes waiting',
      'Maximum',
      [
        ofQueue('ApproximateAgeOfOldestMessage', '', 'age of the oldest, in seconds'),
        ofQueue('ApproximateNumberOfMessagesVisible', '', 'messages'),
        ofQueue('ApproximateNumberOfMessagesVisible', '-dead', 'dead letters'),
      ],
    ],
    ['Catalog fields left out', 'Sum', [ofIssuer('fieldsLeftOut', { label: 'fields' })]],
  ] as const
}
