import { afterEach, describe, expect, it, vi } from 'vitest'
import { gatewayWith, handled, serve } from './serve.ts'

const INTERNAL_SERVER_ERROR = '{"message":"Internal Server Error"}'

afterEach(() => {
  vi.useRealTimers()
})

/** A function may return anything at all; its type is what it promises. */
const gateway = gatewayWith(
  handled('GET /a', async () => returned as object),
  handled('POST /a', async (event) => ({
    statusCode: 200,
    body: `${JSON.stringify(event).length}`,
  })),
)
let returned: unknown

function answerTo(result: unknown) {
  returned = result
  return gateway.send('/a')
}

const problem = { 'content-type': 'application/problem+json' }
const plain = { 'content-type': 'text/plain; charset=utf-8' }

describe('What a function returns', () => {
  it.each([
    [
      'status, headers and body',
      { statusCode: 201, headers: problem, body: '{"λ":1}' },
      201,
      '{"λ":1}',
      problem,
    ],
    ['plain text when it names no type', { statusCode: 200, body: 'λ' }, 200, 'λ', plain],
    ['nothing', { statusCode: 599 }, 599, '', plain],
    [
      'the bytes of base64',
      { statusCode: 200, body: 'zrs=', isBase64Encoded: true },
      200,
      'λ',
      plain,
    ],
  ])('may be %s', async (_, result, status, text, headers) => {
    const length = { 'content-length': String(Buffer.byteLength(text)) }
    expect(await answerTo(result)).toMatchObject({
      status,
      text,
      headers: { ...headers, ...length },
    })
  })

  it('carries no body with 204', async () => {
    const answer = await answerTo({ statusCode: 204, body: 'ignored' })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers).not.toHaveProperty('content-length')
  })

  it('cannot forge the length of the body or the request id', async () => {
    const headers = { 'Content-Length': '1', 'Apigw-Requestid': 'x' }
    const answer = await answerTo({ statusCode: 200, headers, body: 'whole' })
    expect(answer.text).toBe('whole')
    expect(answer.headers['content-length']).toBe('5')
    expect(answer.headers['apigw-requestid']).toMatch(/^[\w-]{15}=$/)
  })

  it.each([
    ['a status that is no integer', { statusCode: 200.5 }],
    ['a status out of range', { statusCode: 600 }],
    ['an informational status', { statusCode: 199 }],
    ['a body that is an object', { statusCode: 200, body: { a: 1 } }],
    ['a header value that is a number', { statusCode: 200, headers: { a: 1 } }],
    ['a header value that is a list', { statusCode: 200, headers: { a: ['b'] } }],
    ['a line break in a header value', { statusCode: 200, headers: { a: 'b\r\nSet-Cookie: c=d' } }],
    ['a control character in a header value', { statusCode: 200, headers: { a: '\x01' } }],
    ['a header name with a space', { statusCode: 200, headers: { 'a b': 'c' } }],
    ['nothing', undefined],
    ['cookies, which no function sets', { statusCode: 200, cookies: ['a=b'] }],
    [
      'a text that says whether it is base64 by a text',
      { statusCode: 200, body: 'YQ==', isBase64Encoded: 'true' },
    ],
    ['a value JSON cannot hold', { n: 1n }],
  ])('is a 500 with %s', async (_what, result) => {
    const answer = await answerTo(result)
    expect([answer.status, answer.text]).toEqual([500, INTERNAL_SERVER_ERROR])
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(gateway.logged.join()).not.toContain('gateway failed')
  })
})

describe('A function that fails', () => {
  it('is a 500 that tells nothing to the client and everything to the log', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failing = handled('GET /a', () => {
      throw new Error('table Secrets is gone')
    })
    const gateway = await serve({ routes: [failing] })
    const answer = await gateway.send('/a?token=t')
    expect([answer.status, answer.text]).toEqual([500, INTERNAL_SERVER_ERROR])
    expect(gateway.logged.join('\n')).toContain('table Secrets is gone')
    expect(gateway.logged.join('\n')).not.toContain('token=t')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is a 503 after thirty seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const called = Promise.withResolvers<void>()
    const silent = handled('GET /a', () => {
      called.resolve()
      return new Promise(() => {})
    })
    const gateway = await serve({ routes: [silent] })
    const answer = gateway.send('/a')
    await called.promise
    vi.advanceTimersByTime(30_000)
    expect(await answer).toMatchObject({ status: 503, text: '{"message":"Service Unavailable"}' })
    expect(gateway.logged[0]).toBe('GET-a timed out')
  })
})

describe('the payload limit of Lambda', () => {
  const LIMIT = 6_291_556
  const around = JSON.stringify({ statusCode: 200, body: '' }).length

  it('lets a result of that size through, and makes a 500 of one byte more of JSON', async () => {
    const answer = await answerTo({ statusCode: 200, body: 'x'.repeat(LIMIT - around) })
    expect([answer.status, answer.text.length]).toEqual([200, LIMIT - around])
    for (const body of ['x'.repeat(LIMIT - around + 1), '"'.repeat(LIMIT / 2)]) {
      expect(await answerTo({ statusCode: 200, body })).toMatchObject({
        status: 500,
        text: INTERNAL_SERVER_ERROR,
      })
    }
  })

  it('lets an event of that size through, and makes a 413 of one byte more', async () => {
    const answerTo = (length: number) => {
      const headers = { 'content-type': 'text/plain' }
      return gateway.send('/a', { method: 'POST', headers, body: 'x'.repeat(length) })
    }
    const around = Number((await answerTo(6_000_000)).text) - 6_000_000
    expect(await answerTo(LIMIT - around)).toMatchObject({ status: 200, text: `${LIMIT}` })
    expect(await answerTo(LIMIT - around + 1)).toMatchObject({
      status: 413,
      text: '{"message":"Request Entity Too Large"}',
    })
  })
})
