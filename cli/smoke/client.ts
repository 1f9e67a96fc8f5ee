import { setTimeout } from 'node:timers/promises'
import { messageOf, type Terminal } from '../terminal.ts'

// biome-ignore lint/suspicious/noExplicitAny: checks look into bodies freely
type Body = any

/** How long an answer may take, in milliseconds; the first of a function includes its start. */
const timeoutMs = 15_000

export type Client = ReturnType<typeof client>

/** Asks a service, with the key unless another credential or none (null) is given. */
export function client(url: string, key: string) {
  async function call(
    expected: number,
    method: string,
    path: string,
    credential: string | null,
    { body, withinMs = timeoutMs }: { body?: object; withinMs?: number } = {},
  ) {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(withinMs),
      // Behind a redirection to another origin the credential would be missing.
      redirect: 'manual',
    })
    const text = await response.text()
    if (response.status !== expected) {
      const location = response.headers.get('location')
      const said = location === null ? text.slice(0, 300) : `it leads to ${location}`
      throw new Error(`answered ${response.status} instead of ${expected}: ${said}`)
    }
    return (
      /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
    ) as Body
  }

  return {
    get: (status: number, path: string, credential: string | null = key) =>
      call(status, 'GET', path, credential),
    post: (status: number, path: string, body: object, credential: string | null = key) =>
      call(status, 'POST', path, credential, { body }),

    /** Waits until the service answers: an address that is new takes a while to be known. */
    async comesUp(
      withinSeconds: number,
      say: (line: string) => void,
      pause: Terminal['pause'] = setTimeout,
    ): Promise<void> {
      const deadline = Date.now() + withinSeconds * 1000
      let isSaid = false
      for (;;) {
        // An attempt gets at least a second, so that a wait of 0 allows one.
        const withinMs = Math.max(1000, Math.min(timeoutMs, deadline - Date.now()))
        const asked = call(200, 'GET', '/.well-known/jwks.json', null, { withinMs })
        const outcome = await asked.then(() => undefined, reasonOf)
        if (outcome === undefined) return
        if (Date.now() >= deadline) throw new Error(`${url} does not come up: ${outcome}`)
        if (!isSaid) say(`${url}: ${outcome}. Waiting up to ${withinSeconds} seconds.`)
        isSaid = true
        await pause(1000)
      }
    },
  }
}

/** fetch says only "fetch failed". The reason is in its cause. */
export const reasonOf = (error: Error): string =>
  messageOf(error.cause instanceof Error ? error.cause : error)
