import { budgetAlarm, eventAlarm, metricAlarm } from './alarm.ts'
import * as definitions from './alarm-definitions.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import { alarmTopic, heartbeat } from './heartbeat.ts'
import type { Settings } from './settings.ts'

/** Alarms for everything that somebody must be woken for. Each names its paragraph in the runbook. */
export async function alarms(
  gateway: sst.aws.ApiGatewayV2,
  signingKey: string,
  queues: CatalogQueues,
  url: $util.Output<string>,
  settings: Settings,
): Promise<void> {
  const own = alarmTopic('Alarms', 'AlarmEmail', 'alarms', settings)
  const target = { topics: [own.arn, ...settings.alarmTopics.stage], runbook: settings.RUNBOOK_URL }
  const concurrency = await aws.servicequotas.getServiceQuota({ serviceCode: 'lambda', quotaCode: 'L-B99A9384' })
  const ApiId = gateway.nodes.api.id
  const overMetrics = {
    ...definitions.requestAlarms(ApiId),
    ...definitions.accountAlarms(concurrency.value),
    SigningKeyAge: definitions.keyAgeAlarm(url, settings.SIGNING_KEY_MAX_DAYS),
    ...definitions.catalogAlarms(queues, url),
  }
  for (const [name, alarm] of Object.entries(overMetrics)) metricAlarm(name, target, alarm)
  for (const [name, budget] of Object.entries(definitions.budgets(ApiId))) budgetAlarm(name, target, budget)
  for (const [name, alarm] of Object.entries(definitions.eventAlarms(signingKey))) eventAlarm(name, target, alarm)
  mayPublish(own)
  heartbeat(url, settings)
  spending(settings)
}

/** EventBridge takes no conditions here: https://repost.aws/knowledge-center/sns-not-getting-eventbridge-notification */
function mayPublish({ arn }: aws.sns.Topic): void {
  const statement = (service: string) => ({
    Effect: 'Allow',
    Principal: { Service: `${service}.amazonaws.com` },
    Action: 'sns:Publish',
    Resource: arn,
  })
  const ofAccount = { StringEquals: { 'aws:SourceAccount': aws.getCallerIdentityOutput().accountId } }
  new aws.sns.TopicPolicy('AlarmsPolicy', {
    arn,
    policy: $jsonStringify({
      Version: '2012-10-17',
      Statement: [{ ...statement('cloudwatch'), Condition: ofAccount }, statement('events')],
    }),
  })
}

/** AWS Budgets counts the whole account, in US dollars. */
function spending({ MONTHLY_BUDGET, ALARM_EMAIL, alarmTopics }: Settings): void {
  if (MONTHLY_BUDGET === undefined) return
  const above = {
    comparisonOperator: 'GREATER_THAN',
    threshold: 100,
    thresholdType: 'PERCENTAGE',
    ...(ALARM_EMAIL && { subscriberEmailAddresses: [ALARM_EMAIL] }),
    // A notification takes one topic: https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_CreateNotification.html
    subscriberSnsTopicArns: alarmTopics.stage.slice(0, 1),
  }
  new aws.budgets.Budget('MonthlyBudget', {
    name: `${$app.name}-${$app.stage}`,
    budgetType: 'COST',
    timeUnit: 'MONTHLY',
    limitAmount: MONTHLY_BUDGET,
    limitUnit: 'USD',
    notifications: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({ ...above, notificationType })),
  })
}
