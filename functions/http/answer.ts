import { constants, gzipSync } from 'node:zlib'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { LogFields } from '../runtime/invocation-log.ts'

/**
 * A body is JSON unless the headers say otherwise, and is sent with status 200. An answer without a
 * body is a 204.
 */
export type Answer = {
  readonly logged?: Pick<LogFields, 'pageItems' | 'signingKeyDays'>
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether it may be sent compressed. An answer with a secret must not be, because its length
   * would tell something about the secret.
   */
  readonly isCompressible?: boolean
}

/** A text of fewer characters is not compressed: the headers would cost more. */
const compressedFrom = 1024

/**
 * The response of an answer: compressed for a caller who accepts gzip (RFC 9110, section 12.5.3),
 * and a 304 without a body for a caller who has it already (section 13.1.2). An HTTP API compresses
 * nothing itself, and sends base64 as the bytes that it stands for. A text that base64 would make
 * longer is sent as it is: Lambda counts base64 against its 6 MB.
 */
export function responseOf(
  { body, headers: more, isCompressible }: Answer,
  requested: APIGatewayProxyEventV2['headers'] = {},
): APIGatewayProxyStructuredResultV2 {
  if (body === undefined) return { statusCode: 204 }
  const vary = isCompressible && { vary: 'accept-encoding' }
  const headers = { 'content-type': 'application/json', ...vary, ...more }
  if (more?.etag && isNamed(more.etag, requested['if-none-match'])) {
    return { statusCode: 304, headers: { ...vary, ...more } }
  }
  const plain = { statusCode: 200, headers, body }
  const isShort = body.length < compressedFrom
  if (!isCompressible || isShort || !acceptsGzip(requested['accept-encoding'])) return plain
  // Higher levels take longer, which costs more than the fewer bytes save.
  const zipped = gzipSync(body, { level: constants.Z_BEST_SPEED }).toString('base64')
  if (zipped.length >= Buffer.byteLength(body)) return plain
  return {
    ...plain,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: zipped,
    isBase64Encoded: true,
  }
}

/** Whether the caller has this entity. `W/` makes no difference (RFC 9110, section 13.1.2). */
function isNamed(etag: string, ifNoneMatch = ''): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((each) => ['*', bare(etag)].includes(bare(each)))
}

/** Whether the header has gzip with a weight above 0. If it does not name gzip, `*` counts. */
function acceptsGzip(acceptEncoding = ''): boolean {
  const codings = acceptEncoding.toLowerCase().split(',')
  const find = (name: string) => codings.find((coding) => coding.split(';')[0]?.trim() === name)
  const coding = find('gzip') ?? find('*')
  return coding !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(coding)
}
