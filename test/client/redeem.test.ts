import { createClient } from '@embed-access/client'
import { describe, expect, test } from 'vitest'
import { clientIn } from '../../client/client.ts'
import { realTime } from '../../client/time.ts'
import { keys, startOfTime, world } from '../support/service.ts'

describe('an embed session in the browser', () => {
  const service = world()

  const host = () => createClient({ baseUrl: service.url, token: keys.admin })

  /** A host and a browser whose stopwatches go with the time of the service, but for an offset in milliseconds. */
  function browser(offset = 0) {
    const asked: string[] = []
    const sent: Request[] = []
    const startStopwatch = () => {
      const read = () => service.now + offset
      const start = read()
      return () => (read() - start) / 1000
    }
    const patience = new AbortController()
    const client = clientIn(
      { ...realTime, startStopwatch, timeout: () => patience.signal },
      {
        baseUrl: service.url,
        token: 'never to be sent to the exchange',
        fetch: (request) => {
          sent.push(request)
          return fetch(request)
        },
      },
    )
    return {
      asked,
      sent,
      client,
      patience,
      options: {
        newSession: async () => {
          const { sessionId } = await host().generateSession({ deploymentId: 1, externalId: 'u-1' })
          asked.push(sessionId)
          return sessionId
        },
      },
    }
  }

  const newSessionId = async () => (await host().generateSession({ deploymentId: 1, externalId: 'u-1' })).sessionId
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
  const at = (seconds: number) => {
    service.now = startOfTime + seconds * 1000
  }

  test('has one token until shortly before its end, then one of a new session', async () => {
    at(0)
    const { client, options, asked } = browser()
    const session = await client.redeem(await newSessionId(), options)
    const first = await session.token()
    at(86_400 - 301)
    expect(await session.token()).toBe(first)
    expect(asked).toEqual([])
    at(86_400 - 300)
    const second = await session.token()
    expect(second).not.toBe(first)
    expect(claimsOf(second).exp).toBe(startOfTime / 1000 + 2 * 86_400 - 300)
    expect(await session.token()).toBe(second)
    expect(asked).toHaveLength(1)
  })

  test('renews once for all who ask at the same time', async () => {
    at(0)
    const { client, options, asked } = browser()
    const session = await client.redeem(await newSessionId(), options)
    at(86_400)
    const tokens = await Promise.all([...Array.from({ length: 20 }, () => session.token()), session.renew()])
    expect(new Set(tokens).size).toBe(1)
    expect(asked).toHaveLength(1)
  })

  test('does not read the computer’s clock: only how long the token lives', async () => {
    at(0)
    // Its reading is a year off, in either direction.
    for (const days of [365, -365]) {
      const { client, options, asked } = browser(days * 86_400_000)
      const session = await client.redeem(await newSessionId(), options)
      await session.token()
      expect(asked).toEqual([])
    }
  })

  test('makes do with its token while a renewal fails, and says so once it has ended', async () => {
    at(0)
    const { client, options } = browser()
    let reachable = false
    const newSession = () => (reachable ? options.newSession() : Promise.reject(new Error('host is away')))
    const session = await client.redeem(await newSessionId(), { ...options, newSession })
    const first = await session.token()
    at(86_400 - 10)
    expect(await session.token()).toBe(first)
    at(86_400)
    await expect(session.token()).rejects.toThrow('host is away')
    reachable = true
    expect(await session.token()).not.toBe(first)
  })

  test('gives up on a host after 30 seconds, and makes do with a valid token', async () => {
    at(0)
    const { client, options, patience } = browser()
    let asked = 0
    const newSession = () => (++asked === 1 ? new Promise<string>(() => {}) : options.newSession())
    const session = await client.redeem(await newSessionId(), { newSession })
    const first = await session.token()
    at(86_400 - 10)
    const waiting = [session.token(), session.token(), session.renew()]
    patience.abort()
    expect(await Promise.allSettled(waiting)).toMatchObject([
      { value: first },
      { value: first },
      { reason: { message: 'newSession has not answered within 30 seconds.' } },
    ])
    expect(asked).toBe(1)
    expect(await session.renew()).not.toBe(first)
  })

  test('without a way to a new session ends with its token', async () => {
    at(0)
    const { client } = browser()
    const session = await client.redeem(await newSessionId())
    at(86_399)
    await session.token()
    at(86_400)
    await expect(session.token()).rejects.toThrow('expired')
  })

  test('cannot be had twice from one session id', async () => {
    at(0)
    const { client } = browser()
    const sessionId = await newSessionId()
    await client.redeem(sessionId)
    await expect(client.redeem(sessionId)).rejects.toMatchObject({ status: 401, code: 'invalid_session' })
  })

  test('never sends a credential along with a session id', async () => {
    at(0)
    const { client, sent } = browser()
    await client.redeem(await newSessionId())
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null])
  })

  test('ends its token when it is ended, and gives no other', async () => {
    at(0)
    const { client, options } = browser()
    const session = await client.redeem(await newSessionId(), options)
    const first = await session.token()
    at(86_400 - 10)
    const [renewed] = await Promise.all([session.renew(), session.end()])
    for (const token of [first, renewed]) {
      const { status } = await service.get('/api/v1/embed/session', { authorization: `Bearer ${token}` })
      expect(status).toBe(token === renewed ? 401 : 200)
    }
    await expect(session.token()).rejects.toThrow('was ended')
    await expect(session.renew()).rejects.toThrow('was ended')
    await session.end()
  })

  test('ends at once when it is revoked', async () => {
    at(0)
    const { client } = browser()
    const sessionId = (await host().generateSession({ deploymentId: 1, internalId: 'ada' })).sessionId
    const token = await (await client.redeem(sessionId)).token()
    const asUser = createClient({ baseUrl: service.url, token })
    await Array.fromAsync(asUser.listDbtSyncs(1).items())
    await host().revokeSession(sessionId)
    await expect(Array.fromAsync(asUser.listDbtSyncs(1).items())).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('ends at once when its user is revoked', async () => {
    at(0)
    const user = { embedTenantName: 'north', externalId: 'u-7' }
    const { client } = browser()
    const { sessionId } = await host().generateSession({ deploymentId: 1, ...user })
    const token = await (await client.redeem(sessionId)).token()
    await host().revokeSession(user)
    expect((await service.get('/api/v1/embed/session', { authorization: `Bearer ${token}` })).status).toBe(401)
  })
})
