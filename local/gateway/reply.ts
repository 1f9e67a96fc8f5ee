import { type IncomingMessage, STATUS_CODES, validateHeaderValue } from 'node:http'
import { crossOrigin } from '../../functions/http/headers.ts'

export type Reply = {
  status: number
  headers: Record<string, string>
  body: Buffer
}

const messages: Record<number, string> = { 413: 'Request Entity Too Large' }

export function gatewayReply(status: number): Reply {
  const message = messages[status] ?? STATUS_CODES[status]
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message })),
  }
}

/** The reply from a function's result. AWS accepts other forms too. Here they are a 500. */
export function replyTo(payload: string): Reply {
  const result = Object(JSON.parse(payload))
  const { statusCode, headers = {}, body = '', isBase64Encoded = false, ...more } = result
  const isStatus = Number.isInteger(statusCode) && statusCode >= 200 && statusCode <= 599
  const sent = sentHeaders(headers)
  if (!isStatus || !sent || typeof body !== 'string' || typeof isBase64Encoded !== 'boolean')
    return gatewayReply(500)
  if (Object.keys(more).length > 0) return gatewayReply(500)
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...sent },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}

/** @returns undefined if one of the headers can't be sent */
function sentHeaders(headers: Reply['headers']): Reply['headers'] | undefined {
  try {
    if (!Object.values(headers).every((value) => typeof value === 'string')) return undefined
    const sent = [...new Headers(headers)]
    for (const [name, value] of sent) validateHeaderValue(name, value)
    return Object.fromEntries(sent)
  } catch {
    return undefined
  }
}

/**
 * The headers of CORS. The gateway's own refusals have them too, so that a page can read a 401. An
 * origin that is not allowed gets none.
 */
export function corsHeaders(
  { method, headers: { origin } }: IncomingMessage,
  allowed: readonly string[],
) {
  const allowedOrigin = origin !== undefined && ['*', origin].find((each) => allowed.includes(each))
  if (!allowedOrigin) return {}
  return {
    'access-control-allow-origin': allowedOrigin,
    'access-control-expose-headers': crossOrigin.exposedHeaders.join(),
    ...(method === 'OPTIONS' && {
      'access-control-allow-methods': crossOrigin.methods.join(),
      'access-control-allow-headers': crossOrigin.headers.join(),
      'access-control-max-age': String(crossOrigin.maxAgeSeconds),
    }),
  }
}
