import type { Functions } from './functions.ts'

/**
 * All lines about a request and about the decision on its credential. Put in the request's id, and
 * then the `decisionId` of its line, if that is another one (docs/operations.md).
 */
const ofOneRequest = `fields @timestamp, @log, requestId, decisionId, routeKey, status, invocation,
  refused, event, reason, message, durationMs, awsRequestId, integrationRequestId, traceId
| filter requestId in ["REQUEST-ID", "DECISION-ID"]
| sort @timestamp`

/** What operators ask again and again, saved in Logs Insights. It costs nothing. */
export function queries({ nodes }: sst.aws.ApiGatewayV2, functions: Functions): void {
  const logs = Object.values(functions).map((each) =>
    each.nodes.function.loggingConfig.apply(({ logGroup }) => logGroup),
  )
  new aws.cloudwatch.QueryDefinition('RequestQuery', {
    name: `${$app.name}-${$app.stage}/one request`,
    logGroupNames: [nodes.logGroup.name, ...logs],
    queryString: ofOneRequest,
  })
}
