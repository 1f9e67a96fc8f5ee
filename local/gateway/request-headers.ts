import type { IncomingMessage } from 'node:http'

/** API Gateway consumes what concerns one connection only; the function never sees it. */
const CONSUMED_BY_GATEWAY = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export type RequestHeaders = {
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[] | undefined
}

/** Reads `rawHeaders`, because `headers` silently drops the second of two Authorization headers. */
export function readHeaders(request: IncomingMessage): RequestHeaders {
  const joined = new Map<string, string>()
  const cookies: string[] = []
  for (const [name, value] of rawHeaderPairs(request)) {
    if (name === 'cookie') {
      cookies.push(...value.split(/;\s*/).filter((cookie) => cookie !== ''))
    } else if (!CONSUMED_BY_GATEWAY.has(name)) {
      const earlier = joined.get(name)
      joined.set(name, earlier === undefined ? value : `${earlier},${value}`)
    }
  }
  return { headers: Object.fromEntries(joined), cookies: cookies.length > 0 ? cookies : undefined }
}

/** AWS limits "total combined size of request line and header values": names do not count. */
export function sizeOfRequestLineAndHeaderValues(request: IncomingMessage): number {
  const requestLine = `${request.method} ${request.url} HTTP/${request.httpVersion}`
  return rawHeaderPairs(request).reduce((sum, [, value]) => sum + value.length, requestLine.length)
}

export function lacksHost(request: IncomingMessage): boolean {
  return request.httpVersion !== '1.0' && request.headers.host === undefined
}

function rawHeaderPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index]?.toLowerCase() ?? '', rawHeaders[index + 1] ?? ''])
  }
  return pairs
}
