import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayEventRequestContextV2 } from 'aws-lambda'
import { parseQuery, type RequestTarget, readHeaders } from './request.ts'

export type RoutedRequest = {
  readonly request: IncomingMessage
  readonly target: RequestTarget
  readonly routeKey: string
  readonly pathParameters: Readonly<Record<string, string>> | undefined
  readonly requestId: string
  readonly receivedAt: number
  readonly bodyLength: number
}

/** What the authorizer's event and the function's event have in common. */
export type RequestDescription = ReturnType<typeof describeRequest>

export function describeRequest(routed: RoutedRequest) {
  const { request, target, routeKey, pathParameters, receivedAt } = routed
  const headers = readHeaders(request)
  const client = sourceIp(request)
  const forwardedFor = headers['x-forwarded-for']
  const all: Readonly<Record<string, string>> = {
    ...headers,
    'content-length': String(routed.bodyLength),
    'x-amzn-trace-id': `Root=1-${Math.floor(receivedAt / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': forwardedFor === undefined ? client : `${forwardedFor}, ${client}`,
    'x-forwarded-port': String(request.socket.localPort ?? ''),
    'x-forwarded-proto': 'http',
  }
  return {
    version: '2.0' as const,
    routeKey,
    rawPath: target.path,
    rawQueryString: target.rawQueryString,
    headers: all,
    queryStringParameters: parseQuery(target.rawQueryString),
    requestContext: describeContext(routed, headers),
    pathParameters,
  }
}

export function routeArn({ rawPath, requestContext }: RequestDescription): string {
  const { accountId, apiId, stage, http } = requestContext
  return `arn:aws:execute-api:local:${accountId}:${apiId}/${stage}/${http.method}${rawPath}`
}

/** The form of AWS's own: fifteen characters of base64 and one `=`. */
export const newRequestId = (): string => `${randomBytes(11).toString('base64url')}=`

function describeContext(
  { request, target, routeKey, requestId, receivedAt }: RoutedRequest,
  headers: Readonly<Record<string, string>>,
): APIGatewayEventRequestContextV2 {
  const domainName = (headers.host ?? 'localhost').replace(/:\d*$/, '')
  return {
    accountId: '000000000000',
    apiId: 'local',
    domainName,
    domainPrefix: domainName.split('.', 1)[0] ?? '',
    http: {
      method: request.method ?? '',
      path: target.path,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: sourceIp(request),
      userAgent: headers['user-agent'] ?? '',
    },
    requestId,
    routeKey,
    stage: '$default',
    time: commonLogTime(receivedAt),
    timeEpoch: receivedAt,
  }
}

const sourceIp = ({ socket }: IncomingMessage): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '')

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(epoch: number): string {
  const [, day, month, year, time] = new Date(epoch).toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}
