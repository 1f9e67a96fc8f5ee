/**
 * The fields of a line of the access log, JSON. Nothing that a client words itself stands in it, such as its user agent
 * or the path: a quotation mark there would break the line, and hide it from the metrics that are counted from here.
 */
const fields = {
  requestId: '"$context.requestId"',
  requestTime: '"$context.requestTime"',
  routeKey: '"$context.routeKey"',
  status: '$context.status',
  responseLatency: '"$context.responseLatency"',
  integrationLatency: '"$context.integrationLatency"',
  integrationStatus: '"$context.integration.status"',
  integrationRequestId: '"$context.integration.requestId"',
  sourceIp: '"$context.identity.sourceIp"',
}

/** What has no value is written as `-`, so that the status, which always has one, is the only number. */
export const accessLogFormat = `{${Object.entries(fields)
  .map(([name, value]) => `"${name}":${value}`)
  .join(',')}}`
