import { issuerKeys } from '@embed-access/core/access/oidc-keys.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { startOfTime } from '../support/service.ts'
import { slow } from '../support/time.ts'
import { jwkOf, ours } from './forging.ts'
import { served } from './issuer.ts'

describe('the keys of an issuer', () => {
  /** Has an issuer at every path. */
  const site = served(({ url = '' }) => {
    const issuer = `${site.url}${url.replace('/.well-known/openid-configuration', '')}`
    return url.endsWith('/jwks') ? { keys: [jwkOf(ours)] } : { issuer, jwks_uri: `${issuer}/jwks` }
  })
  const { asked } = site
  const issuers = (count: number) => Array.from({ length: count }, (_, index) => `${site.url}/issuer-${index}`)

  let now = startOfTime
  let keysOf: ReturnType<typeof issuerKeys>
  beforeEach(() => {
    asked.length = 0
    keysOf = issuerKeys(() => now)
  })
  const find = async (issuer: string, kid = ours.kid, alg = 'ES256') =>
    keysOf(issuer)({ alg, kid }, { payload: '', signature: '' })

  test('of 200 issuers are kept; those of one more take the place of the first', async () => {
    const [first, second, ...others] = issuers(201) as [string, string, ...string[]]
    const last = others.pop() as string
    const kept = [...others.toReversed(), second, first]
    for (const issuer of kept.toReversed()) await find(issuer)
    now += 30_000
    asked.length = 0
    for (const issuer of kept) await find(issuer)
    expect(asked).toEqual([])
    for (const issuer of [last, ...others.slice(-1), second]) await find(issuer)
    expect(asked).toHaveLength(2)
    await find(first)
    expect(asked).toHaveLength(4)
  })

  // These are 2,000 verifications, some of which ask the issuer.
  test('of more than 200 issuers are asked for once in 30 seconds', slow, async () => {
    const all = issuers(201)
    for (let thirty = 0; thirty < 2; thirty += 1) {
      asked.length = 0
      for (let round = 0; round < 5; round += 1) {
        now += 5_999
        for (const issuer of all) {
          await expect(find(issuer, 'invented')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
        }
        expect(asked).toHaveLength(2 * 201)
      }
      for (const issuer of all) await find(issuer)
      expect(asked).toHaveLength(2 * 201)
      now += 30_000 - 5 * 5_999
    }
  })

  test('of more than 200 issuers are asked for once by requests that wait together', async () => {
    const all = issuers(202)
    for (const issuer of all.slice(0, 200)) await find(issuer)
    asked.length = 0
    await Promise.all([...all.slice(200), ...all.slice(200)].map((issuer) => find(issuer)))
    expect(asked).toHaveLength(2 * 2)
  })

  test('of more than 200 issuers that fail are asked for once in 5 seconds', async () => {
    for (const requests of [201, 201, 402]) {
      // Their documents name issuers without the last slash.
      for (const issuer of issuers(201)) await expect(find(`${issuer}/`)).rejects.toThrow('another issuer')
      expect(asked).toHaveLength(requests)
      now += 2_500
    }
  })

  test('are asked for again for an unknown key only, once in 30 seconds', async () => {
    const [issuer] = issuers(1) as [string]
    const unknown = () => expect(find(issuer, 'unknown')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
    await find(issuer)
    for (const [later, requests] of [
      [29_999, 2],
      [1, 4],
      [29_999, 4],
    ] as const) {
      now += later
      await unknown()
      expect(asked).toHaveLength(requests)
    }
    now += 30_000
    await expect(find(issuer, ours.kid, 'HS256')).rejects.toMatchObject({ code: 'ERR_JOSE_NOT_SUPPORTED' })
    expect(asked).toHaveLength(4)
  })
})
