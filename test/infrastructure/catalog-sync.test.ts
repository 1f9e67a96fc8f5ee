import { expect } from 'vitest'
import { arn, testStages } from './suite.ts'

const queueUrl = (name: string) => `https://sqs.eu-central-1.amazonaws.com/123456789012/${name}`

testStages('the queue is encrypted and keeps messages of any size for two weeks', ({ made, prefix }) => {
  const name = `${prefix}catalog-changes`
  const both = { sqsManagedSseEnabled: true, maxMessageSize: 1_048_576, messageRetentionSeconds: 1_209_600 }
  const redrivePolicy = { deadLetterTargetArn: arn('sqs', `${name}-dead`), maxReceiveCount: 10 }
  expect(made('sqs:Queue')).toEqual({
    CatalogChanges: { ...both, name, visibilityTimeoutSeconds: 180, redrivePolicy },
    DeadCatalogChanges: { ...both, name: `${name}-dead`, visibilityTimeoutSeconds: 30 },
  })
  expect(made('sqs:RedriveAllowPolicy')).toEqual({
    DeadCatalogChangesFrom: {
      queueUrl: queueUrl(`${name}-dead`),
      redriveAllowPolicy: { redrivePermission: 'byQueue', sourceQueueArns: [arn('sqs', name)] },
    },
  })
})

testStages('the function gets batches, and says which messages come again', ({ made, prefix }) => {
  expect(made('lambda:EventSourceMapping')).toEqual({
    CatalogSyncSource: {
      eventSourceArn: arn('sqs', `${prefix}catalog-changes`),
      functionName: arn('lambda', `function:${prefix}catalog-sync`),
      batchSize: 100,
      maximumBatchingWindowInSeconds: 1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: 10 },
    },
  })
})

testStages('only the rule and the accounts of the setting may send, and only encrypted', ({ made, prefix, isOwn }) => {
  const accounts = ['210987654321', '321098765432']
  const onlyEncrypted = {
    Sid: 'OnlyEncrypted',
    Effect: 'Deny',
    Principal: '*',
    Action: 'sqs:*',
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  }
  const mayBeSent = (Sid: string, Principal: object, Condition?: object) => ({
    Sid,
    Effect: 'Allow',
    Principal,
    Action: 'sqs:SendMessage',
    Condition,
  })
  const events = { Service: 'events.amazonaws.com' }
  const rule = arn('events', `rule/platform/${prefix}catalog-changes`)
  const fromRule = mayBeSent('Rule', events, { ArnEquals: { 'aws:SourceArn': rule } })
  const fromAccounts = [
    mayBeSent('Accounts', { AWS: accounts.map((account) => `arn:aws:iam::${account}:root`) }),
    mayBeSent('RulesOfAccounts', events, { StringEquals: { 'aws:SourceAccount': accounts } }),
  ]
  const policy = (name: string, statements: readonly object[]) => ({
    queueUrl: queueUrl(name),
    policy: {
      Version: '2012-10-17',
      Statement: [onlyEncrypted, ...(isOwn ? statements : [])].map((each) => ({ ...each, Resource: arn('sqs', name) })),
    },
  })
  expect(made('sqs:QueuePolicy')).toEqual({
    CatalogChangesPolicy: policy(`${prefix}catalog-changes`, [fromRule, ...fromAccounts]),
    DeadCatalogChangesPolicy: policy(`${prefix}catalog-changes-dead`, [fromRule]),
  })
})

testStages('events of the bus that the setting names come into the queue', ({ made, prefix, isOwn }) => {
  const name = `${prefix}catalog-changes`
  const { CatalogEvents } = made('cloudwatch:EventRule')
  const { CatalogEventsTarget } = made('cloudwatch:EventTarget')
  const eventPattern = { source: ['billing', 'identity'], 'detail-type': ['catalog-change'] }
  const eventBusName = 'platform'
  expect(CatalogEvents).toEqual(isOwn ? { name, eventBusName, eventPattern } : undefined)
  expect(CatalogEventsTarget).toEqual(
    isOwn
      ? { rule: name, eventBusName, arn: arn('sqs', name), deadLetterConfig: { arn: arn('sqs', `${name}-dead`) } }
      : undefined,
  )
})
