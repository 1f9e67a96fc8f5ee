import { createClient, type RedeemOptions, redeem } from '@embed-access/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { redeemIn } from '../../client/redeem.ts'
import { keys, startOfTime, world } from '../support/service.ts'
import { claimsIn, tokenStatus } from '../support/sessions.ts'
import { heldTime } from './held-time.ts'

const service = world(undefined, { isInMemory: true })
const host = () => createClient({ baseUrl: service.url, token: keys.admin })
const newSessionId = async () =>
  (await host().generateSession({ deploymentId: 1, externalId: 'u-1' })).sessionId

/** Sets the time of the service, in seconds since the tests began. A token lives for a day. */
const at = (seconds: number) => {
  service.now = startOfTime + seconds * 1000
}
const day = 86_400
beforeEach(() => at(0))

/**
 * A session in a browser whose stopwatches go with the time of the service, and whose host is there
 * until it `isAway`. The clock of this computer is years off.
 */
async function opened(options: Partial<RedeemOptions> = {}) {
  const state = { isAway: false }
  const newSession = vi.fn(() =>
    state.isAway ? Promise.reject(new Error('host is away')) : newSessionId(),
  )
  const onExpiring = vi.fn()
  const sent: Request[] = []
  const fetchHere = vi.fn((request: Request) => fetch(request))
  const { time, ...held } = heldTime(() => service.now)
  const session = await redeemIn(time, {
    baseUrl: service.url,
    fetch(request) {
      sent.push(request)
      return fetchHere(request)
    },
    sessionId: await newSessionId(),
    newSession,
    onExpiring,
    ...options,
  })
  return { session, state, newSession, onExpiring, sent, fetchHere, ...held }
}

/** What the service says of each token: 200 or 401. */
const statusesOf = (...tokens: string[]) =>
  Promise.all(tokens.map((token) => tokenStatus(service, token)))

