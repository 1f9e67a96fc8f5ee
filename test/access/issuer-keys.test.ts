import dns from 'node:dns'
import { IssuerUnavailable } from '@embed-access/core/access/oidc-document.ts'
import { issuerKeys } from '@embed-access/core/access/oidc-keys.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { startOfTime } from '../support/service.ts'
import { jwkOf, ours, oursToo } from './forging.ts'
import { served } from './issuer.ts'

type Done = (error: null, addresses: readonly object[]) => void

describe('the keys of an issuer', () => {
  /** What comes in place of a document: another one, which may name the ISSUER, or a status. */
  type Answer = object | string | number
  let answers: { document?: Answer; keys?: Answer }
  /** Has an issuer at every path. */
  const site = served(({ url = '' }, response) => {
    const issuer = `${site.url}${url.replace('/.well-known/openid-configuration', '')}`
    const answer = url.endsWith('/jwks')
      ? (answers.keys ?? { keys: [jwkOf(ours)] })
      : (answers.document ?? { issuer, jwks_uri: `${issuer}/jwks` })
    if (typeof answer === 'object') return answer
    if (typeof answer === 'string') return response.end(answer.replaceAll('ISSUER', issuer))
    return response.writeHead(answer, { location: `${site.url}/moved/jwks` }).end()
  })
  const { asked } = site
  const issuers = (count: number) =>
    Array.from({ length: count }, (_, index) => `${site.url}/issuer-${index}`)

  let now = startOfTime
  let keysOf: ReturnType<typeof issuerKeys>
  beforeEach(() => {
    asked.length = 0
    keysOf = issuerKeys(() => now)
    answers = {}
  })
  const find = async (issuer: string, kid = ours.kid, alg = 'ES256') =>
    keysOf(issuer)({ alg, kid }, { payload: '', signature: '' })
  const isUnknown = (issuer: string, kid = 'unknown') =>
    expect(find(issuer, kid)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })

  test('of several issuers are asked for once in 30 seconds, also together', async () => {
    const all = issuers(9)
    for (let round = 0; round < 2; round += 1) {
      now += 14_999
      for (const issuer of all) await isUnknown(issuer)
      await Promise.all([...all, ...all].map((issuer) => find(issuer)))
      expect(asked).toHaveLength(18)
    }
  })

  test('of several issuers that fail are asked for once in 5 seconds', async () => {
    for (const requests of [9, 9, 18]) {
      // Their documents name issuers without the last slash.
      for (const issuer of issuers(9))
        await expect(find(`${issuer}/`)).rejects.toThrow('another issuer')
      expect(asked).toHaveLength(requests)
      now += 2_500
    }
  })

  test('are asked for again for an unknown key only, once in 30 seconds', async () => {
    const [issuer] = issuers(1) as [string]
    await find(issuer)
    for (const [later, requests] of [
      [29_999, 2],
      [1, 4],
      [29_999, 4],
    ] as const) {
      now += later
      await isUnknown(issuer)
      expect(asked).toHaveLength(requests)
    }
    now += 30_000
    await expect(find(issuer, ours.kid, 'HS256')).rejects.toMatchObject({
      code: 'ERR_JOSE_NOT_SUPPORTED',
    })
    expect(asked).toHaveLength(4)
    answers.keys = { keys: [jwkOf(oursToo)] }
    await Promise.all([1, 2, 3].map(() => find(issuer, oursToo.kid)))
    await isUnknown(issuer, ours.kid)
    expect(asked).toHaveLength(6)
  })

  test('are those it gave before, also while it publishes none', async () => {
    const [issuer] = issuers(1) as [string]
    await find(issuer)
    now += 31_000
    answers.keys = { keys: [] }
    await expect(find(issuer, 'invented')).rejects.toBeInstanceOf(IssuerUnavailable)
    await find(issuer)
  })

  test('are asked for in time, so that a failure keeps nobody out for five minutes', async () => {
    const [issuer] = issuers(1) as [string]
    const minutes = 60_000
    await find(issuer)
    now += 5 * minutes
    await find(issuer)
    expect(asked).toHaveLength(4)
    answers.document = 503
    now += 5 * minutes
    await find(issuer)
    await expect(find(issuer, 'invented')).rejects.toBeInstanceOf(IssuerUnavailable)
    expect(asked).toHaveLength(5)
    now += 5 * minutes - 1
    await find(issuer)
    now += 5_000
    await expect(find(issuer)).rejects.toBeInstanceOf(IssuerUnavailable)
  })

  test('are waited for a few seconds once while it does not answer', async () => {
    const [issuer] = issuers(1) as [string]
    answers.document = new Promise(() => {})
    const found = await Promise.allSettled(Array.from({ length: 5 }, () => find(issuer)))
    expect(found.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    await expect(find(issuer)).rejects.toBeInstanceOf(IssuerUnavailable)
    expect(asked).toHaveLength(1)
  })

  test('are found among what is no key, and where one is listed twice', async () => {
    const [issuer] = issuers(1) as [string]
    answers.keys = { keys: [null, [], jwkOf(ours), ...odd, jwkOf(ours)] }
    await find(issuer)
    await isUnknown(issuer, 'a')
  })

  test('are found below a path that ends with a slash', async () => {
    const issuer = `${site.url}/realms/acme/`
    answers.document = { issuer, jwks_uri: `${issuer}jwks` }
    await find(issuer)
    expect(asked).toEqual(['/realms/acme/.well-known/openid-configuration', '/realms/acme/jwks'])
  })

  const wellKnown = '/.well-known/openid-configuration'

  test('are not found at several addresses, and the error says why', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
    const lookup = vi.spyOn(dns, 'lookup')
    lookup.mockImplementation(((_name: string, _options: object, done: Done) =>
      done(null, addresses)) as never)
    const issuer = 'http://localhost:2'
    const message = `${issuer}${wellKnown}: ECONNREFUSED`
    await expect(find(issuer)).rejects.toMatchObject({ message })
    lookup.mockRestore()
  })

  const named = (jwks_uri: unknown, issuer = 'ISSUER') => JSON.stringify({ issuer, jwks_uri })
  const odd = [
    { ...jwkOf(ours), use: 'enc' },
    { ...jwkOf(ours), kid: undefined },
    { kty: 'oct', kid: 'a' },
    1,
  ]

  test.each<readonly [reason: string, answers: { document?: Answer; keys?: Answer }]>([
    ...[500, 404, 201, 204].map(
      (document) => [`${wellKnown}: status ${document}`, { document }] as const,
    ),
    [`${wellKnown}: unexpected redirect`, { document: 302 }],
    ...['<html>', ''].map((document) => [`${wellKnown}: not JSON`, { document }] as const),
    ...['null', named(undefined), named(1)].map(
      (document) => [': the discovery document lacks issuer or jwks_uri', { document }] as const,
    ),
    [
      ': the discovery document names another issuer',
      { document: named('ISSUER/jwks', 'https://elsewhere.test') },
    ],
    ...['http://0.0.0.0:1/jwks', 'data:,{"keys":[]}', 'file:///etc/passwd'].map(
      (url) => [': jwks_uri is not a safe URL', { document: named(url) }] as const,
    ),
    ['/jwks: status 503', { keys: 503 }],
    ['/jwks: unexpected redirect', { keys: 302 }],
    ...[{}, { keys: 'none' }, { keys: [] }, ...odd.map((key) => ({ keys: [key] }))].map(
      (keys) => ['/jwks: no key that verifies tokens', { keys }] as const,
    ),
  ])('are not found: %s', async (reason, changed) => {
    const [issuer] = issuers(1) as [string]
    answers = changed
    await expect(find(issuer)).rejects.toMatchObject({
      name: 'IssuerUnavailable',
      message: `${issuer}${reason}`,
    })
    answers = {}
    now += 5_000
    await find(issuer)
  })
})
