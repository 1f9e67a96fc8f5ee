import { operations } from '../functions/operations/operations.ts'
import { alarmName, described } from './alarm.ts'
import { heartbeatRegion, type Settings } from './settings.ts'

/**
 * Asks for the key set every 30 seconds from several places of the world, and rings when it is not there, or nobody asks any
 * more. Alarm and topic are where Route 53 keeps what it finds.
 */
export function heartbeat(url: $util.Output<string>, settings: Settings): void {
  const provider = new aws.Provider('Heartbeat', { region: heartbeatRegion })
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
  const text = { description: 'The key set cannot be read from outside.', heading: 'Heartbeat' }
  new aws.cloudwatch.MetricAlarm(
    'HeartbeatAlarm',
    {
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
    },
    { provider },
  )
}

/** A topic that tells the operators' address. */
export function alarmTopic(
  topicName: string,
  emailName: string,
  suffix: string,
  { ALARM_EMAIL }: Settings,
  options?: $util.CustomResourceOptions,
): aws.sns.Topic {
  const names = { name: alarmName(suffix), displayName: `${$app.name} ${$app.stage}` }
  const topic = new aws.sns.Topic(topicName, names, options)
  if (ALARM_EMAIL) {
    const subscription = { topic: topic.arn, protocol: 'email', endpoint: ALARM_EMAIL }
    new aws.sns.TopicSubscription(emailName, subscription, options)
  }
  return topic
}
