import { expect, test } from 'vitest'
import { matches } from './account-template.ts'
import { ownSettings } from './stages.ts'
import { arn, type Inputs, type Stage, stageOf, testMonitored } from './suite.ts'

const runbookOf = ({ isOwn }: Stage): string =>
  isOwn ? 'https://runbook.example' : 'docs/operations.md'

const onCall = (region: string) =>
  ownSettings.ALARM_TOPICS.split(', ').filter((topic) => topic.includes(`:${region}:`))

/** Alarms that wake somebody. Everything else can wait until tomorrow. */
const paging = [
  'FailedRequests',
  'AllRequestsFail',
  'AuthorizerFailures',
  'ThrottledFunctions',
  'ExchangeBudget',
  'SessionsBudget',
  'ListsBudget',
]

const composites = ({ made }: Stage) => made('cloudwatch:CompositeAlarm')

testMonitored(
  'every alarm tells the operators when it begins and ends, and the runbook',
  (stage) => {
    const { HeartbeatAlarm, ...alarms } = stage.made('cloudwatch:MetricAlarm')
    const { OutageAlarm, ...burns } = composites(stage)
    const parts = Object.entries(burns).flatMap(([name, { alarmName, alarmRule, ...whole }]) => {
      const both = ['Long', 'Short'].map((window) => alarmName + window)
      for (const window of ['Long', 'Short'])
        expect(alarms[name.replace(/Alarm$/, `${window}$&`)]).toMatchObject({
          alarmDescription: whole.alarmDescription,
        })
      expect(alarmRule).toBe(both.map((part) => `ALARM("${part}")`).join(' AND '))
      return both
    })
    const all = Object.entries({ ...alarms, ...burns })
    for (const [logical, { name, alarmName = name, ...alarm }] of all) {
      const topics = parts.includes(name) ? [] : [arn('sns', `${stage.prefix}alarms`)]
      expect([alarmName, alarm.alarmActions, alarm.okActions]).toEqual([
        stage.prefix + logical.replace(/Alarm$/, ''),
        topics,
        topics,
      ])
      expect(alarm.alarmDescription).toMatch(new RegExp(`^[A-Z].*\\. ${runbookOf(stage)}#[a-z-]+$`))
    }
    const own = [arn('sns', `${stage.prefix}heartbeat-eu-central-1`, 'us-east-1')]
    const topics = [...own, ...(stage.isOwn ? onCall('us-east-1') : [])]
    expect(HeartbeatAlarm).toMatchObject({ alarmActions: topics, okActions: topics })
    // However many of them ring, they wake people once.
    const rule = paging.map((name) => `ALARM("${stage.prefix}${name}")`).join(' OR ')
    const actions = { alarmActions: onCall('eu-central-1'), okActions: onCall('eu-central-1') }
    if (stage.isOwn) expect(OutageAlarm).toMatchObject({ alarmRule: rule, ...actions })
    else expect(OutageAlarm).toBeUndefined()
  },
)

/** Whether EventBridge matches an event: a list says what a value may be. */
const fits = (pattern: Inputs, event: Inputs): boolean =>
  Object.entries(pattern).every(([name, wanted]) =>
    Array.isArray(wanted)
      ? wanted.some((each) =>
          [event[name]]
            .flat()
            .some((value) =>
              each.wildcard ? matches(each.wildcard, value ?? '') : each === value,
            ),
        )
      : [event[name] ?? {}].flat().some((value) => fits(wanted, value)),
  )

test('each event rings the alarm that is about it, and no event of others rings any', () => {
  const kms = (eventName: string, ARN: string) => ({
    source: 'aws.kms',
    'detail-type': 'AWS API Call via CloudTrail',
    detail: { eventName, resources: [{ ARN }] },
  })
  const ofBackup = (kind: string, detail: object) => ({
    source: 'aws.backup',
    'detail-type': `${kind} Job State Change`,
    detail,
  })
  const table = (name: string) => arn('dynamodb', `table/${name}`)
  const plan = (name: string) => arn('backup', `restore-testing-plan:${name}-a1`)
  const own = { resourceArn: table('embed-access-production-CatalogTable') }
  const restored = { restoreTestingPlanArn: plan('embed_access_production') }
  const key = arn('kms', 'key/signing-keys')
  const told: readonly (readonly [string | undefined, object])[] = [
    ['SigningKeyAtRisk', kms('DisableKey', key)],
    ['SigningKeyAtRisk', kms('ScheduleKeyDeletion', key)],
    [undefined, kms('EnableKey', key)],
    [undefined, kms('DisableKey', `${key}2`)],
    [undefined, ofBackup('Backup', { state: 'COMPLETED', ...own })],
    [undefined, ofBackup('Copy', { state: 'FAILED', resourceArn: table('others') })],
    ['FailedRestoreTest', ofBackup('Restore', { status: 'FAILED', ...restored })],
    ['FailedRestoreTest', ofBackup('Restore', { status: 'ABORTED', ...restored })],
    [undefined, ofBackup('Restore', { status: 'COMPLETED', ...restored })],
    [undefined, ofBackup('Restore', { status: 'FAILED', restoreTestingPlanArn: plan('others') })],
    ...['FAILED', 'ABORTED', 'EXPIRED'].flatMap((state) =>
      ['Backup', 'Copy'].map(
        (kind) => ['FailedBackup', ofBackup(kind, { state, ...own })] as const,
      ),
    ),
  ]
  const rules = Object.values(stageOf('production').made('cloudwatch:EventRule'))
  const ringing = (event: object) =>
    rules.flatMap(({ name, eventPattern }) =>
      fits(eventPattern, event) ? name.split('-').at(-1) : [],
    )
  for (const [name, event] of told) {
    expect(ringing(event), JSON.stringify(event)).toEqual(name ? [name] : [])
    expect(ringing({ ...event, source: 'others' })).toEqual([])
    expect(ringing({ ...event, 'detail-type': 'Others' })).toEqual([])
  }
})

