import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { issuerKeys } from '@embed-access/core/access/oidc-keys.ts'
import { accessTokenVerifier } from '@embed-access/core/access/oidc-token.ts'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { put, startOfTime, world } from '../support/service.ts'
import { slow } from '../support/time.ts'

describe('the keys of an issuer', () => {
  const asked: string[] = []
  let discovery: (path: string) => object = () => ({})
  let keys: object = { keys: [] }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    response.end(JSON.stringify(path.endsWith('/jwks') ? keys : discovery(path)))
  })
  let base = ''
  const issuerOf = (path: string) => `${base}${path.replace('/.well-known/openid-configuration', '')}`
  const usual = (path: string) => ({ issuer: issuerOf(path), jwks_uri: `${issuerOf(path)}/jwks` })
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    discovery = usual
    keys = { keys: [{ kty: 'EC', crv: 'P-256', kid: 'one', ...(await coordinates()) }] }
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  async function coordinates() {
    const { x, y } = await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey)
    return { x, y }
  }
  const find = async (keysOf: ReturnType<typeof issuerKeys>, issuer: string, kid = 'one') =>
    keysOf(issuer)({ alg: 'ES256', kid }, { payload: '', signature: '' })

  const issuers = (count: number) => Array.from({ length: count }, (_, index) => `${base}/issuer-${index}`)

  test('of 200 issuers are kept; those of one more take the place of the first', async () => {
    let now = startOfTime
    const keysOf = issuerKeys(() => now)
    const [first, second, ...others] = issuers(201) as [string, string, ...string[]]
    const [last, one] = others.toReversed() as [string, string]
    for (const issuer of [first, second, ...others.slice(0, -1)]) await find(keysOf, issuer)
    now += 30_000
    asked.length = 0
    for (const issuer of [...others.slice(0, -1).reverse(), second, first]) await find(keysOf, issuer)
    expect(asked).toEqual([])
    await find(keysOf, last)
    await find(keysOf, one)
    await find(keysOf, second)
    expect(asked).toHaveLength(2)
    await find(keysOf, first)
    expect(asked).toHaveLength(4)
  })

  // These are 2,000 verifications, some of which ask the issuer.
  test('of more than 200 issuers are asked for once in 30 seconds', slow, async () => {
    let now = startOfTime
    const keysOf = issuerKeys(() => now)
    const all = issuers(201)
    const noKey = { code: 'ERR_JWKS_NO_MATCHING_KEY' }
    for (let thirty = 0; thirty < 2; thirty += 1) {
      asked.length = 0
      for (let round = 0; round < 5; round += 1) {
        now += 5_999
        for (const issuer of all) await expect(find(keysOf, issuer, 'invented')).rejects.toMatchObject(noKey)
      }
      expect(asked).toHaveLength(2 * 201)
      for (const issuer of all) await find(keysOf, issuer)
      expect(asked).toHaveLength(2 * 201)
      now += 30_000 - 5 * 5_999
    }
  })

  test('of more than 200 issuers are asked for once by requests that wait together', async () => {
    const keysOf = issuerKeys(() => startOfTime)
    const all = issuers(202)
    for (const issuer of all.slice(0, 200)) await find(keysOf, issuer)
    asked.length = 0
    await Promise.all([...all.slice(200), ...all.slice(200)].map((issuer) => find(keysOf, issuer)))
    expect(asked).toHaveLength(2 * 2)
  })

  test('of more than 200 issuers that fail are asked for once in 5 seconds', async () => {
    let now = startOfTime
    const keysOf = issuerKeys(() => now)
    asked.length = 0
    for (const requests of [201, 201, 402]) {
      // Their documents name issuers without the last slash.
      for (const issuer of issuers(201)) await expect(find(keysOf, `${issuer}/`)).rejects.toThrow('another issuer')
      expect(asked).toHaveLength(requests)
      now += 2_500
    }
  })

  test('are asked for again for an unknown key only, once in 30 seconds', async () => {
    let now = startOfTime
    const keysOf = issuerKeys(() => now)
    await find(keysOf, `${base}/a`)
    asked.length = 0
    await expect(find(keysOf, `${base}/a`, 'two')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
    expect(asked).toEqual([])
    now += 30_000
    await expect(find(keysOf, `${base}/a`, 'two')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
    expect(asked).toHaveLength(2)
    now += 30_000
    const unsupported = keysOf(`${base}/a`)({ alg: 'HS256', kid: 'one' }, { payload: '', signature: '' })
    await expect(unsupported).rejects.toMatchObject({ code: 'ERR_JOSE_NOT_SUPPORTED' })
    expect(asked).toHaveLength(2)
  })

  test('are refused where the document is another issuer’s, or leads to an unsafe place', async () => {
    const refused = async (document: object) => {
      discovery = (path) => ({ ...usual(path), ...document })
      const error = await find(
        issuerKeys(() => startOfTime),
        `${base}/b`,
      ).catch((thrown: Error) => thrown)
      discovery = usual
      return (error as Error).message
    }
    expect(await refused({ issuer: base })).toBe(`${base}/b: the discovery document names another issuer`)
    expect(await refused({ jwks_uri: 1 })).toBe(`${base}/b: the discovery document lacks issuer or jwks_uri`)
    expect(await refused({ jwks_uri: 'http://idp.example/jwks' })).toBe(`${base}/b: jwks_uri is not a safe URL`)
    const usable = keys
    for (const odd of [{}, { keys: 1 }, { keys: [1] }, { keys: [] }, { keys: [{ kty: 'oct', kid: 'a' }] }]) {
      keys = odd
      expect(await refused({})).toBe(`${base}/b/jwks: no key that verifies tokens`)
    }
    keys = usable
  })
})

