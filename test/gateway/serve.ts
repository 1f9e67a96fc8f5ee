import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2WithLambdaAuthorizer, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { afterEach } from 'vitest'
import { createGateway, type GatewayOptions, type GatewayRoute, gatewayServer } from '../../local/gateway/gateway.ts'

export type Event = APIGatewayProxyEventV2WithLambdaAuthorizer<Record<string, unknown> | null>
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string }
type Sent = Pick<RequestOptions, 'method' | 'headers'> & { body?: string | Buffer }

const closeAll: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closeAll.splice(0).map((close) => close()))
})

/** An open route. */
export const handled = (routeKey: string, handler: GatewayRoute['handler']): GatewayRoute => ({
  routeKey,
  authorized: false,
  handler,
})

/** A route that answers with its event. */
export const echo = (routeKey: string, authorized = false): GatewayRoute => ({
  routeKey,
  authorized,
  handler: async (event) => ({ statusCode: 200, body: JSON.stringify(event) }),
})

/** Handlers may return anything at all; the types are what a handler promises, not what it does. */
export const answering = (routeKey: string, result: unknown): GatewayRoute =>
  handled(routeKey, async () => result as APIGatewayProxyStructuredResultV2)

export async function serve(options: Partial<GatewayOptions>) {
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
    connect: (): Socket => connect(port, '127.0.0.1'),
    send: (path: string, sent: Sent = {}) => sendRequest(port, path, sent),
    sendRaw: (bytes: string) => sendBytes(port, bytes),
  }
}

export const eventOf = ({ text }: Answer) => JSON.parse(text) as Event

/** Not `fetch`, which repairs paths and refuses header lists that a hostile client sends. */
function sendRequest(port: number, path: string, { body, ...sent }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path, host: '127.0.0.1', agent: false, ...sent }, (incoming) => {
      const { statusCode: status = 0, headers } = incoming
      text(incoming).then((text) => resolve({ status, headers, text }), reject)
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
