import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { echo, serve } from './serve.ts'

/** Real turns of the loop, in which what has been sent on this machine arrives. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('A client that takes more than its share', () => {
  it('has one request of a connection served at a time', async () => {
    const release = Promise.withResolvers<void>()
    let running = 0
    const gateway = await serve({
      routes: [
        {
          routeKey: 'GET /slow',
          authorized: false,
          handler: async () => {
            running += 1
            await release.promise
            return { statusCode: 204 }
          },
        },
      ],
    })
    const accepted = once(gateway.server, 'connection') as Promise<[Socket]>
    const socket = gateway.connect()
    const requests = 'GET /slow HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(200_000)
    socket.write(requests)
    const [connection] = await accepted
    await turns(1000)
    expect(running).toBe(1)
    expect(connection.bytesRead).toBeLessThan(requests.length / 10)
    release.resolve()
    socket.destroy()
  })

  it('is answered in order, all its requests, when it reads', async () => {
    const gateway = await serve({ routes: [echo('GET /{n}')] })
    const sent = Array.from({ length: 300 }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: h\r\n`)
    const response = await gateway.sendRaw(`${sent.join('\r\n')}Connection: close\r\n\r\n`)
    const answered = [...response.matchAll(/"rawPath":"\/(\d+)"/g)].map(([, n]) => Number(n))
    expect(answered).toEqual(Array.from({ length: 300 }, (_, n) => n))
  })

  it('has its connection closed after a 413, whatever is still to come', async () => {
    const gateway = await serve({ routes: [echo('POST /a')] })
    const socket = gateway.connect()
    socket.on('error', () => {})
    socket.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999\r\n\r\n')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i)
    await once(socket, 'close')
  })

  it.each(['', 'GET /a HT', 'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\npart'])(
    'is told 408 where it says no more than %j',
    async (said) => {
      const gateway = await serve({ routes: [echo('POST /a')] })
      expect([gateway.server.headersTimeout, gateway.server.requestTimeout]).toEqual([10_000, 30_000])
      Object.assign(gateway.server, { headersTimeout: 1, requestTimeout: 1 })
      const socket = gateway.connect()
      socket.write(said)
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
      await once(socket, 'close')
    },
  )

  it('is refused where it names two hosts', async () => {
    const gateway = await serve({ routes: [echo('GET /a')] })
    for (const second of ['h', 'other']) {
      const response = await gateway.sendRaw(
        `GET /a HTTP/1.1\r\nHost: h\r\nHost: ${second}\r\nConnection: close\r\n\r\n`,
      )
      expect(response).toMatch(/^HTTP\/1\.1 400 /)
    }
  })
})