describe('the name in an access token', () => {
  const service = world()
  let url = ''
  const servers = createServer(async (request, response) => {
    const keys = Object.entries(pairs).map(async ([alg, { publicKey }]) => ({
      ...(await exportJWK(publicKey)),
      kid: alg,
      alg,
    }))
    const jwks = { keys: await Promise.all(keys) }
    response.end(JSON.stringify(request.url === '/jwks' ? jwks : { issuer: url, jwks_uri: `${url}/jwks` }))
  })
  const pairs: Record<string, Awaited<ReturnType<typeof generateKeyPair>>> = {}
  const algorithms = ['RS384', 'PS384', 'ES512', 'Ed25519'] as const
  type Algorithm = (typeof algorithms)[number]
  beforeAll(async () => {
    for (const alg of algorithms) pairs[alg] = await generateKeyPair(alg, { extractable: true })
    await once(servers.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(servers.address() as AddressInfo).port}`
  })
  beforeEach(() => configure('email'))
  afterAll(() => {
    servers.closeAllConnections()
    servers.close()
  })

  const configure = (userClaim: string) =>
    service.apply([put('account', { id: 'acme', name: 'Acme', oidc: { issuer: url, audience: 'a', userClaim } })])

  const verify = accessTokenVerifier(() => startOfTime)
  const exp = startOfTime / 1000 + 60
  async function loginOf(claims: object, alg: Algorithm = 'RS384') {
    const token = await new SignJWT({ iss: url, aud: 'a', sub: 's', email: 'ada', exp, ...claims })
      .setProtectedHeader({ alg, kid: alg })
      .sign((pairs[alg] as (typeof pairs)[string]).privateKey)
    return verify(service.storage, token).then(
      ({ login }) => login,
      ({ message }: Error) => message,
    )
  }

  test.each(algorithms)('is taken from a token that is signed by %s', async (alg) => {
    expect(await loginOf({}, alg)).toBe('ada')
  })

  test('is not taken from a token that never ends', async () => {
    expect(await loginOf({})).toBe('ada')
    expect(await loginOf({ exp: undefined })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED')
  })

  test('is an address that nobody says is unconfirmed, whether it looks like one or not', async () => {
    for (const confirmed of [undefined, true, 'true']) {
      expect(await loginOf({ email_verified: confirmed })).toBe('ada')
    }
    for (const confirmed of [false, 'false', null, '', 1]) {
      expect(await loginOf({ email_verified: confirmed })).toBe('unconfirmed address')
    }
  })

  test('may be that of a user whose address is unconfirmed, if it is no address itself', async () => {
    await configure('login')
    expect(await loginOf({ login: 'ada', email_verified: false })).toBe('ada')
    expect(await loginOf({ login: 'ada@acme.example', email_verified: false })).toBe('unconfirmed address')
  })
})
