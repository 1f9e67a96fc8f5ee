import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { echo, gatewayWith, handled, serve } from './serve.ts'

const REQUEST_ID = /\r\napigw-requestid: [\w-]{15}=\r\n/

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: h', ...headers, 'Connection: close', '', ''].join('\r\n')

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1])
const bodyOf = (response: string) => response.slice(response.indexOf('\r\n\r\n') + 4)

const gateway = gatewayWith(
  ...['GET /', 'GET /a', 'POST /a', 'GET /x/{a}', 'GET /public/{a}/{b}'].map((routeKey) =>
    echo(routeKey),
  ),
  echo('GET /closed/{a}', true),
)

describe('The gateway, given a hostile path,', () => {
  it.each([
    '/x/%',
    '/x/%zz',
    '/x/a%2',
    '/x/%ff',
    '/x/%c0%af',
    '/x/%ed%a0%80',
    '/x/percent%25done',
    '/x/%25%32',
  ])('refuses %s, which cannot be decoded, with 400', async (path) => {
    const answer = await gateway.send(path)
    expect([answer.status, answer.text]).toEqual([400, '{"message":"Bad Request"}'])
    expect(answer.headers['apigw-requestid']).toMatch(/^[\w-]{15}=$/)
  })

  it('never fails on a path, whatever it is', async () => {
    const pieces = fc.constantFrom(
      '/',
      '%',
      '%2',
      '%25',
      '%2F',
      '%3F',
      '?',
      '#',
      '..',
      'x',
      '{a}',
      '\\',
      '%00',
      '\xe9',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (path) => {
        const response = await gateway.sendRaw(get(`/${path.join('')}`))
        expect([200, 400, 401, 404]).toContain(statusOf(response))
      }),
    )
  })

  it.each([
    ['//evil.example/a', undefined],
    ['/\\evil.example/a', undefined],
    ['/public/%2e%2e/admin', '/public/../admin'],
    ['http://other.example/a?x=1', '/a'],
    ['http://other.example?x=1', '/'],
  ])('takes %s for the path %s, and never for a host', async (target, path) => {
    const response = await gateway.sendRaw(get(target))
    expect([statusOf(response), JSON.parse(bodyOf(response)).rawPath]).toEqual([
      path === undefined ? 404 : 200,
      path,
    ])
  })

  it.each([
    'GET /a HTTP/9.9\r\nHost: h\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00',
    'GET /a HTTP/1.1\r\nHost: h\r\nBad Header: x\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
    'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n',
    'POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ])('answers %j with 400 and goes on', async (bytes) => {
    const response = await gateway.sendRaw(bytes)
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(response).toMatch(REQUEST_ID)
    for (const header of ['date: .* GMT', 'content-type: application/json', 'connection: close'])
      expect(response).toMatch(RegExp(`\r\n${header}\r\n`, 'i'))
    expect(bodyOf(response)).toBe('{"message":"Bad Request"}')
    expect((await gateway.send('/a')).status).toBe(200)
  })

  it('treats a request to upgrade or an unknown expectation like any other', async () => {
    const upgrade =
      'GET /a HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'
    expect(statusOf(await gateway.sendRaw(upgrade))).toBe(200)
    expect(statusOf(await gateway.sendRaw(get('/a', 'Expect: nonsense')))).toBe(200)
  })
})

describe('The gateway, given hostile names,', () => {
  it('keeps __proto__ and constructor as own data, and pollutes nothing', async () => {
    const event = bodyOf(
      await gateway.sendRaw(get('/a?__proto__=x&__proto__=y&constructor=c', '__proto__: h')),
    )
    expect(event).toContain('"queryStringParameters":{"__proto__":"x,y","constructor":"c"}')
    expect(event).toContain('"__proto__":"h"')
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it('does not lose an Authorization header behind two thousand others', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => `x${index}: 1`)
    expect(statusOf(await gateway.sendRaw(get('/closed/1', ...many, 'Authorization: t')))).toBe(200)
  })
})

describe('The gateway, given a large request,', () => {
  it('counts the request line and the header values up to 10,240 bytes', async () => {
    const counted = 'GET /a HTTP/1.1'.length + 'h'.length + 'close'.length
    expect(
      statusOf(await gateway.sendRaw(get('/a', `x-filler: ${'x'.repeat(10_240 - counted)}`))),
    ).toBe(200)
    // Node itself can't parse the longer one.
    for (const length of [10_241 - counted, 70_000]) {
      const exceeds = await gateway.sendRaw(get('/a', `x-filler: ${'x'.repeat(length)}`))
      expect([statusOf(exceeds), bodyOf(exceeds)]).toEqual([
        431,
        '{"message":"Request Header Fields Too Large"}',
      ])
      expect(exceeds).toMatch(REQUEST_ID)
    }
  })

  it.each(['announced', 'chunked'])('refuses a body over 10 MB that is %s', async (how) => {
    const handler = vi.fn(async () => ({ statusCode: 204 }))
    const gateway = await serve({ routes: [handled('POST /a', handler)] })
    const tooLargeForLambda = 'POST-a event too large'
    for (const [more, logged] of [
      [1, []],
      [0, [tooLargeForLambda]],
    ] as const) {
      const body = Buffer.alloc(10 * 1024 * 1024 + more)
      const headers =
        how === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }
      const answer = await gateway.send('/a', { method: 'POST', headers, body })
      expect([answer.status, answer.text]).toEqual([413, '{"message":"Request Entity Too Large"}'])
      expect(gateway.logged.filter((line) => !line.startsWith('POST /a 413 '))).toEqual(logged)
    }
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('A client that takes more than its share', () => {
  it('has its connection closed after a 413, whatever is still to come', async () => {
    const socket = gateway.connect()
    socket.on('error', () => {})
    socket.write('GET /a HTTP/1.1\r\nHost: h\r\n\r\n')
    const [first] = await once(socket, 'data')
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: keep-alive\r\n/i)
    socket.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999\r\n\r\n')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i)
    await once(socket, 'close')
  })

  it.each(['', 'GET /a HT', 'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\npart'])(
    'is told 408 where it says no more than %j',
    async (said) => {
      const gateway = await serve({ routes: [echo('POST /a')] })
      expect([gateway.server.headersTimeout, gateway.server.requestTimeout]).toEqual([
        10_000, 30_000,
      ])
      Object.assign(gateway.server, { headersTimeout: 1, requestTimeout: 1 })
      const socket = gateway.connect()
      socket.write(said)
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
      await once(socket, 'close')
    },
  )
})

describe('A client that goes away', () => {
  it('in the middle of a body calls no function', async () => {
    const handler = vi.fn(async () => ({ statusCode: 204 }))
    const { connect, send, end, logged } = await serve({
      routes: [handled('POST /a', handler), echo('GET /a')],
    })
    const socket = connect()
    await once(socket, 'connect')
    socket.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\npart')
    socket.resetAndDestroy()
    await once(socket, 'close')
    expect((await send('/a')).status).toBe(200)
    await end()
    expect(handler).not.toHaveBeenCalled()
    expect(logged).toEqual([expect.stringMatching(/^GET \/a 200 /)])
  })
})
