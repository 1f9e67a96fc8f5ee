import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Call, headersOf, type Reply, replyOf } from '../support/service.ts'

/**
 * Sends a request to a server that does not listen, over a connection that never leaves the
 * process.
 */
export async function sendTo(
  server: Server,
  method: string,
  path: string,
  call: Call,
): Promise<Reply> {
  const [client, connection] = duplexPair()
  server.emit('connection', connection)
  const headers = { host: 'embed.test', connection: 'close', ...headersOf(call) }
  const sent = request({ method, path, headers, createConnection: () => client })
  sent.end(call.body === undefined ? undefined : JSON.stringify(call.body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const received = new Headers(response.headers as Record<string, string>)
  return replyOf(response.statusCode as number, received, await text(response))
}
