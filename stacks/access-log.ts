/**
 * The fields of a line of the access log, which is JSON. No field has text that a client chooses, such as the user
 * agent or the path: a quotation mark in it would break the line, and the metrics would not count the request.
 */
const fields = {
  requestId: '"$context.requestId"',
  requestTime: '"$context.requestTime"',
  routeKey: '"$context.routeKey"',
  // The account of the caller, as the authorizer says. On a public route there is none.
  accountId: '"$context.authorizer.accountId"',
  status: '$context.status',
  responseLatency: '"$context.responseLatency"',
  integrationLatency: '"$context.integrationLatency"',
  integrationStatus: '"$context.integration.status"',
  integrationRequestId: '"$context.integration.requestId"',
  sourceIp: '"$context.identity.sourceIp"',
}

/** API Gateway writes `-` for a missing value. Only the status always has one, so only the status is a number. */
export const accessLogFormat = `{${Object.entries(fields)
  .map(([name, value]) => `"${name}":${value}`)
  .join(',')}}`
