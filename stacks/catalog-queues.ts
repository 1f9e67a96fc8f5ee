import { deadQueueSuffix, maxMessageBytes } from '../functions/catalog-queue/message.ts'
import { catalogSync } from '../functions/operations/lambdas.ts'
import { policyOf, type Statements } from './policies.ts'
import type { Settings } from './settings.ts'
import { nameOf } from './stage-names.ts'

export type CatalogQueues = { changes: aws.sqs.Queue; dead: aws.sqs.Queue }

export function catalogQueues(settings: Settings): CatalogQueues {
  const dead = queue('DeadCatalogChanges', deadQueueSuffix)
  const { visibilityTimeout, tries } = catalogSync.queue
  const changes = queue('CatalogChanges', '', {
    visibilityTimeoutSeconds: visibilityTimeout,
    // For calls that end without an answer. The function itself sends what it can't apply there,
    // with reasons.
    redrivePolicy: $jsonStringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: tries }),
  })
  const allowed = { redrivePermission: 'byQueue', sourceQueueArns: [changes.arn] }
  new aws.sqs.RedriveAllowPolicy('DeadCatalogChangesFrom', {
    queueUrl: dead.url,
    redriveAllowPolicy: $jsonStringify(allowed),
  })
  const { CATALOG_EVENT_BUS: bus, CATALOG_SENDERS: accounts } = settings
  const queues = { changes, dead }
  const rules = bus ? [ruleOf(bus, settings.CATALOG_EVENT_SOURCES, queues)] : []
  const fromRule = rules.map(({ arn }) =>
    allowSending('Rule', eventBridge, { Condition: { ArnEquals: { 'aws:SourceArn': arn } } }),
  )
  // Principals of other accounts, if their own policies allow it, and the rules of their buses.
  const fromAccounts = [
    allowSending('Accounts', { AWS: accounts.map((account) => `arn:aws:iam::${account}:root`) }),
    allowSending('RulesOfAccounts', eventBridge, {
      Condition: { StringEquals: { 'aws:SourceAccount': accounts } },
    }),
  ]
  policy('CatalogChanges', changes, [...fromRule, ...(accounts.length > 0 ? fromAccounts : [])])
  policy('DeadCatalogChanges', dead, fromRule)
  return queues
}

/**
 * Has Lambda call the function with the messages of the queue. A backfill takes at most a fifth of
 * the account's executions, so a new account, which has ten, still answers requests. AWS takes no
 * maximum below 2.
 */
export function readBy(
  reader: sst.aws.Function,
  { changes }: CatalogQueues,
  executions: number,
): void {
  const { batchSize, batchWindow, concurrency } = catalogSync.queue
  new aws.lambda.EventSourceMapping('CatalogSyncSource', {
    eventSourceArn: changes.arn,
    functionName: reader.arn,
    batchSize,
    maximumBatchingWindowInSeconds: batchWindow,
    functionResponseTypes: ['ReportBatchItemFailures'],
    scalingConfig: {
      maximumConcurrency: Math.max(2, Math.min(concurrency, Math.floor(executions / 5))),
    },
  })
}

export const queueStatements = ({ changes, dead }: CatalogQueues): Statements => [
  {
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: [changes.arn],
  },
  { actions: ['sqs:SendMessage'], resources: [dead.arn] },
]

const queue = (name: string, suffix: string, more: aws.sqs.QueueArgs = {}) =>
  new aws.sqs.Queue(name, {
    name: nameOf(`catalog-changes${suffix}`),
    // SQS encrypts with its own key. A KMS key would need a policy for each account that sends.
    sqsManagedSseEnabled: true,
    maxMessageSize: maxMessageBytes,
    // The longest that SQS keeps a message: a weekend with a holiday, and the time to notice.
    messageRetentionSeconds: 14 * 24 * 3600,
    ...more,
  })

/**
 * Sends events of the named sources to the queue. The bus and IAM (the condition `events:source`)
 * say who may put events of a source:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-conditions.html
 */
function ruleOf(eventBusName: string, source: readonly string[], { changes, dead }: CatalogQueues) {
  const rule = new aws.cloudwatch.EventRule('CatalogEvents', {
    name: nameOf('catalog-changes'),
    eventBusName,
    eventPattern: JSON.stringify({ source, 'detail-type': ['catalog-change'] }),
  })
  new aws.cloudwatch.EventTarget('CatalogEventsTarget', {
    rule: rule.name,
    eventBusName,
    arn: changes.arn,
    deadLetterConfig: { arn: dead.arn },
  })
  return rule
}

const eventBridge = { Service: 'events.amazonaws.com' }

const allowSending = (Sid: string, Principal: object, conditions: object = {}) => {
  return { Sid, Effect: 'Allow', Principal, Action: 'sqs:SendMessage', ...conditions }
}

const onlyEncrypted = {
  Sid: 'OnlyEncrypted',
  Effect: 'Deny',
  Principal: '*',
  Action: 'sqs:*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
}

function policy(name: string, { arn, url }: aws.sqs.Queue, allowed: readonly object[]): void {
  const statements = [onlyEncrypted, ...allowed].map((each) => ({ ...each, Resource: arn }))
  new aws.sqs.QueuePolicy(`${name}Policy`, {
    queueUrl: url,
    policy: $jsonStringify(policyOf(...statements)),
  })
}
