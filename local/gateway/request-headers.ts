import type { IncomingMessage } from 'node:http'

/** API Gateway consumes what concerns one connection only. Cookies are left out because no function reads them. */
const WITHHELD = new Set([
  'connection',
  'cookie',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Reads `rawHeaders`, because `headers` silently drops the second of two Authorization headers. */
export function readHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const joined = new Map<string, string>()
  for (const [name, value] of rawHeaderPairs(request)) {
    if (WITHHELD.has(name)) continue
    const earlier = joined.get(name)
    joined.set(name, earlier === undefined ? value : `${earlier},${value}`)
  }
  return Object.fromEntries(joined)
}

/** AWS limits "total combined size of request line and header values": names do not count. */
export function sizeOfRequestLineAndHeaderValues(request: IncomingMessage): number {
  const requestLine = `${request.method} ${request.url} HTTP/${request.httpVersion}`
  return rawHeaderPairs(request).reduce((sum, [, value]) => sum + value.length, requestLine.length)
}

function rawHeaderPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index]?.toLowerCase() ?? '', rawHeaders[index + 1] ?? ''])
  }
  return pairs
}
