import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { InvocationOutcome } from './invoke.ts'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const MESSAGES: Readonly<Record<number, string>> = { 413: 'Request Entity Too Large' }

export function gatewayReply(status: number): Reply {
  const message = MESSAGES[status] ?? STATUS_CODES[status]
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify({ message })) }
}

export function replyToOutcome(outcome: InvocationOutcome): Reply {
  if (outcome.kind === 'returned') return interpretPayload(outcome.payload) ?? gatewayReply(500)
  if (outcome.kind === 'timed out') return gatewayReply(503)
  // Lambda takes less than the gateway's own 10 MB, and the gateway passes that refusal on as its own.
  return gatewayReply(outcome.kind === 'event too large' ? 413 : 500)
}

/** A status, headers and a text, or bytes as base64, are all that a function returns here. AWS takes more, which is a 500 here. */
function interpretPayload(payload: string): Reply | undefined {
  const result: unknown = JSON.parse(payload)
  if (!isRecord(result)) return undefined
  const { statusCode, headers = {}, body = '', isBase64Encoded = false, ...more } = result
  if (!isFinalStatus(statusCode) || !isRecord(headers) || typeof body !== 'string') return undefined
  if (typeof isBase64Encoded !== 'boolean') return undefined
  if (Object.keys(more).length > 0) return undefined
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (!sent.every(isSendable)) return undefined
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...Object.fromEntries(sent) },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}

const isFinalStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599

function isSendable(header: readonly [string, unknown]): header is readonly [string, string] {
  const [name, value] = header
  if (typeof value !== 'string') return false
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
