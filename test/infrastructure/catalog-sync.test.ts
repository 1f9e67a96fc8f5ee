import { arn, describe, expect, named, ofType, only, physicalStage, queueUrl, stageNames, test } from './suite.ts'

describe.each(stageNames)('%s', (stage) => {
  const prefix = `embed-access-${physicalStage[stage]}-`
  const changes = arn('sqs', `${prefix}catalog-changes`)
  const dead = `${changes}-dead`
  const rule = arn('events', `rule/platform/${prefix}catalog-changes`)
  const accounts = ['210987654321', '321098765432']
  const isFed = stage === 'own'

  const policyOf = (name: string) => {
    const { queueUrl, policy, ...others } = named(stage, 'aws:sqs/queuePolicy:QueuePolicy', `${name}Policy`).inputs
    expect(others).toEqual({})
    return { queueUrl, ...JSON.parse(policy) }
  }

  const onlyEncrypted = {
    Sid: 'OnlyEncrypted',
    Effect: 'Deny',
    Principal: '*',
    Action: 'sqs:*',
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  }

  const fromRule = {
    Sid: 'Rule',
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Condition: { ArnEquals: { 'aws:SourceArn': rule } },
  }

  test('the queue is encrypted and keeps messages of any size for two weeks', () => {
    const both = { sqsManagedSseEnabled: true, maxMessageSize: 1_048_576, messageRetentionSeconds: 1_209_600 }
    const { redrivePolicy, ...queue } = named(stage, 'aws:sqs/queue:Queue', 'CatalogChanges').inputs
    expect(queue).toEqual({ ...both, name: `${prefix}catalog-changes`, visibilityTimeoutSeconds: 180 })
    expect(JSON.parse(redrivePolicy)).toEqual({ deadLetterTargetArn: dead, maxReceiveCount: 10 })
    expect(named(stage, 'aws:sqs/queue:Queue', 'DeadCatalogChanges').inputs).toEqual({
      ...both,
      name: `${prefix}catalog-changes-dead`,
      visibilityTimeoutSeconds: 30,
    })
    expect(ofType(stage, 'aws:sqs/queue:Queue')).toHaveLength(2)
    const { queueUrl: of, redriveAllowPolicy } = only(stage, 'aws:sqs/redriveAllowPolicy:RedriveAllowPolicy').inputs
    expect(of).toBe(queueUrl(stage, 'catalog-changes-dead'))
    expect(JSON.parse(redriveAllowPolicy)).toEqual({ redrivePermission: 'byQueue', sourceQueueArns: [changes] })
  })

  test('the function gets batches, and says which messages come again', () => {
    expect(only(stage, 'aws:lambda/eventSourceMapping:EventSourceMapping').inputs).toEqual({
      eventSourceArn: changes,
      functionName: arn('lambda', `function:${prefix}catalog-sync`),
      batchSize: 100,
      maximumBatchingWindowInSeconds: 1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: 10 },
    })
  })

  test('only the rule and the accounts of the setting may send, and only encrypted', () => {
    const fromAccounts = [
      {
        Sid: 'Accounts',
        Effect: 'Allow',
        Principal: { AWS: accounts.map((account) => `arn:aws:iam::${account}:root`) },
        Action: 'sqs:SendMessage',
      },
      {
        Sid: 'RulesOfAccounts',
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Condition: { StringEquals: { 'aws:SourceAccount': accounts } },
      },
    ]
    const on = (Resource: string) => (statement: object) => ({ ...statement, Resource })
    expect(policyOf('CatalogChanges')).toEqual({
      queueUrl: queueUrl(stage, 'catalog-changes'),
      Version: '2012-10-17',
      Statement: [onlyEncrypted, ...(isFed ? [fromRule, ...fromAccounts] : [])].map(on(changes)),
    })
    expect(policyOf('DeadCatalogChanges')).toEqual({
      queueUrl: queueUrl(stage, 'catalog-changes-dead'),
      Version: '2012-10-17',
      Statement: [onlyEncrypted, ...(isFed ? [fromRule] : [])].map(on(dead)),
    })
  })

  test('events of the bus that the setting names come into the queue', () => {
    const ofCatalog = (type: string) => ofType(stage, type).filter(({ name }) => name.startsWith('CatalogEvents'))
    const made = [ofCatalog('aws:cloudwatch/eventRule:EventRule'), ofCatalog('aws:cloudwatch/eventTarget:EventTarget')]
    if (!isFed) return expect(made).toEqual([[], []])
    const { eventPattern, ...others } = named(stage, 'aws:cloudwatch/eventRule:EventRule', 'CatalogEvents').inputs
    expect(JSON.parse(eventPattern)).toEqual({ source: ['billing', 'identity'], 'detail-type': ['catalog-change'] })
    expect(others).toEqual({ name: `${prefix}catalog-changes`, eventBusName: 'platform' })
    expect(named(stage, 'aws:cloudwatch/eventTarget:EventTarget', 'CatalogEventsTarget').inputs).toEqual({
      rule: `${prefix}catalog-changes`,
      eventBusName: 'platform',
      arn: changes,
      deadLetterConfig: { arn: dead },
    })
  })
})
