import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { serveSessions, sessionFromHost } from '@embed-access/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sessionFromHostIn } from '../../client/frame.ts'
import { heldTime } from './held-time.ts'

const host = 'https://app.example.com'
const embedded = 'https://embed.example.com'

/**
 * An iframe in a host's page. Like a browser, it delivers a message only to a page of the origin
 * that the message names.
 */
class Frame {
  readonly contentWindow = {}
  readonly posted: { readonly data: unknown; readonly origin: string }[] = []
  readonly #page = new EventTarget()
  hostOrigin = host
  openPorts = 0

  constructor() {
    vi.stubGlobal('addEventListener', this.#page.addEventListener.bind(this.#page))
    vi.stubGlobal('parent', {
      postMessage: (data: unknown, origin: string, ports: MessagePort[]) => {
        this.posted.push({ data, origin })
        this.openPorts += ports.length
        for (const port of ports) port.on('close', () => (this.openPorts -= 1))
        if (origin === this.hostOrigin) this.deliver({ data, ports })
      },
    })
  }

  deliver(message: object): void {
    const arrived = { source: this.contentWindow, origin: embedded, ports: [], ...message }
    this.#page.dispatchEvent(Object.assign(new Event('message'), arrived))
  }

  /** What a question that arrives like this is answered with. */
  async answersTo(message: object): Promise<unknown[]> {
    const { port1, port2 } = new MessageChannel()
    const data = { 'embed-access: new session': `${Math.random()}` }
    this.deliver({ data, ports: [port2], ...message })
    await new Promise(setImmediate)
    const answers: unknown[] = []
    for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1))
      answers.push(next.message)
    port1.close()
    return answers
  }
}

