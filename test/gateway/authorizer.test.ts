import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { GatewayOptions } from '../../local/gateway/gateway.ts'
import { echo, eventOf, serve } from './serve.ts'

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
/** A gateway with one route, whose authorizer decides this. */
const deciding = async (result: unknown) => {
  const authorizer = vi.fn<GatewayOptions['authorizer']>(
    async () => result as { isAuthorized: boolean; context: unknown },
  )
  return { authorizer, ...(await serve({ routes: [echo('GET /a', true), echo('GET /open')], authorizer })) }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('The authorizer', () => {
  it('receives a REQUEST event without a body', async () => {
    const seen: APIGatewayRequestAuthorizerEventV2[] = []
    const gateway = await serve({
      routes: [echo('POST /a/{b}', true)],
      authorizer: async (event) => {
        seen.push(event)
        return { isAuthorized: true, context: {} }
      },
    })
    const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }
    await gateway.send('/a/one?x=1', { method: 'POST', headers, body: '{}' })

    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
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
    expect(seen[0]).not.toHaveProperty('body')
    expect(seen[0]).not.toHaveProperty('isBase64Encoded')
  })

  it('hands its context to the function, as JSON would carry it', async () => {
    const lambda = { sub: 'u1', admin: true, level: 2, groups: ['a'], nested: { x: null } }
    const gateway = await deciding({ isAuthorized: true, context: { ...lambda, lost: undefined } })
    expect(eventOf(await gateway.send('/a', bearer('t'))).requestContext.authorizer).toStrictEqual({ lambda })
    const { send } = await deciding({ isAuthorized: true })
    expect(eventOf(await send('/a', bearer('t'))).requestContext.authorizer).toEqual({ lambda: null })
  })

  it.each([{}, { authorization: '' }, { authorization: '   ' }])(
    'is not asked when the request carries %j: 401',
    async (headers) => {
      const { send, authorizer } = await deciding({ isAuthorized: true })
      expect(await send('/a', { headers })).toMatchObject({ status: 401, text: '{"message":"Unauthorized"}' })
      expect(authorizer).not.toHaveBeenCalled()
    },
  )

  it('is asked for each request but those of open routes, unless decisions are kept', async () => {
    const { send, authorizer } = await deciding({ isAuthorized: false })
    expect((await send('/open', bearer('t'))).status).toBe(200)
    expect(authorizer).not.toHaveBeenCalled()
    for (let time = 0; time < 2; time += 1) {
      expect(await send('/a', bearer('t'))).toMatchObject({ status: 403, text: '{"message":"Forbidden"}' })
    }
    expect(authorizer).toHaveBeenCalledTimes(2)
  })

  it.each([true, false])(
    'is asked once for a credential and route while its decision (%s) is kept',
    async (decision) => {
      let now = 0
      const asked: string[] = []
      const gateway = await serve({
        routes: [echo('GET /a', true), echo('GET /a/{b}', true)],
        authorizer: async ({ identitySource }) => {
          asked.push((identitySource ?? []).join(' '))
          return { isAuthorized: decision, context: {} }
        },
        authorizerCacheSeconds: 30,
        now: () => now,
      })
      const statuses = []
      for (const [at, path, token] of [
        [0, '/a', 't'],
        [29_999, '/a?x=1', 't'],
        [29_999, '/a', 'u'],
        [29_999, '/a/1', 't'],
        [29_999, '/a/2', 't'],
        [30_000, '/a', 't'],
      ] as const) {
        now = at
        statuses.push((await gateway.send(path, bearer(token))).status)
      }
      expect(asked).toEqual(['Bearer t GET /a', 'Bearer u GET /a', 'Bearer t GET /a/{b}', 'Bearer t GET /a'])
      expect(new Set(statuses)).toEqual(new Set([decision ? 200 : 403]))
    },
  )

  it('makes the answer a 500 by throwing, and is asked again then', async () => {
    const authorizer = vi.fn(() => Promise.reject(new Error('secret detail')))
    const gateway = await serve({ routes: [echo('GET /a', true)], authorizer, authorizerCacheSeconds: 30 })
    for (let time = 0; time < 2; time += 1) {
      const internal = { status: 500, text: '{"message":"Internal Server Error"}' }
      expect(await gateway.send('/a', bearer('t'))).toMatchObject(internal)
    }
    expect(authorizer).toHaveBeenCalledTimes(2)
  })

  it.each([
    undefined,
    null,
    true,
    'yes',
    [],
    {},
    { isAuthorized: 'true' },
    { isAuthorized: 1 },
    { isAuthorized: true, context: 'text' },
    { isAuthorized: true, context: [] },
    { isAuthorized: true, context: { n: 1n } },
  ])('makes the answer a 500 by returning %s', async (result) => {
    const { send } = await deciding(result)
    expect((await send('/a', bearer('t'))).status).toBe(500)
  })

  it('makes the answer a 500 by taking longer than ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = Promise.withResolvers<void>()
    const gateway = await serve({
      routes: [echo('GET /a', true)],
      authorizer: () => {
        asked.resolve()
        return new Promise(() => {})
      },
    })
    const answer = gateway.send('/a', bearer('t'))
    await asked.promise
    vi.advanceTimersByTime(10_000)
    expect((await answer).status).toBe(500)
  })
})