describe('an embed session in the browser', () => {
  test('has one token until shortly before its end, and then one of a new session', async () => {
    const { session, newSession, sent } = await opened()
    const first = await session.token()
    at(day - 301)
    expect(await session.token()).toBe(first)
    expect(newSession).not.toHaveBeenCalled()
    at(day - 300)
    const second = await session.token()
    expect(second).not.toBe(first)
    expect(claimsIn(second).exp).toBe(startOfTime / 1000 + 2 * day - 300)
    expect(await session.token()).toBe(second)
    expect(newSession).toHaveBeenCalledTimes(1)
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null, null])
  })

  test('begins with a session of the host where none is given', async () => {
    const { session, newSession } = await opened({ sessionId: undefined })
    expect(newSession).toHaveBeenCalledTimes(1)
    expect(await statusesOf(await session.token())).toEqual([200])
    await expect(redeem({ baseUrl: service.url })).rejects.toThrow('newSession is missing.')
    // JavaScript lets it return the id itself.
    const id = (await newSessionId()) as unknown as Promise<string>
    const { token } = await redeem({ baseUrl: service.url, newSession: () => id })
    expect(await statusesOf(await token())).toEqual([200])
    // A path of its origin is an address in a browser.
    const inBrowser = redeem({ baseUrl: '/platform/', newSession })
    await expect(inBrowser).rejects.toThrow(' /platform/api/v1/embed/session/token')
  })

  test.each(['', 'https://', 'ftp://a.example', '//a.example', '/\\a.example'])(
    'asks for no session where %j is the address of the service',
    async (baseUrl) => {
      const newSession = vi.fn(newSessionId)
      const message = `baseUrl must be like https://example.com, not "${baseUrl}".`
      await expect(redeem({ baseUrl, newSession })).rejects.toThrow(new TypeError(message))
      expect(newSession).not.toHaveBeenCalled()
    },
  )

  test('takes an address whose scheme is in capital letters', async () => {
    const baseUrl = service.url.replace(/^https?/, (scheme) => scheme.toUpperCase())
    const { session } = await opened({ baseUrl })
    expect(await statusesOf(await session.token())).toEqual([200])
  })

  test('renews once for all who ask at the same time', async () => {
    const { session, newSession } = await opened()
    at(day)
    const tokens = await Promise.all([
      ...Array.from({ length: 20 }, () => session.token()),
      session.renew(),
    ])
    expect(new Set(tokens).size).toBe(1)
    expect(newSession).toHaveBeenCalledTimes(1)
  })

  test('gives up on a host after 30 seconds, and makes do with a valid token', async () => {
    const { session, newSession, patience } = await opened()
    newSession.mockReturnValueOnce(new Promise<string>(() => {}))
    const first = await session.token()
    at(day - 10)
    const waiting = [session.token(), session.token(), session.renew()]
    patience.abort()
    expect(await Promise.allSettled(waiting)).toMatchObject([
      { value: first },
      { value: first },
      { reason: { message: 'newSession has not answered within 30 seconds.' } },
    ])
    expect(newSession).toHaveBeenCalledTimes(1)
    expect(await session.renew()).not.toBe(first)
  })

  test('without a way to a new one says that it expires soon, and ends', async () => {
    const { session, onExpiring } = await opened({ newSession: undefined })
    at(day - 300)
    await session.token()
    expect(onExpiring.mock.calls).toEqual([[300]])
    at(day)
    await expect(session.token()).rejects.toThrow('newSession is missing.')
  })

  test('ends its token when it is ended, and gives no other', async () => {
    const { session, sent } = await opened()
    const first = await session.token()
    at(day - 10)
    await session.end()
    expect(await statusesOf(first)).toEqual([401])
    await expect(session.token()).rejects.toThrow('was ended')
    await expect(session.renew()).rejects.toThrow('was ended')
    const { length } = sent
    await session.end()
    expect(sent).toHaveLength(length)
  })

  test('ends the tokens that it replaced too, as soon as the service can be asked', async () => {
    const { session, fetchHere } = await opened()
    const tokens = [await session.token(), await session.renew(), await session.renew()]
    expect(await statusesOf(...tokens)).toEqual([200, 200, 200])
    fetchHere.mockResolvedValueOnce(new Response(null, { status: 400 }))
    await expect(session.end()).rejects.toThrow('The service answered 400.')
    await session.end()
    expect(await statusesOf(...tokens)).toEqual([401, 401, 401])
  })

  test('ends its token at once, although an exchange is under way', async () => {
    const { session, fetchHere } = await opened()
    const first = await session.token()
    const { promise, resolve } = Promise.withResolvers<void>()
    fetchHere.mockImplementationOnce((request) => promise.then(() => fetch(request)))
    const renewed = session.renew()
    await expect.poll(() => fetchHere.mock.calls.length).toBe(2)
    const ended = session.end()
    await expect.poll(() => statusesOf(first)).toEqual([401])
    resolve()
    await ended
    expect(await statusesOf(await renewed)).toEqual([401])
  })

  test('ends without waiting for a host that is silent', async () => {
    const { session } = await opened({ newSession: () => new Promise(() => {}) })
    const first = await session.token()
    const renewed = session.renew().catch((error: unknown) => error)
    await session.end()
    expect(await renewed).toMatchObject({ message: 'The session was ended.' })
    expect(await statusesOf(first)).toEqual([401])
  })

  test('is renewed once for all whose token was refused', async () => {
    const { session, newSession } = await opened()
    const first = await session.token()
    const second = await session.renew(first)
    expect(second).not.toBe(first)
    expect([await session.renew(first), newSession.mock.calls.length]).toEqual([second, 1])
    expect(await session.renew(second)).not.toBe(second)
  })

  test('stays with its user if the host gives a session of another one', async () => {
    const given = async (who: object) =>
      (await host().generateSession({ deploymentId: 1, ...who })).sessionId
    const { session, newSession } = await opened()
    const first = await session.token()
    for (const who of [{ externalId: 'u-2' }, { internalId: 'ada' }, {}]) {
      newSession.mockImplementationOnce(() => given(who))
      await expect(session.renew()).rejects.toThrow('newSession gave a session of another user.')
    }
    expect(await session.token()).toBe(first)
    expect(await session.renew()).not.toBe(first)
    const anonymous = await opened({ sessionId: await given({}), newSession: () => given({}) })
    await anonymous.session.renew()
  })

  test('is renewed for a user whose letters fill the alphabet of a token', async () => {
    const newSession = async () => {
      // In base64url this has - and _, wherever it begins.
      const externalId = 'u~?~?~?~?~?~?~?'
      return (await host().generateSession({ deploymentId: 1, externalId })).sessionId
    }
    const { session } = await opened({ sessionId: undefined, newSession })
    const first = await session.token()
    expect(first.split('.')[1]).toMatch(/-.*_|_.*-/)
    expect(await session.renew()).not.toBe(first)
  })

  test('gives its token although onExpiring fails', async () => {
    const said = Promise.withResolvers<unknown>()
    const onExpiring = vi.fn(() => {
      throw new Error('no login here')
    })
    const { session, state } = await opened({ onExpiring })
    process.once('uncaughtException', said.resolve)
    state.isAway = true
    const first = await session.token()
    at(day - 300)
    expect([await session.token(), await session.token()]).toEqual([first, first])
    expect(await said.promise).toMatchObject({ message: 'no login here' })
    expect(onExpiring).toHaveBeenCalledTimes(1)
  })

  test('gives up on an exchange after a while, and takes another session', async () => {
    const { session, fetchHere, patience, pauses } = await opened()
    const first = await session.token()
    fetchHere.mockImplementation(
      ({ signal }) => new Promise((_, reject) => (signal.onabort = () => reject(signal.reason))),
    )
    at(day - 10)
    const [waiting, renewal] = [session.token(), session.renew()]
    const { length } = fetchHere.mock.calls
    await expect.poll(() => fetchHere.mock.calls.length).toBe(length + 1)
    patience.abort()
    await expect.poll(() => pauses.length).toBe(1)
    pauses[0]?.end()
    await expect.poll(() => fetchHere.mock.calls.length).toBe(length + 2)
    patience.abort()
    expect(await waiting).toBe(first)
    await expect(renewal).rejects.toThrow('session/token got no answer')
    fetchHere.mockImplementation((request) => fetch(request))
    expect(await session.token()).not.toBe(first)
  })

  test.each([
    ['null', null],
    ['without a token', { expiresIn: 60 }],
    ['without expiresIn', { token: 'x' }],
  ])('is not begun by an answer that is %s', async (_, json) => {
    const options = { newSession: undefined, fetch: async () => Response.json(json) }
    const message = '/api/v1/embed/session/token gave no token.'
    await expect(opened(options)).rejects.toThrow(message)
  })

  test('keeps its token while renewals fail, and says once per token how long it has', async () => {
    const { session, state, onExpiring } = await opened()
    const first = await session.token()
    state.isAway = true
    at(day - 301)
    await session.token()
    expect(onExpiring).not.toHaveBeenCalled()
    at(day - 200)
    expect(await Promise.all([session.token(), session.token()])).toEqual([first, first])
    await session.token()
    expect(onExpiring.mock.calls).toEqual([[200]])
    state.isAway = false
    expect(await session.token()).not.toBe(first)
    state.isAway = true
    at(3 * day)
    await expect(session.token()).rejects.toThrow('host is away')
    expect(onExpiring.mock.calls).toEqual([[200], [0]])
    await session.end()
    await expect(session.token()).rejects.toThrow('was ended')
    expect(onExpiring).toHaveBeenCalledTimes(2)
  })

  test('says nothing of its expiry once it is ended', async () => {
    const { promise, reject } = Promise.withResolvers<string>()
    const { session, onExpiring } = await opened({ newSession: () => promise })
    at(day - 10)
    const waiting = [session.token(), session.end()]
    reject(new Error('host is away'))
    await Promise.all(waiting)
    expect(onExpiring).not.toHaveBeenCalled()
  })
})

