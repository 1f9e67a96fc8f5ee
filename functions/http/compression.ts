import { constants, gzipSync } from 'node:zlib'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/** Shorter texts gain less than their headers cost, in characters. */
const compressedFrom = 1024

/** Higher levels take 1.6 to 7 times as long, and send 16 to 26 % less (docs/costs.md#prices). */
const options = { level: constants.Z_BEST_SPEED }

/**
 * Compresses the text of a response for a caller who accepts gzip (RFC 9110, section 12.5.3). An HTTP API compresses nothing
 * itself, and sends base64 as the bytes that it stands for. A text that base64 would make longer is sent as it is: Lambda
 * counts base64 against its 6 MB.
 */
export function compressed(
  response: APIGatewayProxyStructuredResultV2 & { readonly body: string },
  acceptEncoding: string | undefined,
): APIGatewayProxyStructuredResultV2 {
  const headers = { ...response.headers, vary: 'accept-encoding' }
  if (!acceptsGzip(acceptEncoding) || response.body.length < compressedFrom) return { ...response, headers }
  const body = gzipSync(response.body, options).toString('base64')
  if (body.length >= Buffer.byteLength(response.body)) return { ...response, headers }
  return { ...response, headers: { ...headers, 'content-encoding': 'gzip' }, body, isBase64Encoded: true }
}

/** Whether the header names gzip, or failing that `*`, with a weight above 0. */
function acceptsGzip(acceptEncoding = ''): boolean {
  const codings = acceptEncoding.toLowerCase().split(',')
  const [named] = ['gzip', '*'].flatMap((name) => codings.filter((coding) => coding.split(';')[0]?.trim() === name))
  return named !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(named)
}
