import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/** A page or file that only the local server has. */
export type Page = {
  readonly type: string
  /** What the page may load, where that is less than what all pages may. */
  readonly policy?: string
  /** Whether it changes something. Then it takes a POST, of the server's own pages alone. */
  readonly changes?: true
  /** @throws RefusedCall */
  content(query: URLSearchParams): string | Buffer | Promise<string | Buffer>
}

/** By path. */
export type Pages = ReadonlyMap<string, Page>

/** A call that a page can't answer, for a reason that its reader can mend. */
export class RefusedCall extends Error {}

/** Nothing on these pages comes from, or goes to, any other place. */
const headers = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** Serves the pages before the gateway, which gets every other request and knows nothing of them. */
export function withPages(server: Server, pages: Pages): void {
  const gateway = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const [path = '', query] = (request.url ?? '').split('?', 2)
    const page = pages.get(path)
    if (page && isFor(page, request)) answer(response, page, new URLSearchParams(query)).catch(() => response.destroy())
    else for (const listener of gateway) listener.call(server, request, response)
  })
}

/** A browser names the page that sends a POST. */
function isFor({ changes }: Page, { method, headers }: IncomingMessage): boolean {
  if (changes) return method === 'POST' && headers.origin === `http://${headers.host}`
  return method === 'GET' || method === 'HEAD'
}

async function answer(response: ServerResponse, page: Page, query: URLSearchParams): Promise<void> {
  const { type, policy } = page
  try {
    const body = await page.content(query)
    response.writeHead(200, { ...headers, ...(policy && { 'content-security-policy': policy }), 'content-type': type })
    response.end(body)
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error
    response.writeHead(400, { ...headers, 'content-type': 'application/json' })
    response.end(JSON.stringify({ message: error.message }))
  }
}
