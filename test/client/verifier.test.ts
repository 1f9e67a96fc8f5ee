import { createVerifier, TokenRefused } from '@embed-access/client'
import { beforeEach, describe, expect, test } from 'vitest'
import { realTime } from '../../client/time.ts'
import { verifierIn } from '../../client/verifier.ts'
import { embedToken } from '../operations/requests.ts'
import { type Call, keys, startOfTime, world } from '../support/service.ts'

const session = '/api/v1/embed/session'

describe('a verifier of embed tokens', () => {
  const service = world()
  beforeEach(() => {
    service.now = startOfTime
  })

  const textOf = ({ authorization }: Call) => `${authorization?.slice('Bearer '.length)}`
  const newToken = async (request: object = { externalId: 'u-1' }, key?: string) =>
    textOf(await embedToken(service, request, key))

  /** One whose requests go to the test's service, which is not at its issuer's address, and are noted. */
  function verifier(options: object = {}) {
    const sent: string[] = []
    const state = { isAway: false, isSilent: false }
    const time = {
      ...realTime,
      pause: async () => {},
      timeout: () => AbortSignal.timeout(state.isSilent ? 10 : 60_000),
      now: () => service.now,
      startStopwatch() {
        const start = service.now
        return () => (service.now - start) / 1000
      },
    }
    const verify = verifierIn(time, {
      ...{ issuer: service.issuer, audience: service.issuer, accountId: 'acme' },
      fetch: async (request) => {
        const { pathname } = new URL(request.url)
        sent.push(pathname)
        if (state.isAway) throw new TypeError('fetch failed')
        const { headers, signal } = request
        if (state.isSilent)
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        return fetch(service.url + pathname, { headers })
      },
      ...options,
    })
    const questions = () => sent.filter((path) => path === session).length
    return { verify, sent, state, questions }
  }

  const refused = { name: 'TokenRefused' }

  test('gives the claims of a good token, and reads the key set once', async () => {
    const { verify, sent } = verifier()
    const claims = await verify(await newToken())
    expect(claims).toMatchObject({ accountId: 'acme', deploymentId: 1, externalId: 'u-1', iss: service.issuer })
    await verify(await newToken({ internalId: 'ada' }))
    expect(sent).toEqual(['/.well-known/jwks.json'])
  })

  test('refuses what is expired, edited, of another type, audience, issuer or account', async () => {
    const token = await newToken()
    const [header, body, signature] = token.split('.')
    const { verify } = verifier()
    for (const wrong of ['', 'x', keys.admin, `${header}.${body}.`, `${header}.e30.${signature}`, token.slice(0, -4)]) {
      await expect(verify(wrong)).rejects.toMatchObject(refused)
    }
    await expect(verify(await newToken({ deploymentId: 9 }, keys.otherAdmin))).rejects.toMatchObject(refused)
    for (const other of [{ audience: 'another' }, { accountId: 'other' }]) {
      await expect(verifier(other).verify(token)).rejects.toMatchObject(refused)
    }
    service.now += 86_399_999
    await verify(token)
    service.now += 1
    await expect(verify(token)).rejects.toMatchObject(refused)
  })

  test('accepts a token that begins at most 30 seconds later by the service’s clock', async () => {
    const { verify } = verifier()
    const token = await newToken()
    service.now -= 30_000
    await verify(token)
    service.now -= 1000
    await expect(verify(token)).rejects.toMatchObject(refused)
  })

  test('asks once in so many seconds whether a token was revoked, however many ask', async () => {
    const { verify, questions } = verifier({ checkRevocation: { everySeconds: 30 } })
    const [token, other] = [await newToken(), await newToken()]
    await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    expect(questions()).toBe(1)
    await service.delete(session, { authorization: `Bearer ${token}` })
    service.now += 29_999
    await verify(token)
    service.now += 1
    await expect(verify(token)).rejects.toMatchObject({ ...refused, message: 'The token was revoked.' })
    await expect(verify(token)).rejects.toMatchObject(refused)
    expect(questions()).toBe(2)
    await verify(other)
    expect(questions()).toBe(3)
  })

  test('without the question lets a revoked token pass until it expires', async () => {
    const { verify, questions } = verifier()
    const token = await newToken()
    await service.delete(session, { authorization: `Bearer ${token}` })
    await verify(token)
    expect(questions()).toBe(0)
  })

  test('asks about no token that it refuses itself', async () => {
    const { verify, questions } = verifier({ checkRevocation: { everySeconds: 30 } })
    await expect(verify(await newToken({ deploymentId: 9 }, keys.otherAdmin))).rejects.toMatchObject(refused)
    expect(questions()).toBe(0)
  })

  test('lets nothing pass while nobody answers, and does not say that the token is wrong', async () => {
    const { verify, state } = verifier({ checkRevocation: { everySeconds: 30 } })
    const token = await newToken()
    for (const failure of ['isAway', 'isSilent'] as const) {
      service.now += 30_000
      await verify(token)
      service.now += 30_000
      state[failure] = true
      const error = await verify(token).catch((error: unknown) => error)
      expect(error).not.toBeInstanceOf(TokenRefused)
      expect(error).toBeInstanceOf(Error)
      state[failure] = false
      await verify(token)
    }
    const fresh = verifier()
    fresh.state.isAway = true
    expect(await fresh.verify(token).catch((error: unknown) => error)).not.toBeInstanceOf(TokenRefused)
  })

  test('is not made without an issuer, an audience and an account', () => {
    const all = { issuer: 'https://api.example.com', audience: 'https://api.example.com', accountId: 'acme' }
    for (const name of ['issuer', 'audience', 'accountId']) {
      for (const none of [undefined, '']) {
        expect(() => createVerifier({ ...all, [name]: none } as never)).toThrow(`createVerifier needs ${name}.`)
      }
    }
  })
})
