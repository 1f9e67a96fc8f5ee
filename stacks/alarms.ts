import { operations } from '../functions/operations/operations.ts'
import { alarmName, budgetAlarm, described, eventAlarm, metricAlarm } from './alarm.ts'
import * as definitions from './alarm-definitions.ts'
import type { Deployment } from './functions.ts'
import { globalRegion, type Settings } from './settings.ts'

/**
 * Alarms for everything that somebody must be woken for. Each names its paragraph in the runbook.
 */
export async function alarms(gateway: sst.aws.ApiGatewayV2, deployment: Deployment): Promise<void> {
  const { tables, queues, url, settings } = deployment
  const own = alarmTopic('Alarms', 'AlarmEmail', 'alarms', settings)
  const target = { topics: [own.arn, ...settings.alarmTopics.stage], runbook: settings.RUNBOOK_URL }
  const concurrency = await aws.servicequotas.getServiceQuota({
    serviceCode: 'lambda',
    quotaCode: 'L-B99A9384',
  })
  const apiId = gateway.nodes.api.id
  const overMetrics = {
    ...definitions.requestAlarms(apiId),
    ...definitions.ownAlarms(url, queues, settings.SIGNING_KEY_MAX_DAYS),
    ...definitions.accountAlarms(concurrency.value),
  }
  const events = definitions.eventAlarms(tables.signingKeys.encryptionKey)
  for (const [name, alarm] of Object.entries(overMetrics)) metricAlarm(name, target, alarm)
  for (const [name, budget] of Object.entries(definitions.budgets(apiId)))
    budgetAlarm(name, target, budget)
  for (const [name, alarm] of Object.entries(events)) eventAlarm(name, target, alarm)
  mayPublish(own)
  heartbeat(url, settings)
  spending(settings)
}

function alarmTopic(
  topicName: string,
  emailName: string,
  suffix: string,
  { ALARM_EMAIL: endpoint }: Settings,
  options?: $util.CustomResourceOptions,
): aws.sns.Topic {
  const names = { name: alarmName(suffix), displayName: `${$app.name} ${$app.stage}` }
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
 * EventBridge takes no conditions here:
 * https://repost.aws/knowledge-center/sns-not-getting-eventbridge-notification
 */
function mayPublish({ arn }: aws.sns.Topic): void {
  const statement = (service: string) => {
    return {
      Effect: 'Allow',
      Principal: { Service: `${service}.amazonaws.com` },
      Action: 'sns:Publish',
      Resource: arn,
    }
  }
  const ofAccount = {
    StringEquals: { 'aws:SourceAccount': aws.getCallerIdentityOutput().accountId },
  }
  const Statement = [{ ...statement('cloudwatch'), Condition: ofAccount }, statement('events')]
  new aws.sns.TopicPolicy('AlarmsPolicy', {
    arn,
    policy: $jsonStringify({ Version: '2012-10-17', Statement }),
  })
}

/**
 * Asks for the key set from several places of the world, and rings when it is not there, or nobody
 * asks any more.
 */
function heartbeat(url: $util.Output<string>, settings: Settings): void {
  const provider = new aws.Provider('Heartbeat', { region: globalRegion })
  const check = new aws.route53.HealthCheck('HeartbeatCheck', {
    type: 'HTTPS_STR_MATCH',
    fqdn: url.apply((url) => new URL(url).hostname),
    port: 443,
    resourcePath: operations['get-key-set'].path,
    searchString: '"keys"',
    enableSni: true,
    requestInterval: 30,
    failureThreshold: 3,
    tags: { Name: `${$app.name}-${$app.stage}` },
  })
  const topic = alarmTopic('HeartbeatTopic', 'HeartbeatEmail', 'heartbeat', settings, { provider })
  const topics = [topic.arn, ...settings.alarmTopics.heartbeat]
  const text = { description: 'The key set cannot be read from outside.', heading: 'heartbeat' }
  const alarm = {
    name: alarmName('Heartbeat'),
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
}

/** AWS Budgets counts the whole account, in US dollars. */
function spending({ MONTHLY_BUDGET, ALARM_EMAIL, alarmTopics }: Settings): void {
  if (MONTHLY_BUDGET === undefined) return
  const above = {
    comparisonOperator: 'GREATER_THAN',
    threshold: 100,
    thresholdType: 'PERCENTAGE',
    ...(ALARM_EMAIL && { subscriberEmailAddresses: [ALARM_EMAIL] }),
    // A notification takes one topic:
    // https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_CreateNotification.html
    subscriberSnsTopicArns: alarmTopics.stage.slice(0, 1),
  }
  new aws.budgets.Budget('MonthlyBudget', {
    name: `${$app.name}-${$app.stage}`,
    budgetType: 'COST',
    timeUnit: 'MONTHLY',
    limitAmount: MONTHLY_BUDGET,
    limitUnit: 'USD',
    notifications: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      ...above,
      notificationType,
    })),
  })
}
