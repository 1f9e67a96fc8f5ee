import type { ApiError } from './api-error.ts'
import { type Call, callerOf, requireLike, type Service } from './call.ts'
import type { components, paths } from './contract.ts'
import { maxWaitSeconds } from './retries.ts'
import { realTime, type Time, unlessAborted } from './time.ts'

const session: keyof paths = '/api/v1/embed/session'
const exchange: keyof paths = '/api/v1/embed/session/token'

type EmbedToken = components['schemas']['EmbedToken']

export type RedeemOptions = Service & {
  /** The first session id. If you leave it out, `newSession` gives that too. */
  readonly sessionId?: string | undefined
  /**
   * Asks the host's backend for another session id, within 30 seconds. Without this function no
   * token is renewed, and there is none if the answer to the exchange is lost.
   */
  readonly newSession?: (() => Promise<string>) | undefined
  /**
   * Called when a token is about to expire and could not be renewed, once for each token, with the
   * seconds that it has left, 0 if it has expired.
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
  /**
   * A token of a new session, even if the current one is still valid. Call it after a 401, with the
   * token that was refused: if it has been replaced meanwhile, this is the current token.
   */
  renew(refused?: string): Promise<string>
  /**
   * Ends the session, for a logout: the service refuses all its tokens from then on, and there is
   * no other one.
   */
  end(): Promise<void>
}

/** How long the service may take to redeem a session or to end a token, in milliseconds. */
const longestAnswer = 15_000

/** How long `newSession` may take, in milliseconds. */
const longestNewSession = 30_000

/**
 * How long a page pauses before it tries a failed renewal again, in milliseconds. The pause doubles
 * with each failure.
 */
const shortestPause = 5_000
const longestPause = 300_000

/** How long a replaced token lives, in milliseconds: a request that has it may be under way. */
const graceOfReplaced = 60_000

/**
 * The parts of a window that are used here. Without a window, a token is renewed only when it is
 * asked for.
 */
type Target = {
  addEventListener(event: string, listener: () => void, options: { signal: AbortSignal }): void
}
type Window = Target & { readonly document: Target & { readonly visibilityState: string } }
const window = () => {
  const page = globalThis as unknown as Partial<Window>
  return page.document && (page as Window)
}

type HeldToken = {
  readonly token: string
  readonly margin: number
  readonly secondsLeft: () => number
}

/**
 * Redeems a session, which works once, and keeps its token fresh. The age of a token counts from
 * before its request, and the computer's clock may be wrong.
 * @throws TypeError if `baseUrl` is no address: of http or https, or a path of this origin
 * @example const session = await redeem({ baseUrl: 'https://api.example.com', newSession })
 */
export const redeem = (options: RedeemOptions): Promise<EmbedSession> => redeemIn(realTime, options)

