import type { RequestListener, Server, ServerResponse } from 'node:http'

/** A page or file that only the local server has. */
export type Page = {
  readonly type: string
  /** What the page may load, where that is less than what all pages may. */
  readonly policy?: string
  content(): string | Buffer | Promise<string | Buffer>
}

/** By path. */
export type Pages = ReadonlyMap<string, Page>

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
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const page = isRead ? pages.get((request.url ?? '').split('?', 1)[0] as string) : undefined
    if (page) answer(response, page).catch(() => response.destroy())
    else for (const listener of gateway) listener.call(server, request, response)
  })
}

async function answer(response: ServerResponse, { type, policy, content }: Page): Promise<void> {
  const body = await content()
  response.writeHead(200, { ...headers, ...(policy && { 'content-security-policy': policy }), 'content-type': type })
  response.end(body)
}
