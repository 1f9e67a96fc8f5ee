import { requireLike } from './call.ts'
import { inTime } from './redeem.ts'
import { realTime, type Time } from './time.ts'

/**
 * The embedded page sends an id under this name, with a port. The answers come to the port:
 * `{ heard: true }` at once, then `{ sessionId }`. A question that comes again has the same id.
 */
const question = 'embed-access: new session'

/** The parts of a window that are used here. A backend has no types of the DOM. */
type Answer = { readonly data: { readonly sessionId?: unknown } }
type Port = {
  onmessage: ((answer: Answer) => void) | null
  postMessage(data: unknown): void
  close(): void
}
type Ports = { readonly port1: Port; readonly port2: Port }
type Message = {
  readonly source: unknown
  readonly origin: string
  readonly data: Readonly<Record<string, unknown>> | string | null
  readonly ports: Port[]
}
type Page = {
  readonly parent: Page
  postMessage(data: unknown, origin: string, ports: Port[]): void
  addEventListener(
    type: 'message',
    listener: (message: Message) => void,
    options: { signal: AbortSignal },
  ): void
}
const window = globalThis as unknown as Page

export type SessionServer = {
  /**
   * The origin of the embedded page, such as `https://embed.example.com`. The iframe gets no answer
   * while it shows another.
   */
  readonly origin: string
  /**
   * Asks the host's backend for a session id. Its error goes to the console of this page, and never
   * to the embedded page.
   */
  readonly newSession: () => Promise<string>
}

/**
 * Gives sessions to an embedded page, in the page of the host around it.
 * @returns a function that ends this
 * @throws TypeError if `origin` is no origin of http or https
 * @example const stop = serveSessions(iframe, { origin: 'https://embed.example.com', newSession })
 */
export function serveSessions(
  iframe: { readonly contentWindow: object | null },
  { origin, newSession }: SessionServer,
): () => void {
  requireOrigin(origin)
  const heard = new Set<unknown>()
  async function answer({ source, origin: asking, data, ports: [port] }: Message): Promise<void> {
    // A page of version 1.0.0 sends the name alone. Its questions have no id, so each is answered.
    const id = data === question ? port : Object(data)[question]
    if (!source || source !== iframe.contentWindow || asking !== origin || !id || !port) return
    if (heard.has(id)) return
    heard.add(id)
    port.postMessage({ heard: true })
    try {
      port.postMessage({ sessionId: (await newSession()) ?? null })
    } catch (error) {
      console.error('The embedded page gets no session.', error)
      port.postMessage({ sessionId: null })
    }
  }
  const stopped = new AbortController()
  window.addEventListener('message', answer, stopped)
  return () => stopped.abort()
}

/**
 * Makes the `newSession` of an embedded page, which asks the page around it. Only pages of these
 * origins are asked, and can answer. It waits 30 seconds for an answer.
 * @throws TypeError if there are no `origins`, or one is no origin of http or https
 * @example const newSession = sessionFromHost({ origins: ['https://app.example.com'] })
 */
export const sessionFromHost = (options: { readonly origins: readonly string[] }) =>
  sessionFromHostIn(realTime, options)

/** {@link sessionFromHost} in a time of its own, for tests. */
export function sessionFromHostIn(
  time: Time,
  { origins }: { readonly origins: readonly string[] },
) {
  for (const origin of origins.length > 0 ? origins : ['']) requireOrigin(origin)

  return async () => {
    // Outside a page, as in a worker or in Node, nothing has a parent.
    if ((window.parent ?? window) === window) throw new Error('This page is not embedded.')
    const ports: Port[] = []
    const id = `${Math.random()}`
    let isHeard = false
    const answer = new Promise<string>((resolve, reject) => {
      function hear({ data: { sessionId } }: Answer): void {
        isHeard = true
        if (typeof sessionId === 'string') resolve(sessionId)
        else if (sessionId !== undefined) reject(new Error('The host gives no session.'))
      }

      /** Asks again until a host hears it: the host's page may load its script after its iframe. */
      async function ask(pause: number): Promise<void> {
        for (const origin of origins) {
          const { port1, port2 } = new MessageChannel() as unknown as Ports
          ports.push(port1)
          port1.onmessage = hear
          // The browser delivers the question, with its port, to a page of that origin alone.
          window.parent.postMessage({ [question]: id }, origin, [port2])
        }
        await time.pause(pause)
        if (!isHeard) await ask(2 * pause)
      }
      ask(250).catch(reject)
    })
    return inTime(answer, 'The host', time).finally(() => {
      // Nothing asks again from now on.
      isHeard = true
      for (const port of ports) port.close()
    })
  }
}

/**
 * `*` would give sessions to every page. An origin with a path or a wildcard would never be equal
 * to that of a message.
 */
function requireOrigin(origin: string): void {
  requireLike(
    'An origin',
    origin,
    /^http[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin,
  )
}
