import { parseJson } from '@embed-access/core/json.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import type middy from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { jsonMistake } from './json-mistake.ts'

/** The length of the longest body, in bytes (docs/specification.md#requests-and-responses). */
export const maxBodyBytes = 256 * 1024

type Middleware = middy.MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, Context, { text?: string }>

/** Refuses what is not to be parsed, and says what was wrong with what was. */
const refusal: Middleware = {
  before({ event: { headers, body = '', isBase64Encoded }, internal }) {
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw new Refusal('unsupported_media_type')
    if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBodyBytes) {
      throw new Refusal('body_too_large', `The body must have at most ${maxBodyBytes} bytes.`)
    }
    internal.text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body
  },
  onError(request) {
    const { package: from, data, message = '' } = (request.error?.cause ?? {}) as ParserCause
    if (from !== '@middy/http-json-body-parser') return
    // Where JSON.parse fails there is its message. Otherwise there was no body, or `data` is a key that would change a prototype.
    const isForbiddenKey = data !== undefined && message === ''
    request.error = new Refusal(
      'malformed_json',
      isForbiddenKey
        ? 'The body must not have the key __proto__, nor a constructor with a prototype.'
        : jsonMistake(request.internal.text ?? '', message),
    )
  },
}

/** What the parser says of an error. */
type ParserCause = { readonly package?: string; readonly data?: unknown; readonly message?: string }

/** The parser's own reviver does not see how a number was written. */
const exactNumbers: Middleware = {
  before({ event, internal }) {
    Object.assign(event, { body: parseJson(internal.text ?? '') })
  },
}

/** Middlewares that parse the body as JSON, in place. */
export const jsonBody = [refusal, httpJsonBodyParser({ disableContentTypeCheck: true }), exactNumbers]
