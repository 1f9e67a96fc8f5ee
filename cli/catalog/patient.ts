import type { Storage } from '@embed-access/core/storage/storage.ts'
import { isConflict, isDatabaseUnavailable, isThrottled } from '@embed-access/core/storage/unavailable.ts'

/** How long to wait after each failure in a row of one request, in milliseconds. */
const pauses = [200, 500, 1000, 2000, 5000, 10_000, 10_000, 10_000]

/** How often the database has throttled an import since its last batch, and how many requests it has answered since then. */
export class Slowness {
  throttled = 0
  answered = 0
  /** Called whenever one of them has grown. */
  grown: () => void = () => {}

  reset(): void {
    this.throttled = 0
    this.answered = 0
  }

  /** A request was answered or throttled. */
  note(outcome: 'answered' | 'throttled'): void {
    if (outcome === 'answered' && this.throttled === 0) return
    this[outcome] += 1
    this.grown()
  }
}

/**
 * The same storage for an import, which has time: a request that the database does not answer is sent again for about a
 * minute. Every request of an import may be done twice. What is throttled is left to the writer, which slows down.
 * @param waiting is told of every wait, with the reason
 * @param slowness is told what is throttled
 */
export function patient(storage: Storage, waiting: (reason: string) => void, slowness = new Slowness()): Storage {
  async function send(...request: Parameters<typeof storage.client.send>): Promise<unknown> {
    for (let failures = 0; ; failures += 1) {
      try {
        const answer = await storage.client.send(...request)
        slowness.note('answered')
        return answer
      } catch (error) {
        if (isThrottled(error)) slowness.note('throttled')
        const pause = pauses[failures]
        if (pause === undefined || !isDatabaseUnavailable(error) || isThrottled(error) || isConflict(error)) throw error
        waiting(error instanceof Error ? error.name : String(error))
        await storage.pause(pause)
      }
    }
  }
  return { ...storage, client: Object.assign(Object.create(storage.client), { send }) as Storage['client'] }
}