/** {@link redeem} in a time of its own, for tests. */
export async function redeemIn(
  time: Time,
  { sessionId, newSession, onExpiring, ...service }: RedeemOptions,
): Promise<EmbedSession> {
  requireLike('baseUrl', service.baseUrl, /^(https?:\/\/[^/]|\/(?![/\\]))/i.test(service.baseUrl))
  const caller = callerOf(service)
  const page = window()
  const ending = new AbortController()
  const ended = ending.signal
  /** Tokens that may still be valid. */
  const alive = new Set<string>()
  let renewal: Promise<string> | undefined
  let retryPause = shortestPause
  let wake = {}
  let lastTold: string | undefined
  let held = renewLater(await redeemOrReplace(sessionId ?? (await another())))
  // Timers stop while a computer sleeps, and a renewal fails while it is offline.
  page?.document.addEventListener('visibilitychange', keepFresh, ending)
  page?.addEventListener('online', keepFresh, ending)

  function call<Answer>(method: string, path: string, request: Omit<Call, 'signal'>) {
    return caller<Answer>(method, path, { ...request, signal: time.timeout(longestAnswer) })
  }

  async function exchanged(id: string): Promise<HeldToken> {
    const age = time.startStopwatch()
    const body = { sessionId: id }
    const { token, expiresIn }: EmbedToken = Object(await call('POST', exchange, { body }))
    if (!token || !expiresIn) throw new Error(`${exchange} gave no token.`)
    alive.add(token)
    // How long before its expiry the token is renewed.
    const margin = Math.min(300, expiresIn / 10)
    return { token, margin, secondsLeft: () => expiresIn - age() }
  }

  function renewLater(given: HeldToken): HeldToken {
    wakeIn((given.secondsLeft() - given.margin) * 1000)
    return given
  }

  /** Makes a page look at its token after this time. A call replaces the call before it. */
  function wakeIn(milliseconds: number): void {
    const own = {}
    wake = own
    if (!page) return
    time.pause(milliseconds).then(() => {
      if (wake !== own) return
      // A browser may end a timer up to a millisecond early.
      if (held.secondsLeft() > held.margin) renewLater(held)
      else keepFresh()
    })
  }

  /** A page that nobody sees needs no token. */
  function keepFresh(): void {
    if (page?.document.visibilityState === 'visible') token().catch(() => {})
  }

  /**
   * An exchange that failed may have used the session up, so this redeems another session instead.
   * If the service has refused the session, this throws the refusal.
   */
  function redeemOrReplace(id: string): Promise<HeldToken> {
    return exchanged(id).catch(async (error: Partial<ApiError>) => {
      const { code, status = 500, retryAfterSeconds: wait = 0.5 } = error
      const isRefused = code !== 'answer_lost' && status !== 429 && status < 500
      if (!newSession || isRefused || wait > maxWaitSeconds) throw error
      await time.pause(wait * 1000)
      return exchanged(await another())
    })
  }

  async function another(): Promise<string> {
    if (!newSession) throw new Error('newSession is missing.')
    return unlessAborted(ended, inTime(newSession(), 'newSession', time))
  }

  /** Callers that come during a renewal share it. */
  async function renew(refused = held.token): Promise<string> {
    ended.throwIfAborted()
    if (refused !== held.token) return held.token
    renewal ??= replace().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function replace(): Promise<string> {
    const { token: replaced, secondsLeft, margin } = held
    try {
      const given = await redeemOrReplace(await another())
      if (userOf(given.token) !== userOf(replaced)) {
        endToken(given.token).catch(() => {})
        throw new Error('newSession gave a session of another user.')
      }
      held = renewLater(given)
    } catch (error) {
      // The timer of a token that is still good stays.
      if (secondsLeft() > margin) throw error
      // Pages try again at random times, since all fail at the same moment.
      wakeIn(retryPause * (1 + Math.random()))
      retryPause = Math.min(2 * retryPause, longestPause)
      throw error
    }
    retryPause = shortestPause
    if (page) time.pause(graceOfReplaced).then(() => endToken(replaced).catch(() => {}))
    return held.token
  }

  async function token(): Promise<string> {
    ended.throwIfAborted()
    const { token: current, secondsLeft, margin } = held
    if (secondsLeft() > margin) return current
    return renew().catch((error: unknown) => {
      const left = Math.max(0, secondsLeft())
      // An error of the callback must not take the token away.
      if (!ended.aborted && current !== lastTold) queueMicrotask(() => onExpiring?.(left))
      lastTold = current
      if (left > 0) return current
      throw error
    })
  }

  /** A token that is refused has ended already. */
  async function endToken(token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` }
    await call('DELETE', session, { headers }).catch((error: Partial<ApiError>) => {
      if (error.status !== 401) throw error
    })
    alive.delete(token)
  }

  async function end(): Promise<void> {
    ending.abort(new Error('The session was ended.'))
    // A renewal that is under way may give another token, long after these are ended.
    const renewed = renewal?.then(endToken, () => {})
    await Promise.all([renewed, ...[...alive].map(endToken)])
  }

  return { token, renew, end }
}

/** Whose token it is. All anonymous users of an embed tenant count as one. */
function userOf(token: string): string {
  const [, payload = ''] = token.split('.')
  const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
  const { userId, externalId, embedTenantName } = JSON.parse(json)
  return JSON.stringify([userId, externalId, embedTenantName])
}

/** Gives up on a session id that does not come. */
export const inTime = (
  sessionId: Promise<string>,
  from: string,
  { timeout }: Time,
): Promise<string> =>
  unlessAborted(
    timeout(longestNewSession),
    sessionId,
    () => new Error(`${from} has not answered within 30 seconds.`),
  )
