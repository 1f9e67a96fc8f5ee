import { parseJson } from '@embed-access/core/json.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** The length of the longest body, in bytes (docs/specification.md#requests-and-responses). */
export const maxBodyBytes = 256 * 1024

const parser = httpJsonBodyParser({ disableContentTypeCheck: true })

/**
 * Parses the body as JSON, in place. The parser's own reviver does not see how a number was written.
 * @throws Refusal `unsupported_media_type`, `body_too_large`, `malformed_json`
 */
export function readJson(event: APIGatewayProxyEventV2): void {
  requireJson(event)
  const { body = '', isBase64Encoded } = event
  try {
    parser.before?.({ event } as Parameters<NonNullable<typeof parser.before>>[0])
  } catch (error) {
    throw malformed(error)
  }
  Object.assign(event, { body: parseJson(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body) })
}

/** @throws Refusal `unsupported_media_type`, `body_too_large` */
function requireJson({ headers, body = '', isBase64Encoded }: APIGatewayProxyEventV2): void {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new Refusal('unsupported_media_type')
  }
  if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
    throw new Refusal('body_too_large', `The body must have at most ${maxBodyBytes} bytes.`)
  }
}

/** The parser also refuses keys that would change an object's prototype. */
function malformed(error: unknown): Refusal {
  const forbidden = error instanceof Error && error.message.startsWith('Forbidden key')
  return new Refusal(
    'malformed_json',
    forbidden
      ? 'The body must not have the key __proto__, nor a constructor with a prototype.'
      : 'The body is not well-formed JSON, or is nested too deep.',
  )
}
