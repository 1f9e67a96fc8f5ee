import type { Inputs } from './mocks.ts'

/*
 * What AWS refuses as it deploys, as its pages say. No model of its APIs knows these.
 */

type Rule = readonly [page: string, allows: (inputs: Inputs, region: string) => boolean]

const docs = 'https://docs.aws.amazon.com'

const lengthOf = (most: number) => (text: string) => text.length <= most && /^[\w.:/-]+$/.test(text)

const reservedHeader = new RegExp(
  '^(cache-control|connection|content-length|cookie|host|if-.*|max-forwards|pragma|range|' +
    'request-range|te|trailer|transfer-encoding|upgrade|via|x-real-ip)$',
  'i',
)

export const refusals: Readonly<Record<string, readonly Rule[]>> = {
  'budgets:Budget': [
    [
      `${docs}/cost-management/latest/userguide/budgets-sns-policy.html`,
      ({ notifications }) =>
        notifications.every(({ subscriberSnsTopicArns: topics }: Inputs) =>
          topics.every((each: string) => each.includes(':123456789012:')),
        ),
    ],
  ],
  'cloudfront:Distribution': [
    [
      `${docs}/AmazonCloudFront/latest/DeveloperGuide/add-origin-custom-headers.html`,
      ({ origins }) =>
        origins.every(({ customHeaders }: Inputs) =>
          customHeaders.every(
            ({ name }: Inputs) =>
              !/^(x-amz-|x-edge-|proxy-)/i.test(name) && !reservedHeader.test(name),
          ),
        ),
    ],
    [
      `${docs}/AmazonCloudFront/latest/DeveloperGuide/cnames-and-https-requirements.html`,
      ({ viewerCertificate, webAclId }) =>
        [viewerCertificate.acmCertificateArn, webAclId].every((each) => /us-east-1/.test(each)),
    ],
  ],
  'wafv2:WebAcl': [
    [
      `${docs}/waf/latest/APIReference/API_RateBasedStatement.html`,
      ({ scope, rules }, region) =>
        scope === 'CLOUDFRONT' &&
        region === 'us-east-1' &&
        rules.every(
          ({ statement: { rateBasedStatement: rate } }: Inputs) =>
            rate.limit >= 10 && [60, 120, 300, 600].includes(rate.evaluationWindowSec),
        ),
    ],
  ],
  'cloudwatch:MetricAlarm': [
    [
      `${docs}/AmazonCloudWatch/latest/monitoring/using-metric-math.html`,
      ({ metricQueries = [] }) => metricQueries.length <= 11,
    ],
    [
      `${docs}/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html`,
      ({ evaluationPeriods, datapointsToAlarm, period, metricQueries = [] }) => {
        const [{ metric, period: ofQuery } = {} as Inputs] = metricQueries
        const seconds = period ?? metric?.period ?? ofQuery
        return (
          datapointsToAlarm <= evaluationPeriods &&
          seconds % 60 === 0 &&
          seconds * evaluationPeriods <= 86_400
        )
      },
    ],
    [
      `${docs}/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html`,
      ({ alarmActions }, region) =>
        alarmActions.every((each: string) => each.includes(`:${region}:`)),
    ],
    // Route 53 and certificates write their metrics in their own region.
    [
      `${docs}/Route53/latest/DeveloperGuide/monitoring-cloudwatch.html`,
      ({ namespace }, region) => namespace !== 'AWS/Route53' || region === 'us-east-1',
    ],
    [
      `${docs}/acm/latest/userguide/cloudwatch-metrics.html`,
      ({ metricQueries = [] }, region) =>
        metricQueries.every(
          ({ metric }: Inputs) =>
            metric?.dimensions.CertificateArn?.includes(`:${region}:`) ?? true,
        ),
    ],
  ],
  'cloudwatch:CompositeAlarm': [
    [
      `${docs}/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html`,
      ({ alarmRule }) => alarmRule.match(/ALARM/g).length <= 100,
    ],
  ],
  'cloudwatch:EventTarget': [
    [
      `${docs}/eventbridge/latest/userguide/eb-service-cross-account.html`,
      ({ arn, roleArn }) => (roleArn !== undefined) === !arn.includes(':123456789012:'),
    ],
  ],
  'cloudwatch:LogSubscriptionFilter': [
    [
      `${docs}/AmazonCloudWatchLogs/latest/APIReference/API_PutSubscriptionFilter.html`,
      ({ destinationArn }, region) => destinationArn.includes(`:${region}:`),
    ],
  ],
  'iam:Role': [
    [
      `${docs}/IAM/latest/UserGuide/reference_iam-quotas.html`,
      ({ name, inlinePolicies }) =>
        lengthOf(64)(name) && JSON.stringify(inlinePolicies).length <= 10_240,
    ],
  ],
  'lambda:EventSourceMapping': [
    [
      `${docs}/lambda/latest/dg/services-sqs-configure.html`,
      ({ batchSize, maximumBatchingWindowInSeconds: window, scalingConfig }) =>
        (batchSize <= 10 || window >= 1) && scalingConfig.maximumConcurrency >= 2,
    ],
  ],
  'lambda:Function': [
    [
      `${docs}/lambda/latest/dg/configuration-envvars.html`,
      ({ name, environment: { variables } }) =>
        lengthOf(64)(name) &&
        JSON.stringify(variables).length <= 4096 &&
        Object.keys(variables).every((each) => !/^(AWS_|LAMBDA_|_HANDLER)/.test(each)),
    ],
  ],
  'route53:HealthCheck': [
    [
      `${docs}/Route53/latest/APIReference/API_HealthCheckConfig.html`,
      ({ requestInterval }) => [10, 30].includes(requestInterval),
    ],
  ],
  'sqs:Queue': [
    [
      `${docs}/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html`,
      ({ name, messageRetentionSeconds, maxMessageSize }) =>
        lengthOf(80)(name) && messageRetentionSeconds <= 1_209_600 && maxMessageSize <= 1_048_576,
    ],
  ],
}
