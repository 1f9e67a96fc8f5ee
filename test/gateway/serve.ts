import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2WithLambdaAuthorizer } from 'aws-lambda'
import { beforeEach, onTestFinished } from 'vitest'
import {
  createGateway,
  type GatewayOptions,
  type GatewayRoute,
} from '../../local/gateway/gateway.ts'
import { gatewayServer } from '../../local/gateway/server.ts'
import { listening } from '../support/temporary.ts'

type Event = APIGatewayProxyEventV2WithLambdaAuthorizer<Record<string, unknown> | null>
type Answer = { status: number; headers: IncomingHttpHeaders; text: string }
type Sent = Pick<RequestOptions, 'method' | 'headers'> & { body?: string | Buffer }

export const handled = (routeKey: string, handler: GatewayRoute['handler']): GatewayRoute => ({
  routeKey,
  authorized: false,
  timeoutSeconds: 30,
  handler,
})

export const echo = (routeKey: string, authorized = false): GatewayRoute => ({
  ...handled(routeKey, async (event) => ({ statusCode: 200, body: JSON.stringify(event) })),
  authorized,
})

/** Serves until the end of the test. */
export async function serve(options: Partial<GatewayOptions>) {
  const served = await start(options)
  onTestFinished(served.end)
  return served
}

/** Serves for each test of a file or a `describe`. */
export function gatewayWith(...routes: readonly GatewayRoute[]) {
  const served = {} as Awaited<ReturnType<typeof start>>
  beforeEach(async () => Object.assign(served, await start({ routes })).end)
  return served
}

export async function start(options: Partial<GatewayOptions>) {
  const logged: string[] = []
  const gateway = createGateway({
    routes: [],
    authorizer: async () => ({ isAuthorized: true, context: {} }),
    authorizerTimeoutSeconds: 10,
    authorizerCacheSeconds: 0,
    corsOrigins: [],
    now: Date.now,
    log: (line) => logged.push(line),
    ...options,
  })
  const server = gatewayServer(gateway)
  const { url, end } = await listening(server)
  const port = Number(new URL(url).port)
  return {
    ...{ server, port, end, logged },
    connect: (): Socket => connect(port, '127.0.0.1'),
    send: (path: string, sent: Sent = {}) => sendRequest(port, path, sent),
    sendRaw: (bytes: string) => sendBytes(port, bytes),
  }
}

export const eventOf = ({ text }: Answer) => JSON.parse(text) as Event

/** Not `fetch`, which repairs paths and refuses header lists that a hostile client sends. */
function sendRequest(port: number, path: string, { body, ...sent }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, path, host: '127.0.0.1', agent: false, ...sent },
      (incoming) => {
        const { statusCode: status = 0, headers } = incoming
        text(incoming).then((text) => resolve({ status, headers, text }), reject)
      },
    )
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
