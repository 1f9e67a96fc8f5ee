import type { Storage } from '@embed-access/core/storage/storage.ts'

/**
 * Returns the time of the database, as its last answer says, or before the first one that of this
 * machine. By an operator's slow clock, a revocation or a deletion would not end recent tokens.
 */
export function databaseClock({ client }: Storage): () => number {
  let begun = performance.timeOrigin
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      // The header has no milliseconds, so the time is up to a second later.
      const latest = Date.parse(Object(answer.response).headers?.date) + 999
      begun = latest - performance.now()
      return answer
    },
    { step: 'deserialize', priority: 'low', name: 'databaseClock' },
  )
  return () => {
    const now = Math.ceil(begun + performance.now())
    if (Number.isNaN(now))
      throw new Error('The database does not say what time it is. Nothing was revoked.')
    return now
  }
}
