import { ApiError } from './api-error.ts'
import type { components } from './contract.ts'
import type { Time } from './time.ts'

type EmbedToken = components['schemas']['EmbedToken']

export type RedeemOptions = {
  /**
   * Asks the host's backend for another session id, and has 30 seconds for it. Without it no token can be renewed, and none
   * be had where the answer to the exchange is lost.
   */
  readonly newSession?: (() => Promise<string>) | undefined
}

/** An embed session in the browser. */
export type EmbedSession = {
  /** A valid token. It is renewed shortly before it expires. */
  token(): Promise<string>
  /** A token of a new session, even if the current one is still valid. Call it after a 401. */
  renew(): Promise<string>
  /** Ends the session, for a logout: the service refuses its token from then on, and there is no other one. */
  end(): Promise<void>
}

/** How long before its expiry a token is renewed: a tenth of its lifetime, at most five minutes. */
const marginSeconds = (expiresIn: number): number => Math.min(300, expiresIn / 10)

/** The longest that `newSession` may take, in milliseconds. All callers that need a token wait for it. */
const longestNewSession = 30_000

type Service = {
  exchange(sessionId: string): Promise<EmbedToken>
  endToken(token: string): Promise<void>
}

type Held = { readonly token: string; readonly expiresIn: number; readonly age: () => number }

/**
 * Redeems a session and keeps its token fresh. The age of a token counts from before its request, and the computer's clock
 * may be wrong.
 *
 *   ask for token ─▶ [──────── valid: token() returns it ────────][─ margin: token() renews it ─] expired
 *
 * @example
 * const newSession = async () => {
 *   const response = await fetch('/session', { method: 'POST' })
 *   if (!response.ok) throw new Error(`There is no new session: our backend answered ${response.status}.`)
 *   return (await response.json()).sessionId
 * }
 * const session = await client.redeem(sessionId, { newSession })
 * const token = await session.token() // before every request
 */
export async function redeemSession(
  { exchange, endToken }: Service,
  time: Time,
  sessionId: string,
  options: RedeemOptions,
): Promise<EmbedSession> {
  const newSession = options.newSession && inTime(options.newSession, time)
  let held = await redeemOrReplace(sessionId)
  let renewal: Promise<string> | undefined
  let isEnded = false

  async function redeem(id: string): Promise<Held> {
    const age = time.startStopwatch()
    return { ...(await exchange(id)), age }
  }

  /** An exchange that failed may have used the session up, so it is not repeated: another session takes its place. */
  async function redeemOrReplace(id: string): Promise<Held> {
    try {
      return await redeem(id)
    } catch (error) {
      if (!newSession || !mayBeLost(error)) throw error
      await time.pause(error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 500)
      return redeem(await newSession())
    }
  }

  /** Callers that come during a renewal share it. */
  function renew(): Promise<string> {
    if (isEnded) return Promise.reject(new Error('The embed session was ended.'))
    renewal ??= replace().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function replace(): Promise<string> {
    if (!newSession) throw new Error('The embed token has expired, and there is no newSession to get another.')
    held = await redeemOrReplace(await newSession())
    return held.token
  }

  async function token(): Promise<string> {
    if (isEnded) return renew()
    const { token, expiresIn, age } = held
    const left = expiresIn - age()
    if (left > marginSeconds(expiresIn) || (left > 0 && !newSession)) return token
    return renew().catch((error: unknown) => {
      if (expiresIn - age() > 0) return token
      throw error
    })
  }

  /** A renewal that is under way would give another token. */
  async function end(): Promise<void> {
    isEnded = true
    await renewal?.catch(() => {})
    await endToken(held.token)
  }

  return { token, renew, end }
}

/** Gives up on a `newSession` that does not answer. */
const inTime =
  (newSession: () => Promise<string>, { timeout }: Time) =>
  (): Promise<string> =>
    Promise.race([
      newSession(),
      new Promise<never>((_, reject) => {
        const late = new Error(`newSession has not answered within ${longestNewSession / 1000} seconds.`)
        timeout(longestNewSession).addEventListener('abort', () => reject(late))
      }),
    ])

/** Whether nobody knows what became of the session. One that the service refuses stays refused. */
const mayBeLost = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.code === 'answer_lost' || error.status === 429 || error.status >= 500
