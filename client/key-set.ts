import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Time } from './time.ts'

/** How old a key set may be, in seconds, while the service answers. */
const freshSeconds = 300

/**
 * How often the key set is read for a key that it does not have, or after a failure, in seconds. A
 * verifier that has no key set yet can do nothing without one, so it asks sooner.
 */
const againSeconds = 30
const againWithoutSeconds = 1

/**
 * How old a key set may be, in seconds, while the service does not answer: as old as tokens get.
 */
const staleSeconds = 86_400

type Reading = {
  readonly age: () => number
  readonly keySet: Promise<JWTVerifyGetKey>
  /**
   * Resolves when tokens stop waiting and use the older key set. Undefined if there is no older
   * one.
   */
  readonly late: Promise<void> | undefined
}

/**
 * How long a token waits for a newer key set or for newer revocations, in milliseconds. After that,
 * the verifier uses the old ones.
 */
export const patience = 1000

/**
 * Finds keys in the key set of the service, and reads it when that is due. Callers that come
 * meanwhile share the reading.
 * @param read returns the key set, or throws the reason why it did not come
 */
export function keysOf(time: Time, read: () => Promise<JSONWebKeySet>): JWTVerifyGetKey {
  let last: Reading | undefined
  let good: Reading | undefined

  async function keySet(maxAge: number, { mayBeOld }: { mayBeOld: boolean }) {
    if (!last || last.age() >= maxAge) {
      const reading = {
        age: time.startStopwatch(),
        keySet: read().then(createLocalJWKSet),
        late: good && time.pause(patience),
      }
      last = reading
      reading.keySet.then(
        () => (good = reading),
        () => {},
      )
    }
    if (last === good || !good || good.age() >= staleSeconds) return last.keySet
    // The older key set counts if the last reading fails or, where `mayBeOld`, is late.
    const { keySet: older } = good
    const kept = mayBeOld && last.late ? [last.late.then(() => older)] : []
    return Promise.race([last.keySet, ...kept]).catch(() => older)
  }

  return async (header, token) => {
    const again = good ? againSeconds : againWithoutSeconds
    const current = await keySet(last === good ? freshSeconds : again, { mayBeOld: true })
    try {
      return await current(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return (await keySet(againSeconds, { mayBeOld: false }))(header, token)
    }
  }
}
