import { type AlarmTarget, alarmName, described } from './alarm.ts'

/** What AWS tells by an event and not by a metric: something is wrong with the signing keys' KMS key, or with a backup. */
export function eventAlarms(own: aws.sns.Topic, target: AlarmTarget, signingKey: string): void {
  new aws.sns.TopicPolicy('AlarmsPolicy', {
    arn: own.arn,
    // EventBridge takes no conditions here: https://repost.aws/knowledge-center/sns-not-getting-eventbridge-notification
    policy: $jsonStringify({
      Version: '2012-10-17',
      Statement: ['cloudwatch', 'events'].map((service) => ({
        Effect: 'Allow',
        Principal: { Service: `${service}.amazonaws.com` },
        Action: 'sns:Publish',
        Resource: own.arn,
        ...(service === 'cloudwatch' && {
          Condition: { StringEquals: { 'aws:SourceAccount': aws.getCallerIdentityOutput().accountId } },
        }),
      })),
    }),
  })
  // KMS sends no event of its own when a key is disabled. CloudTrail does, where the account has a trail:
  // https://docs.aws.amazon.com/prescriptive-guidance/latest/patterns/get-amazon-sns-notifications-when-the-key-state-of-an-aws-kms-key-changes.html
  eventAlarm('SigningKeyAtRisk', target, {
    description: 'The KMS key of the signing keys was disabled, or is about to be deleted.',
    heading: 'Rotation gone wrong',
    pattern: {
      source: ['aws.kms'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: { eventName: ['DisableKey', 'ScheduleKeyDeletion'], resources: { ARN: [signingKey] } },
    },
  })
  // https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html
  eventAlarm('FailedBackup', target, {
    description: 'A table was not backed up, or its copy did not reach the other account.',
    heading: 'Failed backup',
    pattern: {
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED'],
        resourceArn: [{ wildcard: `arn:aws:dynamodb:*:table/${$app.name}-${$app.stage}-*` }],
      },
    },
  })
}

function eventAlarm(
  name: string,
  { topics, runbook }: AlarmTarget,
  {
    description,
    heading,
    pattern,
  }: { readonly description: string; readonly heading: string; readonly pattern: object },
): void {
  const text = described(description, heading, runbook)
  const rule = new aws.cloudwatch.EventRule(`${name}Rule`, {
    name: alarmName(name),
    description: text,
    eventPattern: JSON.stringify(pattern),
  })
  for (const [index, arn] of topics.entries()) {
    new aws.cloudwatch.EventTarget(`${name}Target${index}`, { rule: rule.name, arn, input: JSON.stringify(text) })
  }
}
