import type { Server } from 'node:http'
import { duplexPair } from 'node:stream'
import type { Call, Reply } from './service.ts'

/** Sends a request to a server that does not listen, over a connection that never leaves the process. */
export function sendTo(
  server: Server,
  method: string,
  path: string,
  { key, authorization = key && `Bearer ${key}`, headers = {}, body }: Call,
): Promise<Reply> {
  const [client, connection] = duplexPair()
  server.emit('connection', connection)
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = {
    host: 'embed.test',
    connection: 'close',
    ...(authorization !== undefined && { authorization }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
  client.write([`${method} ${path} HTTP/1.1`, ...head, '', text].join('\r\n'))
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    client.on('data', (chunk: Buffer) => chunks.push(chunk))
    client.on('end', () => resolve(parsed(Buffer.concat(chunks).toString())))
  })
}

function parsed(response: string): Reply {
  const [head = '', ...rest] = response.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const text = rest.join('\r\n\r\n')
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
  const body = headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
  return { status: Number(status.split(' ')[1]), headers, text, body }
}
