import { alarm } from './alarm.ts'
import { catalogAlarms, concurrencyAlarm, keyAgeAlarm, requestAlarms, throttlingAlarms } from './alarm-definitions.ts'
import type { CatalogQueues } from './catalog-queues.ts'
import { eventAlarms } from './event-alarms.ts'
import { heartbeat } from './heartbeat.ts'
import type { CountedMetrics } from './metrics.ts'
import type { Settings } from './settings.ts'
import { sloAlarms } from './slo-alarms.ts'

/** Alarms for everything that somebody must be woken for. Each names its paragraph in the runbook. */
export async function alarms(
  gateway: sst.aws.ApiGatewayV2,
  signingKey: string,
  queues: CatalogQueues,
  counted: CountedMetrics,
  url: $util.Output<string>,
  settings: Settings,
): Promise<void> {
  const { alarmEmail, alarmTopics, runbook } = settings
  const own = new aws.sns.Topic('Alarms', {
    name: `${$app.name}-${$app.stage}-alarms`,
    displayName: `${$app.name} ${$app.stage}`,
  })
  if (alarmEmail) {
    new aws.sns.TopicSubscription('AlarmEmail', { topic: own.arn, protocol: 'email', endpoint: alarmEmail })
  }
  const concurrency = await aws.servicequotas.getServiceQuota({ serviceCode: 'lambda', quotaCode: 'L-B99A9384' })
  const target = { topics: [own.arn, ...alarmTopics.stage], runbook }
  const all = [
    ...requestAlarms(gateway, counted),
    ...throttlingAlarms,
    concurrencyAlarm(concurrency.value),
    keyAgeAlarm(url, settings.signingKeyMaxDays),
    ...catalogAlarms(queues, url),
  ]
  for (const [name, definition] of all) alarm(name, target, definition)
  sloAlarms(gateway, target)
  eventAlarms(own, target, signingKey)
  heartbeat(url, settings)
  spending(settings)
}

/** AWS Budgets counts the whole account, in US dollars. */
function spending({ monthlyBudget, alarmEmail, alarmTopics }: Settings): void {
  if (monthlyBudget === undefined) return
  const told = {
    ...(alarmEmail && { subscriberEmailAddresses: [alarmEmail] }),
    // A notification takes one topic: https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_CreateNotification.html
    subscriberSnsTopicArns: alarmTopics.stage.slice(0, 1),
  }
  const above = { comparisonOperator: 'GREATER_THAN', threshold: 100, thresholdType: 'PERCENTAGE', ...told }
  new aws.budgets.Budget('MonthlyBudget', {
    name: `${$app.name}-${$app.stage}`,
    budgetType: 'COST',
    timeUnit: 'MONTHLY',
    limitAmount: String(monthlyBudget),
    limitUnit: 'USD',
    notifications: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({ ...above, notificationType })),
  })
}
