import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import {
  type KeyWithPrivatePart,
  keyInState,
  keySetMaxAgeSeconds,
  keySetSlackSeconds,
  type SigningKey,
  type SigningKeys,
} from './signing-keys.ts'

/** All keys together have to fit in a Lambda function's environment, which takes 4 KB. */
const mostKeys = 10

export type RotationTerms = {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The longest life of a token, in seconds. */
  readonly lifetimeSeconds: number
  /** Until when at the latest a changed set is in force everywhere, in seconds: that of a deployment, or 0. */
  readonly inForceWithinSeconds: number
}

/** A rotation that came too early; the message says why and when to come back. */
export class RotationTooEarly extends Error {
  override readonly name = 'RotationTooEarly'
}

/** The first keys: one that signs from now on and one that is published to be the next. */
export async function firstSigningKeys(now: number): Promise<SigningKeys> {
  return { keys: [await newKey('active', now), await newKey('next', now)] }
}

/**
 * The keys one step on: next → active, active → retired, a new next, and none of whose tokens any is left.
 *
 *   published      [────────── next ──────────][──── active ────][── retired, until its last token ends ──]
 *   in a cache           [── at most max-age later ─ …
 *   signs                                      [────────────────]
 *
 * @throws RotationTooEarly while a client's cache may still lack the next key
 */
export async function rotated(keys: SigningKeys, terms: RotationTerms): Promise<SigningKeys> {
  const { now, lifetimeSeconds, inForceWithinSeconds } = terms
  const [active, next] = [keyInState(keys, 'active'), keyInState(keys, 'next')]

  const inAllCaches = next.since + inForceWithinSeconds + keySetMaxAgeSeconds + keySetSlackSeconds
  if (now < inAllCaches * 1000) {
    throw new RotationTooEarly(
      `The next key has been published only since ${timeOf(next.since)}, and clients may still use a key set ` +
        `without it. Rotate again from ${timeOf(inAllCaches)} on.`,
    )
  }
  const lastTokenEnds = ({ since }: SigningKey) => since + inForceWithinSeconds + lifetimeSeconds + keySetSlackSeconds
  const retired = keys.keys.filter((key) => key.state === 'retired' && now < lastTokenEnds(key) * 1000)
  if (retired.length + 3 > mostKeys) {
    throw new RotationTooEarly(
      `There are ${retired.length} retired keys of which tokens are left, and no room for another. ` +
        `Rotate again from ${timeOf(Math.min(...retired.map(lastTokenEnds)))} on.`,
    )
  }
  const since = Math.ceil(now / 1000)
  const { d: _, ...lasting } = active
  return {
    keys: [
      { ...next, state: 'active', since },
      await newKey('next', now),
      { ...lasting, state: 'retired', since },
      ...retired,
    ],
  }
}

/** The `kid` is the thumbprint (RFC 7638). */
async function newKey(state: KeyWithPrivatePart['state'], now: number): Promise<KeyWithPrivatePart> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const { x, y, d } = (await exportJWK(privateKey)) as { x: string; y: string; d: string }
  const key = { kty: 'EC', crv: 'P-256', x, y } as const
  return {
    ...key,
    d,
    kid: await calculateJwkThumbprint(key),
    state,
    since: Math.ceil(now / 1000),
  } as KeyWithPrivatePart
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
