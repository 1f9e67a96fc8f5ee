import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { embedTokenAlgorithm } from '../access/embed-token.ts'
import {
  type KeyWithPrivatePart,
  keyInState,
  keySetMaxAgeSeconds,
  keySetSlackSeconds,
  type SigningKey,
  type SigningKeys,
  signingKeysMaxAgeSeconds,
} from './signing-keys.ts'

/**
 * Makes the first two keys: one signs from now on, the other is published and signs after the next
 * rotation.
 */
export async function firstSigningKeys(now: number): Promise<SigningKeys> {
  return { keys: [await newKey('active', now), await newKey('next', now)] }
}

/**
 * Rotates the keys: next becomes active, active becomes retired, and a new next is added. Retired
 * keys go when their last token has expired. The life of one key:
 *
 *   published      [────────── next ──────────][──── active ────][── retired, until its last token expires ──]
 *   in all caches        [── once every function has read it again, and every client after that ─ …
 *   signs                                      [────────────────]
 *
 * `now` is in milliseconds since the epoch, `lifetimeSeconds` the longest lifetime of a token.
 * @throws Error while a client's cache may lack the next key; it says when to rotate
 */
export async function rotated(
  keys: SigningKeys,
  { now, lifetimeSeconds }: { readonly now: number; readonly lifetimeSeconds: number },
): Promise<SigningKeys> {
  const [active, next] = [keyInState(keys, 'active'), keyInState(keys, 'next')]

  const inAllCaches =
    next.since + signingKeysMaxAgeSeconds + keySetMaxAgeSeconds + keySetSlackSeconds
  if (now < inAllCaches * 1000) {
    throw new Error(
      `The next key was published at ${timeOf(next.since)}, and clients may still use a key set ` +
        `without it. Rotate again from ${timeOf(inAllCaches)} on.`,
    )
  }
  // A function that has not read the keys again yet still signs with one that has just retired.
  const lastTokenExpires = ({ since }: SigningKey) =>
    since + signingKeysMaxAgeSeconds + lifetimeSeconds + keySetSlackSeconds
  const retired = keys.keys.filter(
    (key) => key.state === 'retired' && now < lastTokenExpires(key) * 1000,
  )
  const since = Math.ceil(now / 1000)
  const { d: _, ...publicPart } = active
  return {
    keys: [
      { ...next, state: 'active', since },
      await newKey('next', now),
      { ...publicPart, state: 'retired', since },
      ...retired,
    ],
  }
}

async function newKey(
  state: KeyWithPrivatePart['state'],
  now: number,
): Promise<KeyWithPrivatePart> {
  const { privateKey } = await generateKeyPair(embedTokenAlgorithm, { extractable: true })
  const key = await exportJWK(privateKey)
  return {
    ...key,
    kid: await calculateJwkThumbprint(key),
    state,
    since: Math.ceil(now / 1000),
  } as KeyWithPrivatePart
}

const timeOf = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
