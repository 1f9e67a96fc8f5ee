import type { IncomingMessage } from 'node:http'

/**
 * Headers that concern one connection, which API Gateway does not pass on. Cookies are left out
 * because no function reads them.
 */
const withheld =
  /^(connection|cookie|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/

/** Reads `rawHeaders`, because `headers` silently drops the second of two Authorization headers. */
export const readHeaders = (request: IncomingMessage) =>
  joined(rawHeaderPairs(request).filter(([name]) => !withheld.test(name)))

/** AWS limits "total combined size of request line and header values". Header names don't count. */
export function sizeOfRequestLineAndHeaderValues(request: IncomingMessage): number {
  const requestLine = `${request.method} ${request.url} HTTP/${request.httpVersion}`
  return rawHeaderPairs(request).reduce((sum, [, value]) => sum + value.length, requestLine.length)
}

const rawHeaderPairs = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : [],
  )

export type RequestTarget = { path: string; rawQueryString: string }

const schemeAndAuthority = /^https?:\/\/[^/?#]*/i

/**
 * Splits a target into path and query. `new URL` is not used: it would take `//host/path` for a
 * host, and would repair targets that AWS refuses.
 */
export function parseRequestTarget(target: string): RequestTarget | undefined {
  const isAbsolute = schemeAndAuthority.test(target)
  const pathAndQuery = target.replace(schemeAndAuthority, '')
  const encodedPath = beforeQuestionMark(pathAndQuery)
  const path = decodeAsHttpApiDoes(isAbsolute && encodedPath === '' ? '/' : encodedPath)
  const rawQueryString = pathAndQuery.slice(encodedPath.length + 1)
  return path?.startsWith('/') ? { path, rawQueryString } : undefined
}

/**
 * An HTTP API decodes the path twice. In between it cuts the path at a `?`. It answers 400 to a
 * path that can't be decoded. So `%252F` arrives as `/`, `a%3Fb` as `a`, and `100%25` is refused.
 * Others have recorded this on AWS (github.com/hotsock/voker, pull request 8). We have not tried it
 * there.
 */
function decodeAsHttpApiDoes(encodedPath: string): string | undefined {
  try {
    return decodeURIComponent(beforeQuestionMark(decodeURIComponent(encodedPath)))
  } catch {
    return undefined
  }
}

const beforeQuestionMark = (text: string) => text.replace(/\?.*/s, '')

export function parseQuery(rawQueryString: string): Record<string, string> | undefined {
  // URLSearchParams drops a `?` at the start. With `&` before it, a `?` in the first name stays.
  const parameters = new URLSearchParams(`&${rawQueryString}`)
  return parameters.size > 0 ? joined([...parameters]) : undefined
}

const bodyLimit = 10 * 1024 * 1024

/**
 * @returns undefined if the body is larger than API Gateway takes
 * @throws if the client goes away
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) return undefined
  const chunks: Buffer[] = []
  let size = 0
  // By default, leaving the loop early destroys the request, and with it the socket that the 413
  // needs.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > bodyLimit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Joins the values of a repeated name with commas. */
function joined(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const all = Map.groupBy(pairs, ([name]) => name)
  return Object.fromEntries(
    [...all].map(([name, same]) => [name, same.map(([, value]) => value).join()]),
  )
}
