import { ApiError } from './api-error.ts'
import type { components } from './contract.ts'
import { maxWaitSeconds } from './retries.ts'
import type { Time } from './time.ts'

type EmbedToken = components['schemas']['EmbedToken']

export type RedeemOptions = {
  /**
   * Asks the host's backend for another session id, and has 30 seconds for it. Without it no token
   * can be renewed, and none be had where the answer to the exchange is lost.
   */
  readonly newSession?: (() => Promise<string>) | undefined
  /**
   * Called when a token is about to expire and could not be renewed, once for each token, with the
   * seconds that it has left. They are 0 if it has expired.
   */
  readonly onExpiring?: ((secondsLeft: number) => void) | undefined
}

/** An embed session in the browser. */
export type EmbedSession = {
  /**
   * A valid token. It is renewed shortly before it expires. A page that is visible does that by
   * itself, and again if it fails.
   */
  token(): Promise<string>
  /** A token of a new session, even if the current one is still valid. Call it after a 401. */
  renew(): Promise<string>
  /**
   * Ends the session, for a logout: the service refuses all its tokens from then on, and there is
   * no other one.
   */
  end(): Promise<void>
}

/** How long before its expiry a token is renewed: a tenth of its lifetime, at most five minutes. */
const marginSeconds = (expiresIn: number): number => Math.min(300, expiresIn / 10)

/**
 * The longest that `newSession` may take, in milliseconds. All callers that need a token wait for
 * it.
 */
const longestNewSession = 30_000

/**
 * How long a page pauses before it tries a failed renewal again, in milliseconds. The pause doubles
 * with each failure.
 */
const [shortestPause, longestPause] = [5_000, 300_000]

/**
 * How long a token lives that was replaced, in milliseconds: a request that has it may be under
 * way.
 */
const graceOfReplaced = 60_000

/**
 * What is used here of a browser's window. Elsewhere a token is renewed only when it is asked for.
 */
type Target = {
  addEventListener(event: string, listener: () => void, options: { signal: AbortSignal }): void
}
type Window = Target & { readonly document: Target & { readonly visibilityState: string } }
const window = () => ('document' in globalThis ? (globalThis as unknown as Window) : undefined)

type Service = {
  exchange(sessionId: string): Promise<EmbedToken>
  endToken(token: string): Promise<void>
}

type Held = { readonly token: string; readonly expiresIn: number; readonly age: () => number }

/**
 * Redeems a session and keeps its token fresh. The age of a token counts from before its request,
 * and the computer's clock may be wrong.
 * @example const newSession = async () => {
 *   const response = await fetch('/session', { method: 'POST' })
 *   if (!response.ok) throw new Error(`There is no new session: our backend answered ${response.status}.`)
 *   return (await response.json()).sessionId
 * } const session = await client.redeem(sessionId, { newSession }) const token = await
 * session.token() // before every request
 */
export async function redeemSession(
  { exchange, endToken }: Service,
  time: Time,
  sessionId: string,
  options: RedeemOptions,
): Promise<EmbedSession> {
  const ask = options.newSession
  const newSession = ask && (() => inTime(ask(), 'newSession', time))
  const ended = new AbortController()
  let renewal: Promise<string> | undefined
  let retryPause = shortestPause
  let isRetryDue = false
  let lastTold: string | undefined
  const replaced = new Set<string>()
  let held = await redeemOrReplace(sessionId)
  // Timers stop while a computer sleeps, and a renewal fails while it is offline.
  window()?.document.addEventListener('visibilitychange', keepFresh, ended)
  window()?.addEventListener('online', keepFresh, ended)

  async function redeem(id: string): Promise<Held> {
    const age = time.startStopwatch()
    const { token, expiresIn } = await exchange(id)
    if (window()) time.pause((expiresIn - marginSeconds(expiresIn)) * 1000).then(keepFresh)
    return { token, expiresIn, age }
  }

  /** A page that nobody sees needs no token. */
  function keepFresh(): void {
    if (!ended.signal.aborted && window()?.document.visibilityState === 'visible')
      token().catch(() => {})
  }

  /**
   * An exchange that failed may have used the session up, so it is not repeated: another session
   * takes its place.
   */
  async function redeemOrReplace(id: string): Promise<Held> {
    try {
      return await redeem(id)
    } catch (error) {
      const wait = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0.5
      if (!newSession || !mayBeLost(error) || wait > maxWaitSeconds) throw error
      await time.pause(wait * 1000)
      return redeem(await newSession())
    }
  }

  /** Callers that come during a renewal share it. */
  async function renew(): Promise<string> {
    if (ended.signal.aborted) throw new Error('The embed session was ended.')
    renewal ??= replace().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function replace(): Promise<string> {
    if (!newSession)
      throw new Error('The embed token has expired, and there is no newSession to get another.')
    const { token } = held
    try {
      held = await redeemOrReplace(await newSession())
    } catch (error) {
      retryLater()
      throw error
    }
    retryPause = shortestPause
    replaced.add(token)
    if (window()) time.pause(graceOfReplaced).then(() => endReplaced(token).catch(() => {}))
    return held.token
  }

  /** A page tries again by itself, at random times, since other pages fail at the same moment. */
  function retryLater(): void {
    if (!window() || isRetryDue) return
    isRetryDue = true
    time.pause(retryPause * (1 + Math.random())).then(() => {
      isRetryDue = false
      keepFresh()
    })
    retryPause = Math.min(2 * retryPause, longestPause)
  }

  async function endReplaced(token: string): Promise<void> {
    if (!replaced.has(token)) return
    await endToken(token)
    replaced.delete(token)
  }

  async function token(): Promise<string> {
    if (ended.signal.aborted) return renew()
    const { token, expiresIn, age } = held
    if (expiresIn - age() > marginSeconds(expiresIn)) return token
    return renew().catch((error: unknown) => {
      const secondsLeft = Math.max(0, expiresIn - age())
      if (!ended.signal.aborted && token !== lastTold) {
        lastTold = token
        options.onExpiring?.(secondsLeft)
      }
      if (secondsLeft > 0) return token
      throw error
    })
  }

  async function end(): Promise<void> {
    ended.abort()
    // A renewal that is under way may give another token, long after this one is ended.
    const renewed = renewal?.then(endToken, () => {})
    await Promise.all([endToken(held.token), ...[...replaced].map(endReplaced), renewed])
  }

  return { token, renew, end }
}

/** Gives up on a session id that does not come. */
export const inTime = (
  sessionId: Promise<string>,
  from: string,
  { timeout }: Time,
): Promise<string> =>
  Promise.race([
    sessionId,
    new Promise<never>((_, reject) => {
      const late = new Error(`${from} has not answered within ${longestNewSession / 1000} seconds.`)
      timeout(longestNewSession).addEventListener('abort', () => reject(late))
    }),
  ])

/** Whether nobody knows what became of the session. One that the service refuses stays refused. */
const mayBeLost = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.code === 'answer_lost' ||
  error.status === 429 ||
  error.status >= 500
