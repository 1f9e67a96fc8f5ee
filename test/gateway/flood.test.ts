import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { echo, serve } from './serve.ts'

describe('A client that takes more than its share', () => {
  it('is answered in order, all its requests, when it reads', async () => {
    const gateway = await serve({ routes: [echo('GET /{n}')] })
    const sent = Array.from({ length: 300 }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: h\r\n`)
    const response = await gateway.sendRaw(`${sent.join('\r\n')}Connection: close\r\n\r\n`)
    const answered = [...response.matchAll(/"rawPath":"\/(\d+)"/g)].map(([, n]) => Number(n))
    expect(answered).toEqual(Array.from({ length: 300 }, (_, n) => n))
    expect(new Set(response.match(/apigw-requestid: \S+/g)).size).toBe(300)
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
})
