import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { revokeMinted } from '@embed-access/core/sessions/revoke.ts'
import { readSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import fc from 'fast-check'
import { decodeJwt, generateKeyPair, importJWK, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { anyCharacter } from '../support/properties.ts'
import {
  acmeTenant,
  embeddingAccount,
  keys,
  put,
  revised,
  startOfTime,
  userOf,
  without,
  world,
} from '../support/service.ts'
import { bearer, sessionsOf, tokenStatus } from '../support/sessions.ts'
import { following } from './following.ts'

const refused = 'The token was revoked.'
const unknown = 'Error: The revocations could not be read yet.'
const stale = 'Error: The revocations are older than five minutes.'

const service = world(undefined, { isInMemory: true })
// Each test has later seconds than those that another has revoked.
let begin = startOfTime
beforeEach(() => {
  begin += 200_000_000
  service.now = begin
})

const { generate, newSession, tokenOf, newToken, revoke } = sessionsOf(service)
const north = { embedTenantName: 'north' }
const ofNorth = { ...north, externalId: 'u-1' }
const end = (token: string) => service.delete('/api/v1/embed/session', bearer(token))

/** Whether each token is good: by the service, and by a verifier that asks it nothing. */
async function compared(tokens: readonly string[]): Promise<[boolean, boolean][]> {
  const verifiers = new Map(
    ['acme', 'brief', 'other'].map((accountId) => [accountId, following(service, { accountId })]),
  )
  const verdicts: [boolean, boolean][] = []
  for (const token of tokens) {
    const verdict = await verifiers.get(`${decodeJwt(token).accountId}`)?.verdict(token)
    expect(['good', refused]).toContain(verdict)
    verdicts.push([(await tokenStatus(service, token)) === 200, verdict === 'good'])
  }
  return verdicts
}

describe('a verifier that asks nothing says what the service says', () => {
  const ofBrief = embeddingAccount('brief', 70)
  const [account] = ofBrief
  const deployment = (accountId: string, id: number) =>
    put('deployment', { accountId, id, name: 'Brief' })
  const user = userOf('acme', 70, '70@x.example', { roles: ['admin'], deploymentIds: 'all' })
  const passing = [...ofBrief, deployment('acme', 2), user, acmeTenant('north')]
  const scopedKey = hashOfApiKey(keys.scopedAdmin).slice(0, shownHashLength)
  const deleting = (change: Parameters<typeof without>[0]) => () => service.apply([without(change)])
  const minted = (minter: Parameters<typeof revokeMinted>[2]) => () =>
    revokeMinted(service.storage, 'acme', minter, 0, service.now)
  // The sessions of each test: what is asked for, and by which key.
  const made: Readonly<Record<string, readonly [request: object, key?: string]>> = {
    byAdmin: [ofNorth],
    inSecond: [{ ...ofNorth, deploymentId: 2 }, keys.scopedAdmin],
    byReader: [ofNorth, keys.reader],
    otherUser: [{ ...north, externalId: 'u-2' }],
    tenantOnly: [north],
    userOnly: [{ externalId: 'u-1' }],
    internal: [{ internalId: '70@x.example' }],
    similarTenant: [{ embedTenantName: 'north-east', externalId: 'u-1' }],
    ofOther: [{ ...ofNorth, deploymentId: 9 }, keys.otherAdmin],
    ofBrief: [{ ...ofNorth, deploymentId: 70 }, 'sk-brief'],
  }
  const ofTenant = 'byAdmin inSecond byReader otherUser tenantOnly'
  type ByName = Record<string, string>
  const session = (name: string, key: string) => (ids: ByName) =>
    revoke({ sessionId: ids[name] }, key)

  const inSecond = session('inSecond', keys.scopedAdmin)
  const inFirst = session('byAdmin', keys.scopedAdmin)
  const byItsReader = session('byReader', keys.reader)
  // Each with the sessions whose tokens it ends.
  const ways: Readonly<Record<string, [string, (ids: ByName, tokens: ByName) => unknown]>> = {
    'a token that ended itself': ['byAdmin', (_, tokens) => end(`${tokens.byAdmin}`)],
    'a session that an admin has revoked': ['byAdmin', session('byAdmin', keys.admin)],
    'a session that a key of its deployment has revoked': ['inSecond', inSecond],
    'a session that a key of another deployment has revoked': ['', inFirst],
    'a session that the reader who generated it has revoked': ['byReader', byItsReader],
    'a session that another reader has revoked': ['', session('byAdmin', keys.reader)],
    'a session that another account has revoked': ['', session('byAdmin', keys.otherAdmin)],
    'an embed tenant': [ofTenant, () => revoke(north)],
    'an embed tenant, in a deployment': ['inSecond', () => revoke(north, keys.scopedAdmin)],
    'an embed tenant of another account': ['ofOther', () => revoke(north, keys.otherAdmin)],
    'an end user, however the id is written': [
      'byAdmin inSecond byReader',
      () => revoke({ ...north, externalId: ' U-1' }),
    ],
    'an end user, in a deployment': ['inSecond', () => revoke(ofNorth, keys.scopedAdmin)],
    'what an API key has generated': ['inSecond', minted({ key: scopedKey })],
    'what a user has generated': ['byReader', minted({ userId: 2 })],
    'an embed tenant that was deleted': [ofTenant, deleting(acmeTenant('north'))],
    'an internal user who was deleted': ['internal', deleting(user)],
    'a deployment that was deleted': ['inSecond', deleting(deployment('acme', 2))],
    'an account that was deleted': ['ofBrief', deleting(account)],
  }

  test.each(Object.entries(ways))('about %s', async (_, [ended, way]) => {
    await service.apply(passing)
    const [ids, tokens]: [ByName, ByName] = [{}, {}]
    for (const [name, asked] of Object.entries(made)) {
      ids[name] = await newSession(...asked)
      tokens[name] = await tokenOf(ids[name])
    }
    service.now += 2000
    await way(ids, tokens)
    service.now += 15_000
    const verdicts = await compared(Object.values(tokens))
    expect(verdicts.filter(([asked, told]) => asked !== told)).toEqual([])
    const refusedOnes = Object.keys(made).filter((_, at) => !verdicts[at]?.[0])
    expect(refusedOnes.join(' ')).toBe(ended)
    // What is generated afterwards is good, if it can be.
    await service.apply(passing)
    expect(await compared([await newToken(ofNorth)])).toEqual([[true, true]])
  })

  test('about what is generated in the second after a revocation', async () => {
    await revoke(north)
    service.now += 1000
    const revoked = await newToken(ofNorth)
    service.now += 1000
    const good = await newToken(ofNorth)
    service.now += 15_000
    expect(await compared([revoked, good])).toEqual([
      [false, false],
      [true, true],
    ])
  })

  test('about a deployment that turns out to be another account’s', async () => {
    await service.apply(ofBrief)
    await service.apply([revised(5, deployment('brief', 71))])
    const token = await newToken({ ...ofNorth, deploymentId: 71 }, 'sk-brief')
    service.now += 2000
    await service.apply([revised(3, deployment('other', 71))])
    service.now += 15_000
    expect(await compared([token])).toEqual([[false, false]])
  })

  test('about a session from just after its deployment was deleted', async () => {
    await service.apply(passing)
    const inSecond = { ...ofNorth, deploymentId: 2 }
    await newSession(inSecond)
    await deleting(deployment('acme', 2))()
    service.now += 4999
    const token = await newToken(inSecond)
    service.now += 15_000
    expect(await compared([token])).toEqual([[false, false]])
  })

  test('whatever the letters of an end user’s id', async () => {
    const id = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
    const others = fc.constantFrom('#', '%', 'a#b%23', 'x'.repeat(2200), 'ü☃𝄞')
    await fc.assert(
      fc.asyncProperty(fc.oneof(others, id), async (externalId) => {
        service.now += 1_000_000
        const { status, body } = await generate({ ...north, externalId })
        fc.pre(status === 200)
        const token = await tokenOf(body.sessionId)
        await revoke({ ...north, externalId })
        service.now += 15_000
        expect(await compared([token])).toEqual([[false, false]])
      }),
      { numRuns: 20 },
    )
  })
})

describe('a verifier that follows the revocations', () => {
  /** Signs documents as the service does, but for what is given. */
  async function signing() {
    const { keys } = await readSigningKeys(service.storage)
    const { kid, ...jwk } = keys.find(({ state }) => state === 'active') as { kid: string }
    const key = await importJWK(jwk, 'ES256')
    return (claims: object, header: object = {}, by = key) => {
      const now = service.now / 1000
      const usual = { iss: service.issuer, iat: now, exp: now + 120, complete: true, revoked: {} }
      const typ = 'embed-revocations+jwt'
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ, kid, ...header })
        .sign(by)
    }
  }

  test('refuses within 30 seconds what ended itself, and has asked for no token', async () => {
    for (const lead of [0, 1000, 6000, 11_999, 14_999]) {
      const [token, other] = [await newToken(ofNorth), await newToken(ofNorth)]
      // Another reader has the instance read just before.
      await following(service).verdict(other)
      service.now += lead
      const { verdict, questions, readings } = following(service)
      expect(await verdict(token)).toBe('good')
      await end(token)
      const ended = service.now
      while ((await verdict(token)) === 'good') service.now += 500
      expect(service.now - ended).toBeLessThanOrEqual(30_000)
      expect(await verdict(other)).toBe('good')
      expect([questions(), readings().length < 4]).toEqual([0, true])
      service.now += 60_000
    }
  })

  test('reads once in 15 seconds for 100 tokens, and not again what it has', async () => {
    // A new document is signed again at the next reading.
    service.now = begin - 12_000
    await service.get('/.well-known/embed-revocations')
    service.now = begin
    const { verdict, readings, questions } = following(service)
    const tokens = [await newToken(ofNorth), await newToken()]
    for (let round = 0; round < 10; round += 1) {
      const all = Array.from({ length: 10 }, (_, at) => verdict(`${tokens[at % 2]}`))
      expect(new Set(await Promise.all(all))).toEqual(new Set(['good']))
      service.now += 1490
    }
    expect([readings(), questions()]).toEqual([[200], 0])
    for (const seconds of [15, 30, 45, 60]) {
      service.now = begin + seconds * 1000
      await verdict(`${tokens[0]}`)
    }
    // The document was signed again after a minute.
    expect(readings()).toEqual([200, 304, 304, 304, 200])
  })

  test('refuses what it knows while the service is away, and then all, or asks', async () => {
    const [token, ended] = [await newToken(ofNorth), await newToken(ofNorth)]
    await end(ended)
    const refusing = following(service)
    const asking = following(service, { revocations: { onStale: 'ask' } })
    for (const { verdict, state } of [refusing, asking]) {
      expect(await verdict(token)).toBe('good')
      state.isAway = true
      for (const seconds of [20, 60, 120, 240, 299]) {
        service.now = begin + seconds * 1000
        expect([await verdict(token), await verdict(ended)]).toEqual(['good', refused])
      }
      service.now = begin
    }
    service.now = begin + 300_000
    expect([await refusing.verdict(token), await refusing.verdict(ended)]).toEqual([stale, refused])
    const message = expect.stringMatching(
      /embed-revocations got no answer: TypeError: fetch failed$/,
    )
    const cause = expect.objectContaining({ message })
    await expect(refusing.verify(token)).rejects.toMatchObject({ cause })
    asking.state.isAway = false
    asking.state.document = 'nonsense'
    expect([await asking.verdict(token), await asking.verdict(ended)]).toEqual(['good', refused])
    expect([refusing.questions(), asking.questions()]).toEqual([0, 1])
    refusing.state.isAway = false
    service.now += 15_000
    expect(await refusing.verdict(token)).toBe('good')
  })

  test('trusts an expired document that a cache calls unchanged for five minutes', async () => {
    const token = await newToken(ofNorth)
    const { verify, verdict, state } = following(service)
    state.isUnchanged = true
    const cause = { message: 'There is no document that could be unchanged.' }
    await expect(verify(token)).rejects.toMatchObject({ cause })
    state.isUnchanged = false
    service.now += 1000
    expect(await verdict(token)).toBe('good')
    state.isUnchanged = true
    const { exp = 0 } = decodeJwt((await service.get('/.well-known/embed-revocations')).text)
    let taken = service.now
    for (; service.now < exp * 1000 + 600_000; service.now += 15_000) {
      if (service.now < exp * 1000) taken = service.now
      expect(await verdict(token)).toBe(service.now < taken + 300_000 ? 'good' : stale)
    }
  })

  test('knows nothing before its first document, and reads again after a second', async () => {
    const token = await newToken(ofNorth)
    const { verify, verdict, state, readings } = following(service)
    state.document = ''
    for (const expected of [1, 1, 2]) {
      expect(await verdict(token)).toBe(unknown)
      await expect(verify(token)).rejects.toMatchObject({ cause: { name: 'JWSInvalid' } })
      expect(readings()).toHaveLength(expected)
      service.now += 500
    }
    state.document = undefined
    service.now += 1000
    expect(await verdict(token)).toBe('good')
  })

  test('waits for a silent service for a second, and goes by what it knows', async () => {
    const token = await newToken(ofNorth)
    const { verdict, state, pauses, patience } = following(service)
    expect(await verdict(token)).toBe('good')
    state.isSilent = true
    service.now += 15_000
    const waiting = verdict(token)
    await expect.poll(() => pauses).toHaveLength(1)
    expect(pauses[0]?.milliseconds).toBe(1000)
    pauses[0]?.end()
    expect(await waiting).toBe('good')
    // The others do not wait, nor do they send another request.
    expect(await verdict(token)).toBe('good')
    patience.abort()
    state.isSilent = false
    service.now += 15_000
    expect(await verdict(token)).toBe('good')
  })

  test('waits for a slow service as long as it knows nothing that still counts', async () => {
    const token = await newToken(ofNorth)
    const { verdict, state, pauses, readings } = following(service)
    expect(await verdict(token)).toBe('good')
    // As after a night without tokens.
    service.now += 30_000_000
    const { promise, resolve } = Promise.withResolvers<void>()
    state.until = promise
    const fresh = await newToken(ofNorth)
    const waiting = Promise.all([verdict(fresh), verdict(fresh)])
    for (const at of [0, 1]) {
      await expect.poll(() => pauses.length).toBeGreaterThan(at)
      pauses[at]?.end()
    }
    service.now += 15_000
    const later = verdict(fresh)
    await new Promise(setImmediate)
    resolve()
    expect([...(await waiting), await later]).toEqual(['good', 'good', 'good'])
    expect(readings()).toHaveLength(2)
  })

  test('takes no document of another type or issuer, expired, forged or older', async () => {
    const [token, ended] = [await newToken(ofNorth), await newToken(ofNorth)]
    const own = (await service.get('/.well-known/embed-revocations')).text
    await end(ended)
    service.now += 15_000
    const { verdict, state, readings } = following(service)
    const signed = await signing()
    expect(await verdict(ended)).toBe(refused)
    const { privateKey: foreign } = await generateKeyPair('ES256')
    const older = [own, await signed({ iat: begin / 1000 })]
    const wrong = [
      await signed({}, { typ: 'embed+jwt' }),
      await signed({}, { typ: 'JWT' }),
      await signed({ iss: 'https://other.example' }),
      await signed({ exp: service.now / 1000 }),
      await signed({ exp: undefined }),
      await signed({ iat: undefined }),
      await signed({ revoked: undefined }),
      await signed({}, {}, foreign),
      token,
      `${own.split('.')[0]}..`,
      '',
    ]
    for (const document of [...older, ...wrong]) {
      state.document = document
      service.now += 15_000
      expect([await verdict(ended), await verdict(token)]).toEqual([refused, 'good'])
      const first = following(service)
      first.state.document = document
      if (wrong.includes(document)) expect(await first.verdict(token)).toBe(unknown)
    }
    expect(readings()).toHaveLength(1 + older.length + wrong.length)
    // Otherwise such a document is taken.
    service.now += 15_000
    state.document = await signed({ iss: `${service.issuer}/` })
    expect(await verdict(ended)).toBe('good')
  })

  test('takes the document for no token, and nor does the service', async () => {
    const { text } = await service.get('/.well-known/embed-revocations')
    const { verdict } = following(service)
    expect(await verdict(text)).toMatch('The token is not valid')
    expect(await tokenStatus(service, text)).toBe(401)
    expect((await service.get('/api/v1/deployments/1/dbt-sync', bearer(text))).status).toBe(401)
  })

  test('asks about each token that the document does not refuse, if it is not whole', async () => {
    const [token, ended] = [await newToken(ofNorth), await newToken(ofNorth)]
    await end(ended)
    const { verdict, questions, state } = following(service)
    const signed = await signing()
    state.document = await signed({ complete: false })
    expect([await verdict(token), await verdict(ended)]).toEqual(['good', refused])
    expect(questions()).toBe(2)
  })
})

describe('a verifier in a process of its own', () => {
  // Here nothing is revoked, although this test has the real time and the others have later ones.
  const service = world()
  const { newToken } = sessionsOf(service)

  test('keeps no process alive', async () => {
    service.now = Date.now()
    const token = await newToken(ofNorth)
    const code = `
      import { createVerifier } from './client/verify.ts'
      const [issuer, url] = ['${service.issuer}', '${service.url}']
      const verify = createVerifier({
        issuer, audience: issuer, accountId: 'acme', revocations: {},
        fetch: (request) => fetch(url + new URL(request.url).pathname, request),
      })
      console.log((await verify('${token}')).externalId)`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', code],
      { timeout: 15_000 },
    )
    expect(stdout).toBe('u-1\n')
  })
})
