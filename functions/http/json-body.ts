import { parseJson } from '@embed-access/core/json.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import type middy from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { bodyTooLarge, maxBodyBytes, whyNotJson } from './unreadable-body.ts'

type Middleware = middy.MiddlewareObj<
  APIGatewayProxyEventV2,
  unknown,
  Error,
  Context,
  { text: string }
>

type ParserCause = { readonly package?: string; readonly data?: unknown; readonly message?: string }

/** Refuses a body that must not be parsed, and says why a body could not be parsed. */
const refusal: Middleware = {
  before({ event: { headers, body = '', isBase64Encoded }, internal }) {
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
      throw new Refusal('unsupported_media_type')
    if (/gzip|compress|deflate|br|zstd/i.test(headers['content-encoding'] ?? ''))
      throw new Refusal('unsupported_media_type', 'The body must not be compressed.')
    if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
      throw bodyTooLarge()
    }
    internal.text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body
  },
  onError(request) {
    const { package: from, data, message = '' }: ParserCause = Object(request.error?.cause)
    if (from !== '@middy/http-json-body-parser') return
    // If JSON.parse failed, the cause has its message. If a key would change a prototype, the cause
    // has `data` and no message. If the body is missing, it has neither.
    const isForbiddenKey = data !== undefined && message === ''
    const forbidden =
      'The body must not have the key __proto__, or a key prototype inside a key constructor.'
    const mistake = isForbiddenKey ? forbidden : whyNotJson(request.internal.text, message)
    request.error = new Refusal('malformed_json', mistake)
  },
}

/**
 * Parses the text once more, because the parser's reviver does not see how a number was written.
 */
const exactNumbers: Middleware = {
  before({ event, internal }) {
    try {
      Object.assign(event, { body: parseJson(internal.text) })
    } catch (error) {
      // At some depths there is room on the stack for the first parser, and not for this one.
      throw new Refusal('malformed_json', whyNotJson(internal.text, String(error)))
    }
  },
}

/** Middlewares that parse the body as JSON, in place. */
export const jsonBody = [
  refusal,
  httpJsonBodyParser({ disableContentTypeCheck: true }),
  exactNumbers,
]
