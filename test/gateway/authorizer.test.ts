import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Authorizer } from '../../local/gateway/gateway.ts'
import { echo, eventOf, serve } from './serve.ts'

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const deciding =
  (result: unknown): Authorizer =>
  async () =>
    result as { isAuthorized: boolean; context: unknown }

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
    const context = { sub: 'u1', admin: true, level: 2, groups: ['a'], nested: { x: null }, lost: undefined }
    const gateway = await serve({
      routes: [echo('GET /a', true)],
      authorizer: deciding({ isAuthorized: true, context }),
    })
    const { requestContext } = eventOf(await gateway.send('/a', bearer('t')))
    expect(requestContext.authorizer).toStrictEqual({
      lambda: { sub: 'u1', admin: true, level: 2, groups: ['a'], nested: { x: null } },
    })
  })

  it('may leave its context out', async () => {
    const gateway = await serve({ routes: [echo('GET /a', true)], authorizer: deciding({ isAuthorized: true }) })
    expect(eventOf(await gateway.send('/a', bearer('t'))).requestContext.authorizer).toEqual({ lambda: null })
  })

  it.each([{}, { authorization: '' }, { authorization: '   ' }])(
    'is not asked when the request carries %j: 401',
    async (headers) => {
      const authorizer = vi.fn(deciding({ isAuthorized: true }))
      const gateway = await serve({ routes: [echo('GET /a', true)], authorizer })
      const answer = await gateway.send('/a', { headers })
      expect([answer.status, answer.text]).toEqual([401, '{"message":"Unauthorized"}'])
      expect(authorizer).not.toHaveBeenCalled()
    },
  )

  it('is not asked for a route that is open', async () => {
    const authorizer = vi.fn(deciding({ isAuthorized: false }))
    const gateway = await serve({ routes: [echo('GET /a')], authorizer })
    expect((await gateway.send('/a', bearer('t'))).status).toBe(200)
    expect(authorizer).not.toHaveBeenCalled()
  })

  it('is asked at every request, unless its decisions are kept', async () => {
    const authorizer = vi.fn(deciding({ isAuthorized: true }))
    const gateway = await serve({ routes: [echo('GET /a', true)], authorizer })
    await gateway.send('/a', bearer('t'))
    await gateway.send('/a', bearer('t'))
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

  it('is asked again after it failed', async () => {
    const authorizer = vi.fn(() => Promise.reject(new Error('no database')))
    const gateway = await serve({ routes: [echo('GET /a', true)], authorizer, authorizerCacheSeconds: 30 })
    await gateway.send('/a', bearer('t'))
    expect((await gateway.send('/a', bearer('t'))).status).toBe(500)
    expect(authorizer).toHaveBeenCalledTimes(2)
  })

  it.each(['Unauthorized', 'secret detail'])('makes it a 500 by throwing %j', async (message) => {
    const gateway = await serve({
      routes: [echo('GET /a', true)],
      authorizer: () => {
        throw new Error(message)
      },
    })
    const answer = await gateway.send('/a', bearer('t'))
    expect([answer.status, answer.text]).toEqual([500, '{"message":"Internal Server Error"}'])
  })

  it('answers 403 by isAuthorized false', async () => {
    const gateway = await serve({
      routes: [echo('GET /a', true)],
      authorizer: deciding({ isAuthorized: false, context: {} }),
    })
    const answer = await gateway.send('/a', bearer('t'))
    expect([answer.status, answer.text]).toEqual([403, '{"message":"Forbidden"}'])
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
  ])('makes it a 500 by returning %s', async (result) => {
    const gateway = await serve({ routes: [echo('GET /a', true)], authorizer: deciding(result) })
    expect((await gateway.send('/a', bearer('t'))).status).toBe(500)
  })

  it('makes it a 500 by taking longer than ten seconds', async () => {
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
