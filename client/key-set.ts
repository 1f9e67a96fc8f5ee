import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { type Latest, latestOf } from './latest.ts'
import type { Time } from './time.ts'

/** A key set is stale when it is as old as tokens get: a day. */
const rhythm = { every: 300, again: 30, stale: 86_400 }

/**
 * Finds keys in the key set of the service, and reads it again for a key that it does not have.
 * @param read returns the key set, or throws the reason why it did not come
 */
export function keysOf(time: Time, read: () => Promise<JSONWebKeySet>): JWTVerifyGetKey {
  const latest = latestOf(time, rhythm, async () => createLocalJWKSet(await read()))

  return async (header, token) => {
    const current = usable(await latest())
    try {
      return await current(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return usable(await latest('newer'))(header, token)
    }
  }
}

function usable<Value>({ value, stillCounts, cause }: Latest<Value>): Value {
  if (!value || !stillCounts) throw cause
  return value
}
