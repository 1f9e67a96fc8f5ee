import { createClient } from '@embed-access/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
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
    const pauses: { readonly milliseconds: number; readonly end: () => void }[] = []
    const pause = (milliseconds: number) => new Promise<void>((end) => pauses.push({ milliseconds, end }))
    const client = clientIn(
      { ...realTime, startStopwatch, pause, timeout: () => patience.signal },
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
      pauses,
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

  test('says once for each token how long it has left, when it could not be renewed', async () => {
    at(0)
    const { client, options } = browser()
    let reachable = false
    const newSession = () => (reachable ? options.newSession() : Promise.reject(new Error('host is away')))
    const left: number[] = []
    const session = await client.redeem(await newSessionId(), { newSession, onExpiring: (each) => left.push(each) })
    at(86_400 - 301)
    await session.token()
    expect(left).toEqual([])
    at(86_400 - 200)
    await Promise.all([session.token(), session.token()])
    await session.token()
    expect(left).toEqual([200])
    reachable = true
    await session.token()
    reachable = false
    at(3 * 86_400)
    await expect(session.token()).rejects.toThrow('host is away')
    expect(left).toEqual([200, 0])
    await session.end()
    await expect(session.token()).rejects.toThrow('was ended')
    expect(left).toEqual([200, 0])
  })

  test('without a way to a new session says that its token is about to expire', async () => {
    at(0)
    const left: number[] = []
    const session = await browser().client.redeem(await newSessionId(), { onExpiring: (each) => left.push(each) })
    at(86_400 - 300)
    await session.token()
    expect(left).toEqual([300])
  })

  test('says nothing of its expiry once it is ended', async () => {
    at(0)
    const { client } = browser()
    const { promise, reject } = Promise.withResolvers<string>()
    const onExpiring = vi.fn()
    const session = await client.redeem(await newSessionId(), { newSession: () => promise, onExpiring })
    at(86_400 - 10)
    const waiting = [session.token(), session.end()]
    reject(new Error('host is away'))
    await Promise.all(waiting)
    expect(onExpiring).not.toHaveBeenCalled()
  })

  describe('in a page', () => {
    const page = () => {
      const [window, document] = [new EventTarget(), Object.assign(new EventTarget(), { visibilityState: 'visible' })]
      vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
      vi.stubGlobal('document', document)
      return { window, document }
    }
    afterEach(() => {
      vi.unstubAllGlobals()
    })

    test('is renewed by itself shortly before its end', async () => {
      at(0)
      page()
      const { client, options, asked, pauses } = browser()
      const session = await client.redeem(await newSessionId(), options)
      expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual([(86_400 - 300) * 1000])
      at(86_400 - 300)
      pauses[0]?.end()
      await vi.waitFor(() => expect(pauses).toHaveLength(2))
      await session.token()
      expect(asked).toHaveLength(1)
    })

    test('is renewed when the page is visible again, and not while nobody sees it', async () => {
      at(0)
      const { window, document } = page()
      const { client, options, asked, pauses } = browser()
      const newSession = vi.fn(options.newSession)
      const session = await client.redeem(await newSessionId(), { newSession })
      document.visibilityState = 'hidden'
      document.dispatchEvent(new Event('visibilitychange'))
      at(86_400)
      pauses[0]?.end()
      window.dispatchEvent(new Event('online'))
      await new Promise(setImmediate)
      expect(newSession).not.toHaveBeenCalled()
      document.visibilityState = 'visible'
      document.dispatchEvent(new Event('visibilitychange'))
      await vi.waitFor(() => expect(pauses).toHaveLength(2))
      await session.token()
      expect(asked).toHaveLength(1)
    })

    test('is renewed when the computer is online again, and never once it is ended', async () => {
      at(0)
      const { window, document } = page()
      const { client, options, asked, pauses } = browser()
      let isOnline = false
      const newSession = () => (isOnline ? options.newSession() : Promise.reject(new Error('offline')))
      const session = await client.redeem(await newSessionId(), { newSession })
      at(86_400)
      await expect(session.token()).rejects.toThrow('offline')
      isOnline = true
      window.dispatchEvent(new Event('online'))
      await vi.waitFor(() => expect(pauses).toHaveLength(2))
      await session.token()
      expect(asked).toHaveLength(1)
      await session.end()
      at(3 * 86_400)
      for (const { end } of pauses) end()
      window.dispatchEvent(new Event('online'))
      document.dispatchEvent(new Event('visibilitychange'))
      await new Promise(setImmediate)
      expect(asked).toHaveLength(1)
    })
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
