import { operations } from '../functions/operations/operations.ts'
import {
  type AlarmTarget,
  budgetAlarm,
  compositeAlarm,
  described,
  eventAlarm,
  metricAlarm,
  type NamedAlarm,
} from './alarm.ts'
import * as definitions from './alarm-definitions.ts'
import { keptOf } from './executions.ts'
import type { Deployment } from './functions.ts'
import { boundaryArn, policyOf, trustOnly } from './policies.ts'
import { accountOf, globalRegion, type Settings } from './settings.ts'
import { globalNameOf, nameOf } from './stage-names.ts'

/**
 * Alarms for everything that somebody must look at. Each names its paragraph in the runbook, and
 * tells the operators' own topic in its region. Alarms over metrics that wake somebody are also
 * parts of the alarm Outage, so several of them wake a person only once. Events can't be parts of
 * Outage. Nor can the heartbeat, because it is in another region. So both tell ALARM_TOPICS
 * themselves.
 */
export async function alarms(gateway: sst.aws.ApiGatewayV2, deployment: Deployment): Promise<void> {
  const { tables, queues, url, certificate, executions, settings } = deployment
  const runbook = settings.RUNBOOK_URL
  const own = alarmTopic('Alarms', 'AlarmEmail', nameOf('alarms'), settings)
  const target = { topics: [own.arn], runbook }
  const onCall = { topics: settings.alarmTopics.stage, runbook }
  const globalTarget = heartbeat(url, settings)
  const apiId = gateway.nodes.api.id
  const overMetrics = {
    ...definitions.requestAlarms(apiId),
    ...definitions.ownAlarms(url, queues, settings.SIGNING_KEY_MAX_DAYS),
    ...definitions.accountAlarms(executions, keptOf(settings)),
    ...(settings.AUDIT_DESTINATION && definitions.auditAlarms),
  }
  const waking: NamedAlarm[] = []
  for (const [name, alarm] of Object.entries(overMetrics)) {
    const made = metricAlarm(name, target, alarm)
    if (alarm.wakes) waking.push(made)
  }
  for (const [name, budget] of Object.entries(definitions.budgets(apiId)))
    for (const burn of definitions.burns) {
      const made = budgetAlarm(name, target, budget, burn)
      if (burn.wakes) waking.push(made)
    }
  if (certificate) {
    // An alarm must be in the region of its metric.
    const ofRegion = settings.hasEdge ? globalTarget : target
    metricAlarm('CertificateExpiry', ofRegion, definitions.certificateAlarm(certificate))
  }
  if (onCall.topics.length > 0) compositeAlarm('Outage', onCall, outage, waking, 'OR')
  const { accountId } = await aws.getCallerIdentity()
  const isOwn = (topic: string) => accountOf(topic) === accountId
  const roleOf = publishingRole(onCall.topics.filter((topic) => !isOwn(topic)))
  const overEvents = definitions.eventAlarms(tables.signingKeys.encryptionKey)
  for (const [name, alarm] of Object.entries(overEvents)) {
    const topics = [own.arn, ...(alarm.wakes ? onCall.topics : [])]
    eventAlarm(name, { topics, runbook }, alarm, roleOf)
  }
  allowPublishing(own)
  spending(settings, onCall.topics.find(isOwn))
}

const outage = {
  description: 'An alarm rings for which somebody must wake up. The message names it.',
  heading: 'alarms',
}

/**
 * EventBridge needs a role to tell a topic of another account, and none for a topic of its own:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-cross-account.html
 */
function publishingRole(elsewhere: readonly string[]) {
  if (elsewhere.length === 0) return () => ({})
  const policy = policyOf({ Effect: 'Allow', Action: 'sns:Publish', Resource: elsewhere })
  const { arn: roleArn } = new aws.iam.Role('EventsRole', {
    name: globalNameOf('events'),
    assumeRolePolicy: trustOnly('events'),
    permissionsBoundary: boundaryArn(),
    inlinePolicies: [{ name: 'publish', policy: JSON.stringify(policy) }],
  })
  return (topic: $util.Input<string>) =>
    typeof topic === 'string' && elsewhere.includes(topic) ? { roleArn } : {}
}

