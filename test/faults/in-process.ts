import { request, type Server } from 'node:http'
import { duplexPair } from 'node:stream'
import { type Call, headersOf, type Reply, replyTo } from '../support/service.ts'

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
  return replyTo(request({ method, path, headers, createConnection: () => client }), call)
}
