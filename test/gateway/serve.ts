import { type IncomingHttpHeaders, type RequestOptions, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { APIGatewayProxyEventV2WithLambdaAuthorizer, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { afterEach } from 'vitest'
import { createGateway, type GatewayOptions, type GatewayRoute, gatewayServer } from '../../local/gateway/gateway.ts'

export type Event = APIGatewayProxyEventV2WithLambdaAuthorizer<Record<string, unknown> | null>
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string }
type Sent = Pick<RequestOptions, 'method' | 'headers'> & { body?: string | Buffer }

type RunningGateway = {
  readonly server: Server
  readonly port: number
  readonly logged: string[]
  readonly send: (path: string, sent?: Sent) => Promise<Answer>
  readonly sendRaw: (bytes: string) => Promise<string>
  readonly connect: () => Socket
  readonly close: () => Promise<void>
}

const closeAll: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closeAll.splice(0).map((close) => close()))
})

export function echo(routeKey: string, authorized = false): GatewayRoute {
  return { routeKey, authorized, handler: async (event) => ({ statusCode: 200, body: JSON.stringify(event) }) }
}

/** Handlers may return anything at all; the types are what a handler promises, not what it does. */
export function answering(routeKey: string, result: unknown): GatewayRoute {
  return { routeKey, authorized: false, handler: async () => result as APIGatewayProxyStructuredResultV2 }
}

export async function serve(options: Partial<GatewayOptions>): Promise<RunningGateway> {
  const logged: string[] = []
  const gateway = createGateway({
    routes: [],
    authorizer: async () => ({ isAuthorized: true, context: {} }),
    log: (line) => logged.push(line),
    ...options,
  })
  const server = gatewayServer(gateway)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  closeAll.push(close)

  return {
    server,
    port,
    logged,
    close,
    connect: () => connect(port, '127.0.0.1'),
    send: (path, sent = {}) => sendRequest(port, path, sent),
    sendRaw: (bytes) => sendBytes(port, bytes),
  }
}

export function eventOf({ text }: Answer): Event {
  return JSON.parse(text) as Event
}

/** Not `fetch`, which repairs paths and refuses header lists that a hostile client sends. */
function sendRequest(port: number, path: string, { body, ...sent }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path, host: '127.0.0.1', agent: false, ...sent }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.end(Buffer.from(bytes, 'latin1'))
  })
}
