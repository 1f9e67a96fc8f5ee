import { asksAuthorizer, type OperationId, operations, routeKeyOf, routes } from '../functions/operations/operations.ts'
import { type MetricName, metricNamespace } from '../functions/runtime/metrics.ts'

/**
 * The metrics that are counted from the access log, by their names in CloudWatch: what alarms ask for, since they are 0
 * and not missing where nothing of the kind happens.
 */
export type CountedMetrics = { readonly namespace: string; readonly names: typeof counted }

const counted = {
  sessionsRedeemed: 'SessionsRedeemed',
  redemptionsRefused: 'RedemptionsRefused',
  authorizerFailures: 'AuthorizerFailures',
  throttledRequests: 'ThrottledRequests',
} as const

const ofOperation = (id: OperationId): string => `($.routeKey = "${routeKeyOf(operations[id])}")`

const onNoOpenRoute = routes
  .filter((route) => !asksAuthorizer(route))
  .map((route) => `($.routeKey != "${routeKeyOf(route)}")`)
  .join(' && ')

const patterns: Readonly<Record<keyof typeof counted, string>> = {
  sessionsRedeemed: `${ofOperation('exchange-session')} && ($.status = 200)`,
  redemptionsRefused: `${ofOperation('exchange-session')} && ($.status = 401)`,
  throttledRequests: '($.status = 429)',
  // A failure of the authorizer is a 500 that API Gateway answered without a call of the route's function. Lambda's own
  // count of errors lacks what API Gateway could not make of an answer.
  authorizerFailures: `($.status = 500) && ($.integrationRequestId = "-") && ${onNoOpenRoute}`,
}

/** A metric as a line of a widget. */
export type Line = readonly (string | { readonly label?: string; readonly stat?: string })[]

/** A metric that the functions make, of this stage. */
export const ofFunctions = (
  issuer: string,
  name: MetricName,
  options: { readonly label: string; readonly stat?: string },
  dimensions: readonly string[] = [],
): Line => [metricNamespace, name, 'issuer', issuer, ...dimensions, options]

/** Metrics that AWS does not count itself. */
export function metrics(gateway: sst.aws.ApiGatewayV2): CountedMetrics {
  const namespace = `${$app.name}/${$app.stage}`
  for (const key of Object.keys(counted) as (keyof typeof counted)[]) {
    new aws.cloudwatch.LogMetricFilter(counted[key], {
      logGroupName: gateway.nodes.logGroup.name,
      pattern: `{ ${patterns[key]} }`,
      metricTransformation: { namespace, name: counted[key], value: '1', defaultValue: '0', unit: 'Count' },
    })
  }
  accountsByRequests(gateway)
  return { namespace, names: counted }
}

/** Which accounts call what how often: of the busiest, without a metric for each account, which would cost by account. */
function accountsByRequests(gateway: sst.aws.ApiGatewayV2): void {
  new aws.cloudwatch.ContributorInsightRule('AccountsByRequests', {
    ruleName: `${$app.name}-${$app.stage}-accounts-by-requests`,
    ruleState: 'ENABLED',
    ruleDefinition: gateway.nodes.logGroup.name.apply((name) =>
      JSON.stringify({
        Schema: { Name: 'CloudWatchLogRule', Version: 1 },
        LogGroupNames: [name],
        LogFormat: 'JSON',
        Contribution: {
          Keys: ['$.accountId', '$.routeKey'],
          Filters: [{ Match: '$.accountId', NotIn: ['-'] }],
        },
        AggregateOn: 'Count',
      }),
    ),
  })
}
