import { type OperationId, operations, routeKeyOf, routes } from '../functions/operations/operations.ts'
import type { Api } from './api.ts'

/** What is counted from the access log, by the names under which CloudWatch has it. */
export type CountedMetrics = { readonly namespace: string; readonly names: typeof counted }

const counted = {
  sessionsMade: 'SessionsMade',
  sessionsRedeemed: 'SessionsRedeemed',
  redemptionsRefused: 'RedemptionsRefused',
  authorizerFailures: 'AuthorizerFailures',
} as const

const ofOperation = (id: OperationId): string => `($.routeKey = "${routeKeyOf(operations[id])}")`

const onNoPublicRoute = routes
  .filter(({ access }) => access === 'public')
  .map((route) => `($.routeKey != "${routeKeyOf(route)}")`)
  .join(' && ')

const patterns: Readonly<Record<keyof typeof counted, string>> = {
  sessionsMade: `${ofOperation('generate-session')} && ($.status = 200)`,
  sessionsRedeemed: `${ofOperation('exchange-session')} && ($.status = 200)`,
  redemptionsRefused: `${ofOperation('exchange-session')} && ($.status = 401)`,
  // Lambda counts every 401 among the authorizer's errors, because it is thrown. What really failed is a 500 before
  // the route's own function was called.
  authorizerFailures: `($.status = 500) && ($.integrationRequestId = "-") && ${onNoPublicRoute}`,
}

/** Metrics that AWS doesn't keep by itself. */
export function metrics({ gateway }: Api): CountedMetrics {
  const namespace = `${$app.name}/${$app.stage}`
  for (const key of Object.keys(counted) as (keyof typeof counted)[]) {
    new aws.cloudwatch.LogMetricFilter(counted[key], {
      logGroupName: gateway.nodes.logGroup.name,
      pattern: `{ ${patterns[key]} }`,
      metricTransformation: { namespace, name: counted[key], value: '1', defaultValue: '0', unit: 'Count' },
    })
  }
  return { namespace, names: counted }
}
