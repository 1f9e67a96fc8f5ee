import { setImmediate as nextTurn } from 'node:timers/promises'
import { createVerifier, TokenRefused } from '@embed-access/client'
import { beforeEach, describe, expect, test } from 'vitest'
import { latestOf } from '../../client/latest.ts'
import { keys, startOfTime, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'
import { following } from './following.ts'
import { heldTime } from './held-time.ts'

const session = '/api/v1/embed/session'
const service = world(undefined, { isInMemory: true })
beforeEach(() => {
  service.now = startOfTime
})

const newToken = (request: object = { externalId: 'u-1' }, key?: string) =>
  sessionsOf(service).newToken(request, key)
const revoke = (token: string) => service.delete(session, bearer(token))

/** One that reads no revocations, and whose requests end soon while the service is silent. */
function verifier(options: object = {}, pause = async () => {}) {
  const timeout = () => AbortSignal.timeout(made.state.isSilent ? 10 : 60_000)
  const made = following(service, { revocations: undefined, ...options }, { pause, timeout })
  return made
}

const asking = () => verifier({ checkRevocation: { everySeconds: 30 } })
const refused = { name: 'TokenRefused' }
const noClaims = `GET ${service.issuer}${session} gave no claims.`

describe('a verifier of embed tokens', () => {
  test('gives the claims of a good token, and reads the key set once', async () => {
    const { verify, keySets, questions, readings } = verifier()
    const claims = await verify(await newToken())
    expect(claims).toMatchObject({
      accountId: 'acme',
      deploymentId: 1,
      externalId: 'u-1',
      iss: service.issuer,
    })
    await verify(await newToken({ internalId: 'ada' }))
    const issuer = `${service.issuer}/`
    await verifier({ issuer, audience: issuer }).verify(await newToken())
    expect([keySets(), questions(), readings()]).toEqual([1, 0, []])
  })

  test('refuses expired, edited and foreign tokens, and does not ask about them', async () => {
    const token = await newToken()
    const [header, body, signature] = token.split('.')
    const { verify, questions } = asking()
    const ofAnother = await newToken({ deploymentId: 9 }, keys.otherAdmin)
    const edited = [`${header}.${body}.`, `${header}.e30.${signature}`, token.slice(0, -4)]
    for (const wrong of ['', 'x', keys.admin, ...edited, ofAnother]) {
      await expect(verify(wrong)).rejects.toMatchObject(refused)
    }
    const another = expect.stringMatching(/not valid: unexpected "(aud|iss)" claim value$/)
    for (const [other, message] of [
      [{ audience: 'another' }, another],
      [{ accountId: 'other' }, 'The token is of another account.'],
      [{ issuer: 'https://other.example' }, another],
    ] as const) {
      await expect(verifier(other).verify(token)).rejects.toMatchObject({ ...refused, message })
    }
    expect(questions()).toBe(0)
    service.now += 86_399_999
    await verify(token)
    service.now += 1
    const message = 'The token has expired.'
    await expect(verify(token)).rejects.toMatchObject({ ...refused, message })
  })

  test('accepts a token that begins at most 30 seconds later', async () => {
    const { verify } = verifier()
    const token = await newToken()
    service.now -= 30_000
    await verify(token)
    service.now -= 1000
    await expect(verify(token)).rejects.toMatchObject(refused)
  })

  test('asks once in so many seconds whether a token was revoked, however many ask', async () => {
    const { verify, questions } = asking()
    const [token, other] = [await newToken(), await newToken()]
    await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    expect(questions()).toBe(1)
    await revoke(token)
    service.now += 29_999
    await verify(token)
    service.now += 1
    await expect(verify(token)).rejects.toMatchObject({
      ...refused,
      message: 'The token was revoked.',
    })
    await verify(other)
    await expect(verify(token)).rejects.toMatchObject(refused)
    expect(questions()).toBe(3)
    // One that does not ask cannot know.
    await verifier().verify(token)
  })

  test.each<[string, object, string?]>([
    ['is away', { isAway: true }],
    ['is silent', { isSilent: true }],
    ['answers 503', { answer: new Response(null, { status: 503 }) }],
    ['answers null', { answer: Response.json(null) }, noClaims],
    ['answers {}', { answer: Response.json({}) }, noClaims],
  ])(
    'accepts nothing while the service %s, but does not call the token wrong',
    async (_, failure, message = '') => {
      const { verify, state } = asking()
      const token = await newToken()
      await verify(token)
      service.now += 30_000
      Object.assign(state, failure)
      const thrown = await verify(token).catch((error: unknown) => error)
      expect(thrown).not.toBeInstanceOf(TokenRefused)
      expect(thrown).toHaveProperty('message', expect.stringContaining(message))
      Object.assign(state, { isAway: false, isSilent: false, answer: undefined })
      await verify(token)
      const fresh = asking()
      fresh.state.isAway = true
      await expect(fresh.verify(token)).rejects.not.toBeInstanceOf(TokenRefused)
    },
  )

  test('reads the key set every 5 minutes, and goes on for a day if it cannot', async () => {
    // Its patience never ends, so each reading does before the time goes on.
    const { verify, state, keySets } = verifier({}, () => new Promise(() => {}))
    service.now += 3_600_000
    const [first, later] = [await newToken(), await newToken()]
    await Promise.all([verify(first), verify(first), verify(later)])
    service.now += 299_000
    await verify(first)
    expect(keySets()).toBe(1)
    service.now += 1000
    await verify(first)
    expect(keySets()).toBe(2)
    state.isAway = true
    service.now += 300_000
    await Promise.all([verify(first), verify(later)])
    service.now += 29_000
    await verify(first)
    expect(keySets()).toBe(3)
    service.now += 1000
    await verify(first)
    expect(keySets()).toBe(4)
    service.now = startOfTime + 3_600_000 + 300_000 + 86_400_000 - 2000
    const fresh = await newToken()
    await verify(fresh)
    service.now += 2000
    await expect(verify(fresh)).rejects.toThrow('fetch failed')
    state.isAway = false
    service.now += 30_000
    await verify(fresh)
    const before = keySets()
    service.now += 299_000
    await verify(fresh)
    expect(keySets()).toBe(before)
  })

  test('does not wait for a key set that does not come while it knows the key', async () => {
    let isSilent = false
    const { verify } = verifier({
      fetch: ({ url }: Request) =>
        isSilent ? new Promise(() => {}) : fetch(service.url + new URL(url).pathname),
    })
    const token = await newToken()
    const claims = await verify(token)
    isSilent = true
    service.now += 301_000
    expect(await verify(token)).toEqual(claims)
  })

  test('waits for the next key set while the last one becomes a day old', async () => {
    let now = 0
    const { time, pauses } = heldTime(() => now)
    const next = Promise.withResolvers<string>()
    const readings = [Promise.resolve('first'), next.promise]
    const rhythm = { every: 300, again: 30, stale: 86_400 }
    const latest = latestOf(time, rhythm, () => readings.shift() ?? Promise.reject())
    expect(await latest()).toMatchObject({ value: 'first', stillCounts: true })
    now = 86_399_500
    const asked = latest()
    now = 86_400_500
    pauses.at(-1)?.end()
    await nextTurn()
    const cause = new Error('gone')
    next.reject(cause)
    expect(await asked).toEqual({ value: 'first', stillCounts: false, cause })
  })

  test('reads the key set once in 30 seconds for tokens of unknown keys', async () => {
    const { verify, state, keySets } = verifier()
    const token = await newToken()
    const header = Buffer.from('{"alg":"ES256","typ":"embed+jwt","kid":"x"}')
    const unknown = token.replace(/^[^.]+/, header.toString('base64url'))
    const forged = async () => expect(verify(unknown)).rejects.toMatchObject(refused)
    for (const isAway of [false, true]) {
      state.isAway = isAway
      const before = keySets()
      await Promise.all(Array.from({ length: 20 }, forged))
      service.now += 30_000
      await Promise.all(Array.from({ length: 20 }, forged))
      expect(keySets() - before, `${isAway}`).toBe(isAway ? 1 : 2)
      await verify(token)
    }
  })

  test.each([
    ['/.well-known/jwks.json answered 503.', new Response('', { status: 503 })],
    ['JSON Web Key Set malformed', Response.json({ keys: 7 })],
    ['/.well-known/jwks.json answered no JSON', new Response('<html>')],
  ])(
    'says %s where the key set is wrong, and does not call a token so',
    async (message, answer) => {
      const { verify, state } = verifier()
      const token = await newToken()
      state.answer = answer
      for (let time = 0; time < 2; time += 1) {
        const thrown = await verify(token).catch((error: unknown) => error)
        expect(thrown).not.toBeInstanceOf(TokenRefused)
        expect(thrown).toHaveProperty('message', expect.stringContaining(message))
      }
      state.answer = undefined
      service.now += 1000
      await verify(token)
    },
  )

  test.each(['issuer', 'audience', 'accountId'])('is not made without %s', (name) => {
    const all = {
      issuer: 'https://api.example.com',
      audience: 'https://api.example.com',
      accountId: 'acme',
    }
    for (const none of [undefined, '']) {
      expect(() => createVerifier({ ...all, [name]: none } as never)).toThrow(
        `createVerifier needs ${name}.`,
      )
    }
  })
})
