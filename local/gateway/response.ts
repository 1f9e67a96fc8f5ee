import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { InvocationOutcome } from './invoke.ts'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
}

/** API Gateway frames the response itself and writes its own request id. */
const WRITTEN_BY_GATEWAY = new Set([
  'apigw-requestid',
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const MESSAGES: Readonly<Record<number, string>> = { 413: 'Request Entity Too Large' }

export function gatewayReply(status: number): Reply {
  const message = MESSAGES[status] ?? STATUS_CODES[status]
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify({ message })) }
}

export function replyToOutcome(outcome: InvocationOutcome): Reply {
  switch (outcome.kind) {
    case 'returned':
      return interpretPayload(outcome.payload) ?? gatewayReply(500)
    case 'timed out':
      return gatewayReply(503)
    // Lambda takes less than the gateway's own 10 MB, and the gateway passes that refusal on as its own.
    case 'event too large':
      return gatewayReply(413)
    case 'threw':
    case 'result too large':
      return gatewayReply(500)
  }
}

/** A payload without `statusCode` is itself the body; a JSON string loses its quotes, nothing else changes. */
function interpretPayload(payload: string): Reply | undefined {
  const result: unknown = JSON.parse(payload)
  if (isRecord(result) && 'statusCode' in result) return interpretStructured(result)
  const body = Buffer.from(typeof result === 'string' ? result : payload)
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

function interpretStructured({
  statusCode,
  headers = null,
  cookies = null,
  body = null,
  isBase64Encoded = null,
}: Record<string, unknown>): Reply | undefined {
  const sentHeaders = interpretHeaders(headers ?? {}, cookies ?? [])
  const sentBody = interpretBody(body ?? '', isBase64Encoded ?? false)
  if (!isFinalStatus(statusCode) || sentHeaders === undefined || sentBody === undefined) return undefined
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...sentHeaders },
    body: sentBody,
  }
}

function isFinalStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599
}

function interpretHeaders(headers: unknown, cookies: unknown): Record<string, string | string[]> | undefined {
  if (!isRecord(headers) || !Array.isArray(cookies)) return undefined
  const sent = new Map<string, string | string[]>()
  const setCookies: unknown[] = [...cookies]
  for (const [name, value] of Object.entries(headers)) {
    const lowerCased = name.toLowerCase()
    if (value === null || WRITTEN_BY_GATEWAY.has(lowerCased)) continue
    if (!isSendable(lowerCased, value)) return undefined
    if (lowerCased === 'set-cookie') setCookies.push(String(value))
    else sent.set(lowerCased, String(value))
  }
  if (!setCookies.every((cookie) => typeof cookie === 'string' && isSendable('set-cookie', cookie))) return undefined
  if (setCookies.length > 0) sent.set('set-cookie', setCookies.map(String))
  return Object.fromEntries(sent)
}

function isSendable(name: string, value: unknown): boolean {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return false
  try {
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
    return true
  } catch {
    return false
  }
}

function interpretBody(body: unknown, isBase64Encoded: unknown): Buffer | undefined {
  if (typeof body !== 'string' || typeof isBase64Encoded !== 'boolean') return undefined
  if (!isBase64Encoded) return Buffer.from(body)
  return /^[A-Za-z0-9+/]*={0,2}$/.test(body) ? Buffer.from(body, 'base64') : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
