import type { Storage } from '@embed-access/core/storage/storage.ts'

/**
 * Returns the time that the last answer of the database says. Before the first answer, it returns
 * the time of this machine. A command must not go by the clock of its machine. By a slow clock, a
 * revocation or a deletion would not end the newest tokens. By a fast clock, signing keys would
 * rotate too early.
 */
export function databaseClock({ client }: Storage, machineNow: () => number): () => number {
  let ahead = 0
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      // The header has no milliseconds, so the time is up to a second later.
      const latest = Date.parse(Object(answer.response).headers?.date) + 999
      ahead = latest - machineNow()
      return answer
    },
    { step: 'deserialize' },
  )
  return () => {
    const now = machineNow() + ahead
    if (Number.isNaN(now))
      throw new Error('The database does not say what time it is. The command needs it.')
    return now
  }
}
