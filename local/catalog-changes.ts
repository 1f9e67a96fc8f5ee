import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { maxMessageBytes } from '../functions/catalog-queue/message.ts'
import type { CatalogQueue } from './catalog-queue.ts'
import { readBody } from './gateway/request-body.ts'

export const catalogChangesPath = '/_local/catalog-changes'

/**
 * Takes catalog changes as the queue of a deployed stage does, on the local server alone: `POST` sends a message, `GET` says
 * what is pending and dead, and `POST …/redrive` sends the dead letters again.
 */
export function withCatalogChanges(server: Server, queue: CatalogQueue): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (path === catalogChangesPath || path.startsWith(`${catalogChangesPath}/`)) {
      answer(request, response, path.slice(catalogChangesPath.length), queue).catch(() => response.destroy())
    } else for (const listener of listeners) listener.call(server, request, response)
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, action: string, queue: CatalogQueue) {
  // A browser names the page that sends. No page may change the catalog.
  if (request.headers.origin !== undefined) return reply(response, 403, { message: 'This is not for web pages.' })
  switch (`${request.method} ${action}`) {
    case 'GET ':
      return reply(response, 200, { pending: queue.pending, deadLetters: queue.deadLetters })
    case 'POST /redrive':
      return reply(response, 202, { sent: queue.redrive() })
    case 'POST ': {
      const body = await readBody(request, maxMessageBytes)
      if (body.kind === 'client gone') return response.destroy()
      if (body.kind === 'too large') {
        return reply(response, 413, { message: `A message has at most ${maxMessageBytes} bytes.` })
      }
      if (body.bytes.length === 0) return reply(response, 400, { message: 'The body must be catalog changes.' })
      return reply(response, 202, { messageId: queue.send(body.bytes.toString()) })
    }
    default:
      return reply(response, 404, { message: 'Not Found' })
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (status === 413) response.shouldKeepAlive = false
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
