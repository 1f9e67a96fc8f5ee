import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { responseOf } from '../../functions/http/answer.ts'
import { dbtSync, embedTenant, folder, people, share, workbook } from '../support/catalog.ts'
import { keys, world } from '../support/service.ts'

const ids = Array.from({ length: 50 }, (_, index) => index + 1)

describe('An answer', () => {
  const service = world(
    [
      ...people,
      folder(1, 1, null),
      share(1, 'folder', 1, embedTenant('north')),
      ...ids.flatMap((id) => [workbook(1, id, { folderId: 1 }), dbtSync(1, `sync-${id}`)]),
    ],
    { isInMemory: true },
  )

  /**
   * Sends a request as `fetch` can't: with just these headers, and without inflating the answer.
   */
  const send = (path: string, acceptEncoding?: string, method = 'GET', body?: string) =>
    new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${keys.admin}`,
        ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
        ...(body && { 'content-type': 'application/json' }),
      }
      request(service.url + path, { method, headers, agent: false }, async (response) => {
        resolve({ headers: response.headers, bytes: Buffer.concat(await response.toArray()) })
      })
        .on('error', reject)
        .end(body)
    })

  const lists = ['embed-tenants/north/workbooks', 'dbt-sync'].map(
    (list) => `/api/v1/deployments/1/${list}`,
  )
  const open = ['/api/v1/spec', '/docs/errors']

  test.each([...lists, ...open])(
    'is sent as gzip to who accepts it, and the same: %s',
    async (path) => {
      const [plain, zipped] = [await send(path), await send(path, 'br, gzip;q=0.5')]
      expect(plain.headers).toMatchObject({
        vary: expect.stringContaining('accept-encoding'),
        'content-length': `${plain.bytes.length}`,
      })
      expect(plain.headers).not.toHaveProperty('content-encoding')
      expect(zipped.headers).toMatchObject({ vary: plain.headers.vary, 'content-encoding': 'gzip' })
      expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
      expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2)
    },
  )

  test.each([
    ['*', true],
    ['GZIP ; q=1', true],
    ['gzip;q=0.001', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['identity, *;q=0', false],
    ['br, zstd, x-gzip', false],
    ['', false],
  ])('to `Accept-Encoding: %s` is gzip: %s', async (accepted, isZipped) => {
    const { headers } = await send(lists[0] as string, accepted)
    expect(headers['content-encoding']).toBe(isZipped ? 'gzip' : undefined)
  })

  test('that is short is sent as it is', async () => {
    const { headers } = await send(`${lists[1]}?first=1`, 'gzip')
    expect(headers.vary).toBe('accept-encoding')
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test('that base64 would make longer than it was is sent as it is', () => {
    const body = randomBytes(1024).toString('base64')
    const plain = responseOf({ body, isCompressible: true })
    expect(responseOf({ body, isCompressible: true }, { 'accept-encoding': 'gzip' })).toEqual(plain)
    expect(plain).toMatchObject({ body, headers: { vary: 'accept-encoding' } })
  })

  test.each(['jwks.json', 'embed-revocations'].map((name) => `/.well-known/${name}`).concat(open))(
    'that caches may keep varies by the page that asks: %s',
    async (path) => {
      const { headers } = await send(path)
      expect(headers['cache-control']).toMatch(/^public/)
      expect(headers.vary).toMatch(/\borigin$/)
    },
  )

  test('with a token is never compressed, nor does it vary', async () => {
    const session = {
      deploymentId: 1,
      embedTenantName: 'north',
      securityContext: { note: 'x'.repeat(2000) },
    }
    const minted = await send(
      '/api/v1/embed/generate-session',
      'gzip',
      'POST',
      JSON.stringify(session),
    )
    const { sessionId } = JSON.parse(`${minted.bytes}`)
    const { headers, bytes } = await send(
      '/api/v1/embed/session/token',
      'gzip',
      'POST',
      JSON.stringify({ sessionId }),
    )
    expect(JSON.parse(`${bytes}`).token.length).toBeGreaterThan(2000)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('vary')
  })
})
