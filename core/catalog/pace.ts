import { forThisAttempt } from '../storage/made-anew.ts'
import { sendingThrough } from '../storage/sending-through.ts'
import type { Storage } from '../storage/storage.ts'
import { isConflict, isThrottled } from '../storage/unavailable.ts'

/**
 * Milliseconds between the beginnings of two requests: after the first throttling, and at most. The
 * longest interval is short, because a call of the queue's function has only 40 seconds.
 */
const firstIntervalMs = 10
const maxIntervalMs = 1000

/**
 * A copy of the storage for a caller that has time. It repeats a request that the database
 * throttles, until the request succeeds. Each throttling halves the pace of all requests. Each
 * success raises the pace a little.
 * @param throttled is called with the error of each throttled request
 */
export function paced(storage: Storage, throttled: (error: unknown) => void = () => {}): Storage {
  let interval = 0
  let throttlings = 0
  let turn = Promise.resolve()

  return sendingThrough(storage, async (first, options) => {
    for (;;) {
      if (interval > 0) {
        // A request whose time is over must not make later ones wait.
        const waits = () => (options?.abortSignal?.aborted ? undefined : storage.pause(interval))
        turn = turn.then(waits)
        await turn
        options?.abortSignal?.throwIfAborted()
      }
      // A deletion ends the tokens up to the time in its command, and the turn may have come late.
      const command = forThisAttempt(first)
      const before = throttlings
      try {
        const answer = await storage.client.send(command, options)
        interval = interval < 1 ? 0 : interval * 0.98
        return answer
      } catch (error) {
        if (isConflict(error)) {
          await storage.pause(20)
          continue
        }
        if (!isThrottled(error)) throw error
        throttled(error)
        // Requests that were under way together are throttled together, which halves the pace once.
        if (throttlings === before) {
          throttlings += 1
          interval = Math.min(Math.max(interval * 2, firstIntervalMs), maxIntervalMs)
        }
      }
    }
  })
}
