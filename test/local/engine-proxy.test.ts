import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databasePath, engineProxy } from '../../local/engine-proxy.ts'
import { localApp } from '../../local/local-app.ts'

const rounds = 30
/** More than any buffer on the way holds, so an answer or a request of it is cut in the middle. */
const large = Buffer.alloc(8 * 1024 * 1024, 'x')

/** Sends the beginning of a request to an address, and takes what comes. */
async function begin(url: string, body: Buffer, sent: number): Promise<Socket> {
  const { hostname, port, host, pathname } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await once(socket, 'connect')
  const lines = Object.entries({ host, 'content-length': body.length }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.write(body.subarray(0, sent))
  return socket
}

describe('a client that ends before it has its answer', () => {
  let engine: Server
  let server: Server
  let address: string
  const escaped: unknown[] = []
  const note = (error: unknown) => escaped.push(error)
  beforeAll(async () => {
    engine = createServer().listen(0, '127.0.0.1')
    await once(engine, 'listening')
    const routes = engineProxy(`http://127.0.0.1:${(engine.address() as AddressInfo).port}`)
    server = createAdaptorServer(localApp().route(databasePath, routes)) as Server
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${databasePath}`
    process.on('uncaughtException', note)
  })
  beforeEach(() => {
    escaped.length = 0
  })
  afterAll(() => {
    process.off('uncaughtException', note)
    for (const each of [server, engine]) {
      each.closeAllConnections()
      each.close()
    }
  })

  const asked = async () => (await once(engine, 'request')) as [IncomingMessage, ServerResponse]

  async function expectAnswer(): Promise<void> {
    const [answer] = await Promise.all([
      fetch(address, { method: 'POST', body: 'whole' }),
      asked().then(([, response]) => response.end('whole')),
    ])
    expect(await answer.text()).toBe('whole')
    expect(escaped).toEqual([])
  }

  test.each<[string, (round: number) => Promise<void>]>([
    [
      'while it sends its request',
      async () => {
        const socket = await begin(address, large, large.length / 2)
        const [request] = await asked()
        request.on('error', () => {}).resume()
        socket.resetAndDestroy()
        await new Promise((resolve) => request.on('close', resolve))
      },
    ],
    [
      'while the engine thinks',
      async (round) => {
        const socket = await begin(address, Buffer.from('{}'), 2)
        const [request, response] = await asked()
        const over = once(response, 'close')
        request.resume()
        socket.destroy()
        // The guard notices the end before the answer, with it or after it.
        for (let turn = 0; turn < round; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        response.end('late')
        await over
      },
    ],
    [
      'while it takes its answer',
      async () => {
        const socket = await begin(address, Buffer.from('{}'), 2)
        const [request, response] = await asked()
        request.resume()
        response.on('error', () => {}).write(large)
        await once(socket, 'data')
        socket.resetAndDestroy()
        await once(response, 'close')
      },
    ],
  ])('ends nobody else: %s', async (_, end) => {
    for (let round = 0; round < rounds; round += 1) await end(round)
    await expectAnswer()
  })

  test('costs no new connection to the engine, if it takes all of its answers', async () => {
    let connections = 0
    const count = () => {
      connections += 1
    }
    engine.on('connection', count)
    for (let round = 0; round < rounds; round += 1) await expectAnswer()
    engine.off('connection', count)
    expect(connections).toBeLessThanOrEqual(1)
  })
})
