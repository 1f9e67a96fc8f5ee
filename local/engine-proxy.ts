import { Agent, request } from 'node:http'
import { pipeline } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { noWebPages } from './local-app.ts'

export const databasePath = '/_local/dynamodb'

/**
 * The embedded engine, for other programs of this machine. The engine itself takes any signature and lets pages of every
 * origin in.
 * @param engine its own address, which is not printed
 */
export function engineProxy(engine: string) {
  const agent = new Agent({ keepAlive: true })
  return new Hono<{ Bindings: HttpBindings }>().use(noWebPages).all('*', ({ env: { incoming, outgoing } }) => {
    const { method, headers } = incoming
    const forwarded = request(engine, { agent, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, outgoing, () => {})
    })
    forwarded.on('error', () => outgoing.destroy())
    // An answer that comes after the client has gone would have nowhere to go, and the service would end with that error.
    outgoing.on('close', () => forwarded.destroy())
    pipeline(incoming, forwarded, () => {})
    return RESPONSE_ALREADY_SENT
  })
}