describe('an embed session in a page', () => {
  let window: EventTarget
  beforeEach(() => {
    window = new EventTarget()
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  })
  afterEach(() => vi.unstubAllGlobals())
  const online = () => window.dispatchEvent(new Event('online'))
  const shown = (visibilityState: string) => {
    const { document } = globalThis as unknown as { readonly document: EventTarget }
    Object.assign(document, { visibilityState }).dispatchEvent(new Event('visibilitychange'))
  }

  test('needs no document: Vercel’s edge runtime has one that is undefined', async () => {
    vi.stubGlobal('document', undefined)
    const { session, pauses } = await opened()
    expect(await statusesOf(await session.token())).toEqual([200])
    expect(pauses).toEqual([])
  })

  test('is renewed by itself before its end, and ends the replaced token later', async () => {
    const { session, newSession, pauses } = await opened()
    const first = await session.token()
    expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual([(day - 300) * 1000])
    at(day - 300)
    pauses[0]?.end()
    await expect.poll(() => pauses).toHaveLength(3)
    expect(newSession).toHaveBeenCalledTimes(1)
    expect(pauses[2]?.milliseconds).toBe(60_000)
    expect(await statusesOf(first)).toEqual([200])
    pauses[2]?.end()
    await expect.poll(() => statusesOf(first, '')).toEqual([401, 401])
    expect(await statusesOf(await session.token())).toEqual([200])
  })

  test('is renewed by itself although its timer ends a moment early', async () => {
    const { newSession, pauses } = await opened()
    at(day - 300 - 0.001)
    pauses[0]?.end()
    await expect.poll(() => pauses).toHaveLength(2)
    expect(newSession).not.toHaveBeenCalled()
    at(day - 300)
    pauses[1]?.end()
    await expect.poll(() => newSession).toHaveBeenCalledTimes(1)
  })

  test('is tried again after growing pauses if that fails, while somebody sees it', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const { session, state, newSession, pauses } = await opened()
    state.isAway = true
    at(day - 300)
    for (let pause = 0; pause < 8; pause += 1) {
      pauses[pause]?.end()
      await expect.poll(() => pauses).toHaveLength(pause + 2)
    }
    const seconds = pauses.slice(1).map(({ milliseconds }) => milliseconds / 1000)
    expect(seconds).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
    // The page asks too, so the pause begins again.
    await session.token()
    const { length } = newSession.mock.calls
    pauses[8]?.end()
    await new Promise(setImmediate)
    shown('hidden')
    pauses[9]?.end()
    await new Promise(setImmediate)
    expect(newSession).toHaveBeenCalledTimes(length)
    state.isAway = false
    shown('visible')
    await expect.poll(() => pauses).toHaveLength(12)
    state.isAway = true
    at(2 * day - 600)
    await expect(session.renew()).rejects.toThrow('host is away')
    expect(pauses[12]?.milliseconds).toBe(5000)
    random.mockRestore()
  })

  test('is renewed in time, also after the page has tried in vain to renew it early', async () => {
    const { session, state, newSession, pauses } = await opened()
    at(3600)
    state.isAway = true
    await expect(session.renew()).rejects.toThrow('host is away')
    state.isAway = false
    for (const pause of pauses.slice(1)) pause.end()
    await new Promise(setImmediate)
    at(day - 300)
    pauses[0]?.end()
    await expect.poll(() => newSession).toHaveBeenCalledTimes(2)
  })

  test('is renewed when the page is visible again, and not while nobody sees it', async () => {
    const { newSession, pauses } = await opened()
    shown('hidden')
    at(day)
    pauses[0]?.end()
    online()
    await new Promise(setImmediate)
    expect(newSession).not.toHaveBeenCalled()
    shown('visible')
    await expect.poll(() => pauses).toHaveLength(3)
    expect(newSession).toHaveBeenCalledTimes(1)
  })

  test('is renewed when the computer is online again, and never once it is ended', async () => {
    const { session, state, newSession, pauses } = await opened()
    state.isAway = true
    at(day)
    await expect(session.token()).rejects.toThrow('host is away')
    state.isAway = false
    online()
    await expect.poll(() => pauses).toHaveLength(4)
    await session.end()
    at(3 * day)
    for (const { end } of pauses) end()
    online()
    shown('visible')
    await new Promise(setImmediate)
    expect(newSession).toHaveBeenCalledTimes(2)
  })
})

test.each([
  ['its session is', (sessionId: string) => ({ sessionId })],
  ['its user is', () => ({ embedTenantName: 'north', externalId: 'u-7' })],
])('a token ends at once when %s revoked', async (_, revoked) => {
  const { sessionId } = await host().generateSession({
    deploymentId: 1,
    embedTenantName: 'north',
    externalId: 'u-7',
  })
  const token = await (await redeem({ baseUrl: service.url, sessionId })).token()
  await host().revokeSession(revoked(sessionId))
  expect(await statusesOf(token)).toEqual([401])
})
