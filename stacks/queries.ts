import type { Functions } from './functions.ts'

/**
 * All lines about a request and about the decision on its credential. Put in the request's id, and
 * then the `decisionId` of its line, if that is another one (docs/operations.md).
 */
const ofOneRequest = `fields @timestamp, @log, requestId, decisionId, routeKey, status, invocation,
  refused, event, code, reason, message, durationMs, awsRequestId, integrationRequestId, traceId
| filter requestId in ["REQUEST-ID", "DECISION-ID"]
| sort @timestamp`

/** Tokens of end users, without those of actors, and how many end users got them. */
const usage = `filter event = "session.redeemed" and not ispresent(for.act.sub)
| filter for.sub like "#external#"
| stats count(*) as tokens, count_distinct(for.sub) as endUsers
  by for.accountId, for.embedTenantName
| sort endUsers desc`

/** Saved in Logs Insights, which costs nothing. */
export function queries({ nodes }: sst.aws.ApiGatewayV2, functions: Functions): void {
  const logOf = (each: sst.aws.Function) =>
    each.nodes.function.loggingConfig.apply(({ logGroup }) => logGroup)
  const ofStage = `${$app.name}-${$app.stage}`
  new aws.cloudwatch.QueryDefinition('RequestQuery', {
    name: `${ofStage}/one request`,
    logGroupNames: [nodes.logGroup.name, ...Object.values(functions).map(logOf)],
    queryString: ofOneRequest,
  })
  new aws.cloudwatch.QueryDefinition('UsageQuery', {
    name: `${ofStage}/usage`,
    logGroupNames: [logOf(functions['exchange-session'] as sst.aws.Function)],
    queryString: usage,
  })
}
