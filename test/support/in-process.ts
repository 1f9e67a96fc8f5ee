import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import { duplexPair } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import type { Call, Reply } from './service.ts'

/** Sends a request to a server that does not listen, over a connection that never leaves the process. */
export async function sendTo(
  server: Server,
  method: string,
  path: string,
  { key, authorization = key && `Bearer ${key}`, headers, body }: Call,
): Promise<Reply> {
  const [client, connection] = duplexPair()
  server.emit('connection', connection)
  const sent = request({
    ...{ method, path, createConnection: () => client },
    headers: {
      ...{ host: 'embed.test', connection: 'close' },
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = await textOf(response)
  const received = new Headers(response.headers as Record<string, string>)
  const isJson = received.get('content-type')?.includes('json')
  return {
    ...{ status: response.statusCode as number, headers: received, text },
    body: isJson ? JSON.parse(text) : undefined,
  }
}
