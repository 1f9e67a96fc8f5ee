import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayEventRequestContextV2 } from 'aws-lambda'
import { readHeaders } from './request-headers.ts'
import { parseQuery, type RequestTarget } from './request-target.ts'

const ACCOUNT_ID = '000000000000'
const API_ID = 'local'
const STAGE = '$default'
const REGION = 'local'

/** What the authorizer's event and the function's event have in common. */
export type RequestDescription = {
  readonly version: '2.0'
  readonly routeKey: string
  readonly rawPath: string
  readonly rawQueryString: string
  readonly headers: Readonly<Record<string, string>>
  readonly queryStringParameters: Readonly<Record<string, string>> | undefined
  readonly requestContext: APIGatewayEventRequestContextV2
  readonly pathParameters: Readonly<Record<string, string>> | undefined
}

export type RoutedRequest = {
  readonly request: IncomingMessage
  readonly target: RequestTarget
  readonly routeKey: string
  readonly pathParameters: Readonly<Record<string, string>> | undefined
  readonly requestId: string
  readonly receivedAt: number
  readonly bodyLength: number
}

export function describeRequest(routed: RoutedRequest): RequestDescription {
  const { target, routeKey, pathParameters } = routed
  const headers = readHeaders(routed.request)
  return {
    version: '2.0',
    routeKey,
    rawPath: target.path,
    rawQueryString: target.rawQueryString,
    headers: { ...headers, ...headersAddedByGateway(routed, headers['x-forwarded-for']) },
    queryStringParameters: parseQuery(target.rawQueryString),
    requestContext: describeContext(routed, headers),
    pathParameters,
  }
}

export function routeArn({ rawPath, requestContext }: RequestDescription): string {
  const { accountId, apiId, stage, http } = requestContext
  return `arn:aws:execute-api:${REGION}:${accountId}:${apiId}/${stage}/${http.method}${rawPath}`
}

/** The form of AWS's own: fifteen characters of base64 and one `=`. */
export function newRequestId(): string {
  return `${randomBytes(11).toString('base64url')}=`
}

function headersAddedByGateway({ request, receivedAt, bodyLength }: RoutedRequest, forwardedFor: string | undefined) {
  const client = sourceIp(request)
  return {
    'content-length': String(bodyLength),
    'x-amzn-trace-id': `Root=1-${Math.floor(receivedAt / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': forwardedFor === undefined ? client : `${forwardedFor}, ${client}`,
    'x-forwarded-port': String(request.socket.localPort ?? ''),
    'x-forwarded-proto': 'http',
  }
}

function describeContext(
  { request, target, routeKey, requestId, receivedAt }: RoutedRequest,
  headers: Readonly<Record<string, string>>,
): APIGatewayEventRequestContextV2 {
  const domainName = (headers.host ?? 'localhost').replace(/:\d*$/, '')
  return {
    accountId: ACCOUNT_ID,
    apiId: API_ID,
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
    stage: STAGE,
    time: commonLogTime(receivedAt),
    timeEpoch: receivedAt,
  }
}

function sourceIp(request: IncomingMessage): string {
  return (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(epoch: number): string {
  const [, day, month, year, time] = new Date(epoch).toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}
