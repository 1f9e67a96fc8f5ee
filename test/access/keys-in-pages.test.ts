import { describe, expect, test } from 'vitest'
import { keptDecisions, keys, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

const page = 'https://app.acme.example'

describe('where authorizations are kept,', () => {
  const service = world(undefined, { ...keptDecisions, isInMemory: true })
  const { newToken } = sessionsOf(service)
  const path = '/api/v1/embed/generate-session?dryRun=true'
  const dryRun = async (origin: string | undefined, key: string = keys.reader) => {
    const headers = origin === undefined ? {} : { origin }
    return service.post(path, { key, headers, body: { deploymentId: 1 } })
  }

  test('a key is refused in pages of other origins, which can read why', async () => {
    expect((await dryRun(undefined)).status).toBe(200)
    const { status, body, headers } = await dryRun(page)
    expect([status, body.code, body.message]).toEqual([
      403,
      'api_key_in_browser',
      'An API key belongs to a backend. This one comes from a web page: revoke it.',
    ])
    expect(headers.get('access-control-allow-origin')).toBe(page)
    expect(headers.get('access-control-expose-headers')).toContain('apigw-requestid')
    expect(service.logged).toContainEqual(
      expect.objectContaining({ event: 'request.refused', code: 'api_key_in_browser' }),
    )
    for (const origin of ['null', 'https://embed.test.evil.example', 'http://embed.test', page])
      expect([origin, (await dryRun(origin)).status]).toEqual([origin, 403])
    expect((await dryRun(undefined)).status).toBe(200)
  })

  test('a key works in the service’s own pages, at each of its addresses', async () => {
    for (const origin of [service.issuer, service.url, service.url.replace('http', 'https')])
      expect([origin, (await dryRun(origin)).status]).toEqual([origin, 200])
  })

  test('a key that is not known stays unknown, and a token may be in a page', async () => {
    expect((await dryRun(page, 'sk-unknown')).status).toBe(401)
    const token = await newToken({ internalId: 'ada' })
    const call = { ...bearer(token), headers: { origin: page } }
    expect((await service.get('/api/v1/deployments/1/dbt-sync', call)).status).toBe(200)
    expect((await service.get('/api/v1/embed/session', call)).status).toBe(200)
    expect((await service.delete('/api/v1/embed/session', call)).status).toBe(204)
  })
})
