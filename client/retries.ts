import { retryAfterSeconds } from './api-error.ts'
import type { Time } from './time.ts'

type Fetch = (request: Request) => Promise<Response>

/**
 * How often a request is sent, and the longest `Retry-After` that a caller is kept waiting for, in
 * seconds.
 */
const maxAttempts = 4
export const maxWaitSeconds = 10

/**
 * Sends requests again that failed for a moment: after a network error, 429, 503 and API Gateway's
 * own 500. Every operation may be done twice but the exchange of a session, which is sent once.
 * @example const response = await withRetries(fetch, realTime)(new
 * Request('https://api.example.com/api/v1/spec'))
 */
export function withRetries(fetch: Fetch, { pause }: Pick<Time, 'pause'>): Fetch {
  async function attempt(request: Request, number: number): Promise<Response> {
    const again = number < maxAttempts
    const response = await fetch(again ? request.clone() : request).catch((error: unknown) => {
      if (!again || request.signal.aborted) throw error
      return undefined
    })
    const wait = response ? secondsUntilAgain(response) : 0
    if (response && (!again || wait === undefined || wait > maxWaitSeconds)) return response
    await response?.body?.cancel()
    await pause((wait ?? 0) * 1000 + 125 * 2 ** number * (1 + Math.random()))
    return attempt(request, number + 1)
  }
  return (request) => (isExchange(request) ? fetch(request) : attempt(request, 1))
}

export const isExchange = ({ url }: Request): boolean =>
  new URL(url).pathname.endsWith('/embed/session/token')

/**
 * How long the service asks to wait, in seconds; undefined if the same request would get the same
 * answer.
 */
function secondsUntilAgain(response: Response): number | undefined {
  const { status, headers } = response
  const isGateways500 =
    status === 500 && !headers.get('content-type')?.startsWith('application/problem+json')
  if (status !== 429 && status !== 503 && !isGateways500) return undefined
  return retryAfterSeconds(response) ?? 0
}
