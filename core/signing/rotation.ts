import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK_EC_Private } from 'jose'
import { embedTokenAlgorithm } from '../access/embed-token.ts'
import { maxTokenSeconds } from '../access/lifetimes.ts'
import {
  type KeyWithPrivatePart,
  keyInState,
  keySetMaxAgeSeconds,
  keySetSlackSeconds,
  type SigningKey,
  type SigningKeys,
  signingKeysMaxAgeSeconds,
} from './signing-keys.ts'

/** Makes the first two keys. One signs at once, the other one after the next rotation. */
export async function firstSigningKeys(now: number): Promise<SigningKeys> {
  return {
    keys: [
      { ...(await newKey()), state: 'active', since: secondsFrom(now) },
      { ...(await newKey()), state: 'next', since: secondsFrom(now) },
    ],
  }
}

/**
 * Rotates the keys: next becomes active, active becomes retired, and a new next is added. Keys that
 * were retired before are dropped if all their tokens have expired. The life of one key:
 *
 *   published      [---------- next ----------][---- active ----][----------- retired -----------]
 *   in all caches        [------------ 16 minutes later: everybody has read it -------------------]
 *   signs                                      [----------------]
 *
 * @param now milliseconds since the epoch
 * @throws Error while a client's cache may lack the next key. Its message says when to rotate
 */
export async function rotated(keys: SigningKeys, now: number): Promise<SigningKeys> {
  const next = keyInState(keys, 'next')
  // A client may read the key set through an edge, which keeps it too.
  const keptSeconds = signingKeysMaxAgeSeconds + 2 * keySetMaxAgeSeconds + keySetSlackSeconds
  const inAllCaches = next.since + keptSeconds
  if (now < inAllCaches * 1000) {
    throw new Error(
      `The next key was published at ${timeOf(next.since)}, and clients may still use a key set ` +
        `without it. Rotate again from ${timeOf(inAllCaches)} on.`,
    )
  }
  // A function signs with the key that has just retired until it reads the keys again.
  const lastTokenExpires = ({ since }: SigningKey) =>
    since + signingKeysMaxAgeSeconds + maxTokenSeconds + keySetSlackSeconds
  const retired = keys.keys.filter(
    (key) => key.state === 'retired' && now < lastTokenExpires(key) * 1000,
  )
  const since = secondsFrom(now)
  const { d: _privatePart, ...publicPart } = keyInState(keys, 'active')
  return {
    keys: [
      { ...next, state: 'active', since },
      { ...(await newKey()), state: 'next', since },
      { ...publicPart, state: 'retired', since },
      ...retired,
    ],
  }
}

async function newKey(): Promise<Omit<KeyWithPrivatePart, 'state' | 'since'>> {
  const { privateKey } = await generateKeyPair(embedTokenAlgorithm, { extractable: true })
  const { x, y, d } = (await exportJWK(privateKey)) as JWK_EC_Private
  const publicPart = { kty: 'EC', crv: 'P-256', x, y } as const
  return { ...publicPart, d, kid: await calculateJwkThumbprint(publicPart) }
}

const secondsFrom = (now: number): number => Math.ceil(now / 1000)

const timeOf = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
