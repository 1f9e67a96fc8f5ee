import { describe, expect, it } from 'vitest'
import { crossOrigin } from '../../functions/http/headers.ts'
import { echo, serve } from './serve.ts'

const ORIGIN = 'https://app.example.com'
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'GET' },
})
const corsHeaders = ({ headers }: { headers: object }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

const serving = (corsOrigins = [ORIGIN]) =>
  serve({ routes: [echo('GET /a'), echo('GET /closed', true)], corsOrigins })
const allowed = {
  'access-control-allow-origin': ORIGIN,
  'access-control-expose-headers': crossOrigin.exposedHeaders.join(),
}

describe('CORS', () => {
  it('answers a preflight itself, without the authorizer', async () => {
    const answer = await (await serving()).send('/closed', preflight(ORIGIN))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers).toHaveProperty('apigw-requestid')
    expect(corsHeaders(answer)).toEqual({
      ...allowed,
      'access-control-allow-methods': 'GET,POST,DELETE',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '300',
    })
  })

  it('gives a preflight from another origin a 204 that allows nothing', async () => {
    const { send } = await serving()
    for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null']) {
      const answer = await send('/a', preflight(origin))
      expect([answer.status, corsHeaders(answer)]).toEqual([204, {}])
    }
  })

  it('adds its headers for a matching origin only, to refusals too', async () => {
    const { send } = await serving()
    const headersFor = async (path: string, headers: Record<string, string>) =>
      corsHeaders(await send(path, { headers }))
    expect(await headersFor('/a', { origin: ORIGIN })).toEqual(allowed)
    expect(await headersFor('/closed', { origin: ORIGIN })).toEqual(allowed)
    expect(await headersFor('/a', { origin: 'https://evil.example' })).toEqual({})
    expect(await headersFor('/a', {})).toEqual({})
  })

  it('knows *', async () => {
    const { send } = await serving(['*'])
    const answer = await send('/a', { headers: { origin: 'http://x' } })
    expect(corsHeaders(answer)).toHaveProperty('access-control-allow-origin', '*')
    expect(corsHeaders(await send('/a'))).toEqual({})
  })
})
