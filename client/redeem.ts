import type { components } from './contract.ts'
import { type Stopwatch, startStopwatch } from './stopwatch.ts'

type EmbedToken = components['schemas']['EmbedToken']

export type RedeemOptions = {
  /** Asks the host's backend for another session id; left out, the token ends with its lifetime. */
  readonly newSession?: () => Promise<string>
  /** How time is measured; for tests. */
  readonly startStopwatch?: () => Stopwatch
}

/** An embed session in the browser. */
export type EmbedSession = {
  /** A token that is valid for a while yet; renewed before it ends. */
  token(): Promise<string>
  /** A token of a new session, whatever is left of this one: after a 401, say. */
  renew(): Promise<string>
}

/** This long before its end a token is renewed: a tenth of its lifetime, and at most five minutes. */
const marginSeconds = (expiresIn: number): number => Math.min(300, expiresIn / 10)

type Held = { readonly token: string; readonly expiresIn: number; readonly age: Stopwatch }

/**
 * Redeems a session and keeps its token fresh. How old a token is, is measured from before it was asked for; what the
 * clock of this computer reads doesn't matter.
 */
export async function redeemSession(
  exchange: (sessionId: string) => Promise<EmbedToken>,
  sessionId: string,
  { newSession, startStopwatch: start = startStopwatch }: RedeemOptions,
): Promise<EmbedSession> {
  let held = await redeem(sessionId)
  let renewal: Promise<string> | undefined

  async function redeem(id: string): Promise<Held> {
    const age = start()
    return { ...(await exchange(id)), age }
  }

  /** One at a time: who asks meanwhile gets the same one. */
  function renew(): Promise<string> {
    renewal ??= replace().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function replace(): Promise<string> {
    if (!newSession) throw new Error('The embed token has ended, and there is no way to a new session.')
    held = await redeem(await newSession())
    return held.token
  }

  async function token(): Promise<string> {
    const { token, expiresIn, age } = held
    const left = expiresIn - age()
    if (left > marginSeconds(expiresIn) || (left > 0 && !newSession)) return token
    return renew().catch((error: unknown) => {
      if (expiresIn - age() > 0) return token
      throw error
    })
  }

  return { token, renew }
}
