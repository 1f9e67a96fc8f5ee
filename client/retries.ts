import { secondsToWait } from './api-error.ts'
import type { Time } from './time.ts'

const maxAttempts = 4

/** The longest `Retry-After` for which a caller waits, in seconds. */
export const maxWaitSeconds = 10

type Fetch = (request: Request) => Promise<Response>

/**
 * Sends a request again after a failure that may be over soon: a network error, 429, 503, or API
 * Gateway's own 500. The signal of the request also ends a pause.
 */
export const withRetries =
  ({ pause }: Time, fetch: Fetch = globalThis.fetch): Fetch =>
  async (request) => {
    for (let number = 1; ; number += 1) {
      const isLast = number === maxAttempts
      const sent = request.clone()
      // Safari forgets the signal of a request that nothing holds.
      const response = await fetch(sent)
        .then(whole)
        .catch((error: unknown) => {
          if (isLast || sent.signal.aborted) throw error
          return undefined
        })
      const wait = response ? secondsUntilAgain(response) : 0
      if (response && (isLast || wait > maxWaitSeconds)) return response
      const milliseconds = wait * 1000 + 125 * 2 ** number * (1 + Math.random())
      await pause(milliseconds, request.signal)
    }
  }

/** Reads an answer to its end. If the answer breaks off, the request counts as unanswered. */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer()
  return new Response(body.byteLength > 0 ? body : null, response)
}

/**
 * How long the service asks to wait, in seconds; Infinity if the same request would get the same
 * answer.
 */
function secondsUntilAgain(response: Response): number {
  const { status, headers } = response
  const isGateways500 =
    status === 500 && !headers.get('content-type')?.startsWith('application/problem+json')
  if (status !== 429 && status !== 503 && !isGateways500) return Infinity
  return secondsToWait(response) ?? 0
}
