import { describe, expect, it } from 'vitest'
import { echo, serve } from './serve.ts'

const ORIGIN = 'https://app.example.com'
const cors = {
  allowOrigins: [ORIGIN],
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['apigw-requestid'],
  maxAgeSeconds: 300,
}
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'GET' },
})
const corsHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

describe('CORS', () => {
  it('is absent unless configured', async () => {
    const gateway = await serve({ routes: [echo('GET /a')] })
    expect((await gateway.send('/a', preflight(ORIGIN))).status).toBe(404)
    expect(corsHeaders((await gateway.send('/a', { headers: { origin: ORIGIN } })).headers)).toEqual({})
  })

  it('answers a preflight itself, without the authorizer', async () => {
    const gateway = await serve({ routes: [echo('GET /a', true)], cors })
    const answer = await gateway.send('/a', preflight(ORIGIN))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers).toHaveProperty('apigw-requestid')
    expect(corsHeaders(answer.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '300',
    })
  })

  it('gives a preflight from another origin a 204 that allows nothing', async () => {
    const gateway = await serve({ routes: [echo('GET /a')], cors })
    for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null']) {
      const answer = await gateway.send('/a', preflight(origin))
      expect([answer.status, corsHeaders(answer.headers)]).toEqual([204, {}])
    }
  })

  it('adds its headers for a matching origin only', async () => {
    const gateway = await serve({ routes: [echo('GET /a')], cors })
    expect(corsHeaders((await gateway.send('/a', { headers: { origin: ORIGIN } })).headers)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'apigw-requestid',
    })
    expect(corsHeaders((await gateway.send('/a', { headers: { origin: 'https://evil.example' } })).headers)).toEqual({})
    expect(corsHeaders((await gateway.send('/a')).headers)).toEqual({})
  })

  it('covers the refusals of the gateway too', async () => {
    const gateway = await serve({ routes: [echo('GET /a', true)], cors })
    const answer = await gateway.send('/a', { headers: { origin: ORIGIN } })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, ORIGIN])
  })

  it('knows *', async () => {
    const gateway = await serve({ routes: [echo('GET /a')], cors: { ...cors, allowOrigins: ['*'] } })
    const { headers } = await gateway.send('/a', { headers: { origin: 'http://x' } })
    expect(headers['access-control-allow-origin']).toBe('*')
  })
})
