import {
  asksAuthorizer,
  operations,
  routeKeyOf,
  routes,
} from '../functions/operations/operations.ts'
import type { Operation } from '../functions/operations/record.ts'
import { nameOf } from './stage-names.ts'

const isRoute = (route: Operation) => `($.routeKey = "${routeKeyOf(route)}")`
const isNotRoute = (route: Operation) => `($.routeKey != "${routeKeyOf(route)}")`

const onRouteWithAuthorizer = routes.filter((route) => !asksAuthorizer(route)).map(isNotRoute)
const onExchange = isRoute(operations['exchange-session'])
/** The heartbeat reads the key set all the time. */
const notByHeartbeat = isNotRoute(operations['get-key-set'])
/** Scanners read what is open to everybody, even if nobody can use the service. */
const notByScanners = routes
  .filter(({ access, id }) => access === 'public' && id !== 'exchange-session')
  .map(isNotRoute)

/**
 * The lines of the access log that each metric counts. Alarms use these metrics, because they are
 * 0 instead of missing while other lines come. The heartbeat's lines always come.
 */
const patterns = {
  CallersSuccesses: ['($.status < 400)', '($.integrationRequestId != "-")', ...notByScanners],
  CallersFailures: [notByHeartbeat, '($.status >= 500)'],
  SessionsRedeemed: [onExchange, '($.status = 200)'],
  RedemptionsRefused: [onExchange, '($.status = 401)'],
  ThrottledRequests: ['($.status = 429)'],
  // A failure of the authorizer is a 500 that API Gateway answered without a call of the route's
  // function. Lambda's own count of errors lacks answers that API Gateway cannot read.
  AuthorizerFailures: [
    '($.status = 500)',
    '($.integrationRequestId = "-")',
    ...onRouteWithAuthorizer,
  ],
}

export type CountedMetric = keyof typeof patterns

export const countedNamespace = (): string => `${$app.name}/${$app.stage}`

export function metrics({ nodes: { logGroup } }: sst.aws.ApiGatewayV2): void {
  const count = (name: string, all: readonly string[], more: object) =>
    new aws.cloudwatch.LogMetricFilter(name, {
      logGroupName: logGroup.name,
      pattern: `{ ${all.join(' && ')} }`,
      metricTransformation: {
        namespace: countedNamespace(),
        name,
        value: '1',
        unit: 'Count',
        ...more,
      },
    })
  for (const [name, all] of Object.entries(patterns)) count(name, all, { defaultValue: '0' })
  // A metric of each route that fails. CloudWatch takes no default beside a dimension.
  count('RouteFailures', ['($.status >= 500)'], { dimensions: { RouteKey: '$.routeKey' } })
  // Ranks the busiest accounts by route. A metric for each account would cost by account.
  new aws.cloudwatch.ContributorInsightRule('AccountsByRequests', {
    ruleName: nameOf('accounts-by-requests'),
    ruleState: 'ENABLED',
    ruleDefinition: $jsonStringify({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      LogGroupNames: [logGroup.name],
      LogFormat: 'JSON',
      Contribution: {
        Keys: ['$.accountId', '$.routeKey'],
        Filters: [{ Match: '$.accountId', NotIn: ['-'] }],
      },
      AggregateOn: 'Count',
    }),
  })
}
