import { expect } from 'vitest'
import { catalogSync } from '../../functions/operations/lambdas.ts'
import { arn, testStages } from './suite.ts'

const queueUrl = (name: string) => `https://sqs.eu-central-1.amazonaws.com/123456789012/${name}`

testStages('every queue is encrypted and keeps messages of any size for two weeks', ({ made }) => {
  const queues = Object.values(made('sqs:Queue'))
  expect(queues).toHaveLength(2)
  for (const queue of queues) {
    expect(queue).toMatchObject({
      sqsManagedSseEnabled: true,
      maxMessageSize: 1_048_576,
      messageRetentionSeconds: 1_209_600,
    })
  }
})

testStages(
  'the function gets batches, and a message’s last try makes it a dead letter',
  (stage) => {
    const { made, prefix } = stage
    const name = `${prefix}catalog-changes`
    const { CatalogChanges } = made('sqs:Queue')
    expect(CatalogChanges?.redrivePolicy).toEqual({
      deadLetterTargetArn: arn('sqs', `${name}-dead`),
      maxReceiveCount: 10,
    })
    expect(made('sqs:RedriveAllowPolicy').DeadCatalogChangesFrom).toEqual({
      queueUrl: queueUrl(`${name}-dead`),
      redriveAllowPolicy: { redrivePermission: 'byQueue', sourceQueueArns: [arn('sqs', name)] },
    })
    const { batchSize, batchWindow, visibilityTimeout } = catalogSync.queue
    expect(made('lambda:EventSourceMapping').CatalogSyncSource).toEqual({
      eventSourceArn: arn('sqs', name),
      functionName: arn('lambda', `function:${prefix}catalog-sync`),
      functionResponseTypes: ['ReportBatchItemFailures'],
      batchSize,
      maximumBatchingWindowInSeconds: batchWindow,
      // A fifth of the account's executions, and no more than the function takes.
      scalingConfig: { maximumConcurrency: stage.isMonitored ? 10 : 2 },
    })
    // AWS asks for six times the time of the function, so that a message is not given twice while a
    // call is retried.
    const { timeout } = made('lambda:Function').CatalogSyncFunction ?? {}
    expect(visibilityTimeout).toBeGreaterThanOrEqual(6 * timeout)
    // One failed try rings no alarm: CatalogBehind rings after 300 seconds.
    expect(visibilityTimeout).toBeLessThan(300)
    expect(CatalogChanges?.visibilityTimeoutSeconds).toBe(visibilityTimeout)
  },
)

testStages(
  'only the rule and the accounts of the setting may send, and only encrypted',
  ({ made, prefix, isOwn }) => {
    const accounts = ['210987654321', '321098765432']
    const onlyEncrypted = {
      Sid: 'OnlyEncrypted',
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:*',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    }
    const mayBeSent = (Sid: string, Principal: object, Condition?: object) => {
      return { Sid, Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Condition }
    }
    const events = { Service: 'events.amazonaws.com' }
    const rule = arn('events', `rule/platform/${prefix}catalog-changes`)
    const fromRule = mayBeSent('Rule', events, { ArnEquals: { 'aws:SourceArn': rule } })
    const fromAccounts = [
      mayBeSent('Accounts', { AWS: accounts.map((account) => `arn:aws:iam::${account}:root`) }),
      mayBeSent('RulesOfAccounts', events, { StringEquals: { 'aws:SourceAccount': accounts } }),
    ]
    const policy = (name: string, statements: readonly object[]) => {
      const all = [onlyEncrypted, ...(isOwn ? statements : [])]
      const Statement = all.map((each) => ({ ...each, Resource: arn('sqs', name) }))
      return { queueUrl: queueUrl(name), policy: { Version: '2012-10-17', Statement } }
    }
    expect(made('sqs:QueuePolicy')).toEqual({
      CatalogChangesPolicy: policy(`${prefix}catalog-changes`, [fromRule, ...fromAccounts]),
      DeadCatalogChangesPolicy: policy(`${prefix}catalog-changes-dead`, [fromRule]),
    })
  },
)

testStages(
  'events of the bus that the setting names come into the queue',
  ({ made, prefix, isOwn }) => {
    const { CatalogEvents } = made('cloudwatch:EventRule')
    const { CatalogEventsTarget } = made('cloudwatch:EventTarget')
    if (!isOwn) return expect([CatalogEvents, CatalogEventsTarget]).toEqual([undefined, undefined])
    const name = `${prefix}catalog-changes`
    const eventBusName = 'platform'
    const eventPattern = { source: ['billing', 'identity'], 'detail-type': ['catalog-change'] }
    const deadLetterConfig = { arn: arn('sqs', `${name}-dead`) }
    expect(CatalogEvents).toEqual({ name, eventBusName, eventPattern })
    expect(CatalogEventsTarget).toEqual({
      rule: name,
      eventBusName,
      arn: arn('sqs', name),
      deadLetterConfig,
    })
  },
)