describe('an embedded page and its host', () => {
  let frame: Frame
  const newSession = vi.fn()
  beforeEach(() => {
    frame = new Frame()
    newSession.mockReset().mockResolvedValue('session')
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  const serve = (iframe: Parameters<typeof serveSessions>[0] = frame) =>
    serveSessions(iframe, { origin: embedded, newSession })
  const asking = (origins = [host]) => {
    const { time, ...held } = heldTime()
    return { ask: sessionFromHostIn(time, { origins }), ...held }
  }

  test('the embedded page gets a session of the host, and another one each time', async () => {
    newSession.mockResolvedValueOnce('session-1').mockResolvedValueOnce('session-2')
    serve()
    const { ask } = asking()
    expect([await ask(), await ask()]).toEqual(['session-1', 'session-2'])
  })

  test('only named origins are asked, each by a port of its own', async () => {
    frame.hostOrigin = 'https://other.example.com'
    serve()
    const origins = [host, frame.hostOrigin]
    expect(await asking(origins).ask()).toBe('session')
    expect(frame.posted.map(({ origin }) => origin)).toEqual(origins)
    await expect.poll(() => frame.openPorts).toBe(0)
  })

  test('a host of another origin is not asked; the page gives up after 30 s', async () => {
    frame.hostOrigin = 'https://evil.example'
    serve()
    const { ask, patience } = asking()
    const asked = ask()
    patience.abort()
    await expect(asked).rejects.toThrow('The host has not answered within 30 seconds.')
    expect(newSession).not.toHaveBeenCalled()
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a longer origin', { origin: `${embedded}.evil.example` }],
    ['an opaque origin', { origin: 'null' }],
    ['another window', { source: {} }],
    ['no window', { source: null }],
    ['a page that says something else', { data: 'new session' }],
    ['a page that says nothing', { data: null }],
    ['a question without a port', { ports: [] }],
  ])('the host ignores %s', async (_, message) => {
    serve()
    expect(await frame.answersTo(message)).toEqual([])
    expect(newSession).not.toHaveBeenCalled()
    expect(await frame.answersTo({})).toEqual([{ heard: true }, { sessionId: 'session' }])
  })

  test('the host answers an embedded page of version 1.0.0, each time', async () => {
    serve()
    for (const _ of [1, 2]) {
      const answers = await frame.answersTo({ data: 'embed-access: new session' })
      expect(answers).toEqual([{ heard: true }, { sessionId: 'session' }])
    }
  })

  test('what went wrong at the host is for its own console', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = new Error('the key sk-secret was refused')
    newSession.mockRejectedValue(error)
    serve()
    expect(await frame.answersTo({})).toEqual([{ heard: true }, { sessionId: null }])
    expect(shown).toHaveBeenCalledWith(expect.any(String), error)
  })

  test.each([null, undefined, { sessionId: 'session' }, 7])(
    'a host that gives %j gives no session',
    async (given) => {
      newSession.mockResolvedValue(given)
      serve()
      await expect(asking().ask()).rejects.toThrow(new Error('The host gives no session.'))
    },
  )

  test('a host that begins to listen late hears the next question, and no other', async () => {
    const { ask, pauses } = asking()
    const asked = ask()
    pauses[0]?.end()
    await expect.poll(() => pauses.map(({ milliseconds }) => milliseconds)).toEqual([250, 500])
    serve()
    pauses[1]?.end()
    expect(await asked).toBe('session')
    pauses[2]?.end()
    await new Promise(setImmediate)
    expect([frame.posted.length, newSession.mock.calls.length]).toEqual([3, 1])
  })

  test('a busy host gives one session, though the question came several times', async () => {
    frame.hostOrigin = 'https://busy.example.com'
    const { ask, pauses } = asking()
    const asked = ask()
    pauses[0]?.end()
    await expect.poll(() => frame.posted).toHaveLength(2)
    serve()
    const data = frame.posted[0]?.data as object
    expect(frame.posted[1]?.data).toEqual(data)
    expect(await frame.answersTo({ data })).toEqual([{ heard: true }, { sessionId: 'session' }])
    expect(await frame.answersTo({ data })).toEqual([])
    expect(newSession).toHaveBeenCalledTimes(1)
    asked.catch(() => {})
  })

  test('a host that thinks for long is not asked again', async () => {
    const { ask, pauses, patience } = asking()
    newSession.mockReturnValue(new Promise(() => {}))
    serve()
    const asked = ask()
    await vi.waitFor(async () => {
      const { length } = frame.posted
      pauses.at(-1)?.end()
      await new Promise(setImmediate)
      expect(frame.posted).toHaveLength(length)
    }, 50_000)
    patience.abort()
    await expect(asked).rejects.toThrow('within 30 seconds')
  })

  test.each([
    ['stops', () => serve()()],
    ['has removed its iframe, which has no window,', () => serve({ contentWindow: null })],
  ])('a host that %s gives no sessions', async (_, act) => {
    act()
    expect(
      await Promise.all([{}, { source: null }].map((message) => frame.answersTo(message))),
    ).toEqual([[], []])
    expect(newSession).not.toHaveBeenCalled()
  })

  test.each([
    ['a page that is not embedded', globalThis],
    ['what is no page', undefined],
  ])('%s asks nobody', async (_, parent) => {
    vi.stubGlobal('parent', parent)
    await expect(sessionFromHost({ origins: [host] })()).rejects.toThrow(
      'This page is not embedded',
    )
  })

  const noOrigins = [
    '*',
    'https://*',
    'https://*.example.com',
    '',
    'app.example.com',
    `${host}/`,
    `${host}:443`,
    'data:,',
    'ftp://http.b',
  ]

  test.each(noOrigins)('both refuse %j as an origin', (origin) => {
    const message = `An origin must be like https://example.com, not "${origin}".`
    expect(() => serveSessions(frame, { origin, newSession })).toThrow(new TypeError(message))
    expect(() => sessionFromHost({ origins: [host, origin] })).toThrow(new TypeError(message))
  })

  test('the embedded page needs an origin, and localhost is one', () => {
    expect(() => sessionFromHost({ origins: [] })).toThrow(
      new TypeError('An origin must be like https://example.com, not "".'),
    )
    expect(
      sessionFromHost({ origins: ['http://localhost:3000', 'http://127.0.0.1:3000'] }),
    ).toBeTypeOf('function')
  })
})
