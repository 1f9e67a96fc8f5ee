import type { JSONWebKeySet } from 'jose'
import * as v from 'valibot'
import { embedTokenAlgorithm } from '../access/embed-token.ts'

/** How long a client may cache the key set. A key is published for longer before it signs. */
export const keySetMaxAgeSeconds = 300

/** How long a function may use the keys that it has read, private or public. */
export const signingKeysMaxAgeSeconds = 300

/** Extra time for inexact clocks and slow answers, before a key signs and after its last token. */
export const keySetSlackSeconds = 60

/** 32 bytes in base64url: the size of a coordinate and of a private key of P-256. */
const bytes32 = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

const publicParts = {
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: bytes32,
  y: bytes32,
  kid: v.pipe(v.string(), v.minLength(1)),
}
const PublicKey = v.object(publicParts)

const since = v.pipe(v.number(), v.safeInteger())

const WithPrivatePart = v.object({
  ...publicParts,
  d: bytes32,
  state: v.picklist(['next', 'active']),
  since,
})
const Retired = v.object({ ...publicParts, state: v.literal('retired'), since })

const keySetOf = <const Key extends v.GenericSchema>(key: Key) =>
  v.pipe(v.string(), v.parseJson(), v.object({ keys: v.pipe(v.array(key), v.minLength(1)) }))

/**
 *   next     published, will sign after the next rotation
 *   active   signs
 *   retired  signs no more; published until the first rotation after its last token has expired
 *
 * A retired key has no private part. `since` is when the key got its state, in seconds since the
 * epoch, rounded up. The message is the same for every mistake, so it shows no part of a key.
 */
export const SigningKeys = v.message(
  v.pipe(
    keySetOf(v.variant('state', [WithPrivatePart, Retired])),
    v.check(({ keys }) => {
      const hasOne = (state: string) => keys.filter((key) => key.state === state).length === 1
      const kids = new Set(keys.map(({ kid }) => kid))
      return hasOne('next') && hasOne('active') && kids.size === keys.length
    }),
  ),
  'must be a set of signing keys as `npx embed-access keys` makes it: one next, one active, any ' +
    'others retired, each with its kid and since',
)

/** Public keys, from their stored text. The schema drops everything but their public parts. */
export const VerificationKeys = v.message(
  keySetOf(PublicKey),
  'must be a JSON Web Key Set of ES256 keys, each with its kid',
)

export type KeyWithPrivatePart = v.InferOutput<typeof WithPrivatePart>
export type SigningKey = KeyWithPrivatePart | v.InferOutput<typeof Retired>
export type SigningKeys = { readonly keys: readonly SigningKey[] }

/** Returns the key in this state. The schema guarantees that there is exactly one. */
export const keyInState = ({ keys }: SigningKeys, state: KeyWithPrivatePart['state']) =>
  keys.find((key) => key.state === state) as KeyWithPrivatePart

/** The key set to publish: the keys without their private parts and states. */
export const publicKeys = (keys: readonly v.InferOutput<typeof PublicKey>[]): JSONWebKeySet => ({
  keys: keys.map(({ kty, crv, x, y, kid }) => ({
    kty,
    crv,
    x,
    y,
    kid,
    alg: embedTokenAlgorithm,
    use: 'sig',
  })),
})
