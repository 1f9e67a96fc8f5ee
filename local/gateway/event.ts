import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseQuery, type RequestTarget, readHeaders } from './request.ts'

type RoutedRequest = {
  request: IncomingMessage
  target: RequestTarget
  routeKey: string
  pathParameters: Record<string, string> | undefined
  requestId: string
  receivedAt: number
  bodyLength: number
}

/** What the authorizer's event and the function's event have in common. */
export type RequestDescription = ReturnType<typeof describeRequest>

export function describeRequest(routed: RoutedRequest) {
  const { request, target, routeKey, pathParameters, requestId, receivedAt, bodyLength } = routed
  const { path, rawQueryString } = target
  const headers = readHeaders(request)
  const domainName = (headers.host ?? 'localhost').replace(/:\d*$/, '')
  const forwarded = headers['x-forwarded-for']
  const sourceIp = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return {
    version: '2.0' as const,
    routeKey,
    rawPath: path,
    rawQueryString,
    headers: {
      ...headers,
      'content-length': String(bodyLength),
      'x-amzn-trace-id': traceId(receivedAt),
      'x-forwarded-for': forwarded === undefined ? sourceIp : `${forwarded}, ${sourceIp}`,
      'x-forwarded-port': String(request.socket.localPort ?? ''),
      'x-forwarded-proto': 'http',
    } as Record<string, string>,
    queryStringParameters: parseQuery(rawQueryString),
    pathParameters,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.replace(/\..*/, ''),
      http: {
        method: request.method ?? '',
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(receivedAt),
      timeEpoch: receivedAt,
    },
  }
}

/**
 * The content types whose bodies AWS passes on as text. Others come as base64, and so do bodies
 * without a content type.
 */
const textType = /^(text\/[^;]*|application\/(json|xml|javascript))\s*(;|$)/i

export function encodeBody(bytes: Buffer, contentType = '') {
  if (bytes.length === 0) return { isBase64Encoded: false }
  const isBase64Encoded = !textType.test(contentType)
  return { body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded }
}

function traceId(epoch: number): string {
  const seconds = Math.floor(epoch / 1000).toString(16)
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(epoch: number): string {
  const [, day, month, year, time] = new Date(epoch).toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}