function alarmTopic(
  topicName: string,
  emailName: string,
  name: $util.Input<string>,
  { ALARM_EMAIL: endpoint }: Settings,
  options?: $util.CustomResourceOptions,
): aws.sns.Topic {
  const names = { name, displayName: `${$app.name} ${$app.stage}` }
  const topic = new aws.sns.Topic(topicName, names, options)
  if (endpoint)
    new aws.sns.TopicSubscription(
      emailName,
      { topic: topic.arn, protocol: 'email', endpoint },
      options,
    )
  return topic
}

/**
 * Lets CloudWatch and EventBridge publish to a topic. EventBridge's statement takes no condition:
 * https://repost.aws/knowledge-center/sns-not-getting-eventbridge-notification
 */
function allowPublishing({ arn }: aws.sns.Topic): void {
  const statement = (service: string) => {
    const Principal = { Service: `${service}.amazonaws.com` }
    return { Effect: 'Allow', Principal, Action: 'sns:Publish', Resource: arn }
  }
  const { accountId } = aws.getCallerIdentityOutput()
  const Condition = { StringEquals: { 'aws:SourceAccount': accountId } }
  const policy = policyOf({ ...statement('cloudwatch'), Condition }, statement('events'))
  new aws.sns.TopicPolicy('AlarmsPolicy', { arn, policy: $jsonStringify(policy) })
}

/**
 * Has Route 53 read the key set from several places of the world. Rings if that fails, or if the
 * checks stop. Returns the target for other alarms of the same region.
 */
function heartbeat(url: $util.Output<string>, settings: Settings): AlarmTarget {
  const provider = new aws.Provider('Heartbeat', { region: globalRegion })
  const name = globalNameOf('heartbeat')
  const check = new aws.route53.HealthCheck('HeartbeatCheck', {
    type: 'HTTPS_STR_MATCH',
    fqdn: url.apply((url) => new URL(url).hostname),
    port: 443,
    resourcePath: operations['get-key-set'].path,
    searchString: '"keys"',
    enableSni: true,
    requestInterval: 30,
    failureThreshold: 3,
    tags: { Name: name },
  })
  const topic = alarmTopic('HeartbeatTopic', 'HeartbeatEmail', name, settings, { provider })
  const topics = [topic.arn, ...settings.alarmTopics.heartbeat]
  const text = { description: 'The key set cannot be read from outside.', heading: 'heartbeat' }
  const alarm = {
    name: globalNameOf('Heartbeat'),
    alarmDescription: described(text, settings.RUNBOOK_URL),
    namespace: 'AWS/Route53',
    metricName: 'HealthCheckStatus',
    dimensions: { HealthCheckId: check.id },
    statistic: 'Minimum',
    period: 60,
    comparisonOperator: 'LessThanThreshold',
    threshold: 1,
    evaluationPeriods: 3,
    datapointsToAlarm: 3,
    treatMissingData: 'breaching',
    alarmActions: topics,
    okActions: topics,
  }
  new aws.cloudwatch.MetricAlarm('HeartbeatAlarm', alarm, { provider })
  return { topics: [topic.arn], runbook: settings.RUNBOOK_URL, provider }
}

/**
 * AWS Budgets counts the whole account.
 * @param topic ARN of a topic of this account. AWS Budgets tells no topic of another one:
 * https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html
 */
function spending({ MONTHLY_BUDGET, ALARM_EMAIL }: Settings, topic: string | undefined): void {
  if (MONTHLY_BUDGET === undefined) return
  const notification = {
    comparisonOperator: 'GREATER_THAN',
    threshold: 100,
    thresholdType: 'PERCENTAGE',
    ...(ALARM_EMAIL && { subscriberEmailAddresses: [ALARM_EMAIL] }),
    // A notification takes one topic:
    // https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_CreateNotification.html
    subscriberSnsTopicArns: topic ? [topic] : [],
  }
  new aws.budgets.Budget('MonthlyBudget', {
    name: globalNameOf('spending'),
    budgetType: 'COST',
    timeUnit: 'MONTHLY',
    limitAmount: MONTHLY_BUDGET,
    limitUnit: 'USD',
    notifications: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      ...notification,
      notificationType,
    })),
  })
}
