import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { GatewayOptions } from '../../local/gateway/gateway.ts'
import { echo, eventOf, serve } from './serve.ts'

type Authorizer = GatewayOptions['authorizer']

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function asking(authorizer: Authorizer, options: Partial<GatewayOptions> = {}) {
  const asked = vi.fn(authorizer)
  const routes = [
    echo('GET /a', true),
    echo('POST /a/{b}', true),
    echo('GET /a/{b}', true),
    echo('GET /open'),
  ]
  return { asked, ...(await serve({ routes, authorizer: asked, ...options })) }
}

const deciding = (result: unknown) => asking(async () => result as Awaited<ReturnType<Authorizer>>)

afterEach(() => {
  vi.useRealTimers()
})

describe('The authorizer', () => {
  it('receives a REQUEST event without a body', async () => {
    const { asked, send } = await deciding({ isAuthorized: true })
    const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }
    await send('/a/one?x=1', { method: 'POST', headers, body: '{}' })
    const [[seen]] = asked.mock.calls as unknown as [[APIGatewayRequestAuthorizerEventV2]]
    expect(seen).toMatchObject({
      version: '2.0',
      type: 'REQUEST',
      routeArn: 'arn:aws:execute-api:local:000000000000:local/$default/POST/a/one',
      identitySource: ['Bearer t', 'POST /a/{b}'],
      routeKey: 'POST /a/{b}',
      rawPath: '/a/one',
      rawQueryString: 'x=1',
      pathParameters: { b: 'one' },
      queryStringParameters: { x: '1' },
      requestContext: { http: { method: 'POST' }, stage: '$default' },
    })
    expect(Object.keys(seen)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(body|isBase64Encoded)$/)]),
    )
  })

  it('hands its context to the function, as JSON would carry it', async () => {
    const lambda = { sub: 'u1', admin: true, level: 2, groups: ['a'], nested: { x: null } }
    const { send } = await deciding({ isAuthorized: true, context: { ...lambda, lost: undefined } })
    expect(eventOf(await send('/a', bearer('t'))).requestContext.authorizer).toStrictEqual({
      lambda,
    })
    const without = await deciding({ isAuthorized: true })
    expect(eventOf(await without.send('/a', bearer('t'))).requestContext.authorizer).toEqual({
      lambda: null,
    })
  })

  it('is not asked when the request carries no credential: 401', async () => {
    const { send, asked } = await deciding({ isAuthorized: true })
    for (const headers of [{}, { authorization: '' }, { authorization: '   ' }]) {
      expect(await send('/a', { headers })).toMatchObject({
        status: 401,
        text: '{"message":"Unauthorized"}',
      })
    }
    expect(asked).not.toHaveBeenCalled()
  })

  it('is asked for each request but those of open routes, unless decisions are kept', async () => {
    const { send, asked } = await deciding({ isAuthorized: false })
    expect((await send('/open', bearer('t'))).status).toBe(200)
    expect(asked).not.toHaveBeenCalled()
    for (let time = 0; time < 2; time += 1) {
      expect(await send('/a', bearer('t'))).toMatchObject({
        status: 403,
        text: '{"message":"Forbidden"}',
      })
    }
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it.each([true, false])(
    'is asked once for a credential and route while its decision (%s) is kept',
    async (decision) => {
      let now = 0
      const decide: Authorizer = async () => ({ isAuthorized: decision, context: {} })
      const { send, asked } = await asking(decide, { authorizerCacheSeconds: 30, now: () => now })
      for (const [at, path, token] of [
        [0, '/a', 't'],
        [29_999, '/a?x=1', 't'],
        [29_999, '/a', 'u'],
        [29_999, '/a/1', 't'],
        [29_999, '/a/2', 't'],
        [30_000, '/a', 't'],
      ] as const) {
        now = at
        expect((await send(path, bearer(token))).status).toBe(decision ? 200 : 403)
      }
      const sources = asked.mock.calls.map(([{ identitySource }]) => identitySource?.join(' '))
      expect(sources).toEqual([
        'Bearer t GET /a',
        'Bearer u GET /a',
        'Bearer t GET /a/{b}',
        'Bearer t GET /a',
      ])
    },
  )

  it('makes the answer a 500 by throwing, and is asked again then', async () => {
    const throwing = () => Promise.reject(new Error('secret detail'))
    const { send, asked } = await asking(throwing, { authorizerCacheSeconds: 30 })
    for (let time = 0; time < 2; time += 1) {
      const internal = { status: 500, text: '{"message":"Internal Server Error"}' }
      expect(await send('/a', bearer('t'))).toMatchObject(internal)
    }
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it.each([
    undefined,
    [],
    {},
    { isAuthorized: 'true' },
    { isAuthorized: true, context: [] },
    { isAuthorized: true, context: 'a' },
  ])('makes the answer a 500 by returning %j', async (result) => {
    const { send, logged } = await deciding(result)
    expect((await send('/a', bearer('t'))).status).toBe(500)
    expect(logged.join()).not.toContain('gateway failed')
  })

  it('makes the answer a 500 by taking longer than it may', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { send, asked } = await asking(() => new Promise(() => {}), {
      authorizerTimeoutSeconds: 10,
    })
    const answer = send('/a', bearer('t'))
    await expect.poll(() => asked).toHaveBeenCalled()
    vi.advanceTimersByTime(10_000)
    expect((await answer).status).toBe(500)
  })
})
