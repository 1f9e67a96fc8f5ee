import type { Inputs } from './mocks.ts'

/*
 * What AWS refuses as it deploys, as its pages say. No model of its APIs knows these.
 */

type Rule = readonly [page: string, allows: (inputs: Inputs, region: string) => boolean]

const docs = 'https://docs.aws.amazon.com'

const lengthOf = (most: number) => (text: string) => text.length <= most && /^[\w.:/-]+$/.test(text)

export const refusals: Readonly<Record<string, readonly Rule[]>> = {
  'cloudfront:Distribution': [
    [
      `${docs}/AmazonCloudFront/latest/DeveloperGuide/cnames-and-https-requirements.html`,
      ({ viewerCertificate, webAclId }) =>
        [viewerCertificate.acmCertificateArn, webAclId].every((each) => /us-east-1/.test(each)),
    ],
  ],
  'wafv2:WebAcl': [
    [
      `${docs}/waf/latest/developerguide/waf-rule-statement-type-regex-match.html`,
      ({ rules }) =>
        rules.every(
          ({ statement: { rateBasedStatement: rate } }: Inputs) =>
            (rate.scopeDownStatement?.regexMatchStatement.regexString ?? '').length <= 512,
        ),
    ],
  ],
  'cloudwatch:MetricAlarm': [
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
        alarmActions.length <= 5 &&
        alarmActions.every((each: string) => each.includes(`:${region}:`)),
    ],
  ],
  'cloudwatch:CompositeAlarm': [
    [
      `${docs}/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html`,
      ({ alarmRule }) => alarmRule.length <= 10_240 && alarmRule.match(/ALARM/g).length <= 100,
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
}
