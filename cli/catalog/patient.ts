import type { Storage } from '@embed-access/core/storage/storage.ts'
import { isConflict, isDatabaseUnavailable, isThrottled } from '@embed-access/core/storage/unavailable.ts'

/** How long to wait after each failure in a row of one request, in milliseconds. */
const pauses = [200, 500, 1000, 2000, 5000, 10_000, 10_000, 10_000]

/**
 * The same storage for an import, which has time: a request that the database does not answer is sent again for about a
 * minute. Every request of an import may be done twice. What is throttled is left to the writer, which slows down.
 * @param waiting is told of every wait, with the reason
 */
export function patient(storage: Storage, waiting: (reason: string) => void): Storage {
  async function send(...request: Parameters<typeof storage.client.send>): Promise<unknown> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await storage.client.send(...request)
      } catch (error) {
        const pause = pauses[failures]
        if (pause === undefined || !isDatabaseUnavailable(error) || isThrottled(error) || isConflict(error)) throw error
        waiting(error instanceof Error ? error.name : String(error))
        await storage.pause(pause)
      }
    }
  }
  return { ...storage, client: Object.assign(Object.create(storage.client), { send }) as Storage['client'] }
}