testMonitored(
  'the key set is asked for from outside, and nobody asking is an alarm too',
  (stage) => {
    expect(stage.made('route53:HealthCheck').HeartbeatCheck).toMatchObject({
      fqdn: new URL(stage.url).hostname,
      resourcePath: '/.well-known/jwks.json',
    })
    expect(stage.made('cloudwatch:MetricAlarm').HeartbeatAlarm).toMatchObject({
      statistic: 'Minimum',
      period: 60,
      comparisonOperator: 'LessThanThreshold',
      threshold: 1,
      // The runbook says: for 3 minutes.
      evaluationPeriods: 3,
      datapointsToAlarm: 3,
      treatMissingData: 'breaching',
    })
  },
)

testMonitored('events tell the operators, and those that page who is on call', (stage) => {
  const rules = stage.made('cloudwatch:EventRule')
  const targets = Object.values(stage.made('cloudwatch:EventTarget'))
  for (const name of ['SigningKeyAtRisk', 'FailedBackup', 'FailedRestoreTest']) {
    const input = JSON.stringify(rules[`${name}Rule`]?.description)
    const rule = stage.prefix + name
    const ofRule = targets.filter((each) => each.rule === rule)
    // EventBridge needs a role for a topic of another account, and none for one of its own.
    const roleArn = arn('iam', `role/${stage.prefix}events-eu-central-1`, '')
    const woken = stage.isOwn && name === 'SigningKeyAtRisk' ? onCall('eu-central-1') : []
    const told = [arn('sns', `${stage.prefix}alarms`), ...woken].map((arn) => {
      return { rule, input, arn, ...(!arn.includes(':123456789012:') && { roleArn }) }
    })
    expect(ofRule).toHaveLength(told.length)
    expect(ofRule).toEqual(expect.arrayContaining(told))
  }
})

testMonitored('the operators’ address hears of every topic', ({ made }) => {
  const subscriptions = Object.values(made('sns:TopicSubscription'))
  const topics = Object.values(made('sns:Topic')).map(({ name }) =>
    arn('sns', name, name.includes('heartbeat') ? 'us-east-1' : undefined),
  )
  expect(topics).toHaveLength(2)
  expect(subscriptions).toEqual(
    topics.map((topic) => ({ topic, protocol: 'email', endpoint: 'operators@example.com' })),
  )
})

testMonitored('alarms and events of the account may reach the topic', ({ made, prefix }) => {
  const Resource = arn('sns', `${prefix}alarms`)
  const publish = (service: string, Condition?: object) => ({
    Effect: 'Allow',
    Action: 'sns:Publish',
    Resource,
    Principal: { Service: `${service}.amazonaws.com` },
    Condition,
  })
  const Statement = [
    publish('cloudwatch', { StringEquals: { 'aws:SourceAccount': '123456789012' } }),
    publish('events'),
  ]
  const AlarmsPolicy = { arn: Resource, policy: { Version: '2012-10-17', Statement } }
  expect(made('sns:TopicPolicy')).toEqual({ AlarmsPolicy })
})

testMonitored(
  'a budget, if one is set, tells when a month’s spend is or will be above it',
  ({ made, isOwn }) => {
    const { MonthlyBudget } = made('budgets:Budget')
    if (!isOwn) return expect(MonthlyBudget).toBeUndefined()
    expect(MonthlyBudget).toMatchObject({
      timeUnit: 'MONTHLY',
      limitAmount: '500',
      notifications: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notificationType,
        threshold: 100,
        subscriberEmailAddresses: ['operators@example.com'],
        subscriberSnsTopicArns: ['arn:aws:sns:eu-central-1:123456789012:on-call'],
      })),
    })
  },
)
