import type { JSONWebKeySet, JWK } from 'jose'
import * as v from 'valibot'
import { embedTokenAlgorithm } from '../access/embed-token.ts'

/**
 * How long verifiers may cache the published key set. A key is published at least that long before
 * it signs.
 */
export const keySetMaxAgeSeconds = 300

/**
 * How long a function may use the signing keys that it has read, private or public, before it reads
 * them again.
 */
export const signingKeysMaxAgeSeconds = 300

/**
 * Extra time for inexact clocks and slow answers, before a key signs and after its last token has
 * expired.
 */
export const keySetSlackSeconds = 60

/** 32 bytes as base64url: the size of a coordinate and of a private key of P-256. */
const bytes32 = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

const publicParts = {
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: bytes32,
  y: bytes32,
  kid: v.pipe(v.string(), v.minLength(1)),
}

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
 *   retired  published as long as its tokens are valid, without its private part
 *
 * `since` is when the key got its state, in seconds since the epoch, rounded up. The one message
 * shows no part of a key.
 */
export const SigningKeys = v.message(
  v.pipe(
    keySetOf(v.variant('state', [WithPrivatePart, Retired])),
    v.check(({ keys }) => {
      const one = (state: string) => keys.filter((key) => key.state === state).length === 1
      return (
        one('next') && one('active') && new Set(keys.map(({ kid }) => kid)).size === keys.length
      )
    }),
  ),
  'must be a set of signing keys as `npx embed-access keys` makes it: one next, one active, any ' +
    'others retired, each with its kid and since',
)

/** Public keys, from their stored text. Nothing but their public parts is taken. */
export const VerificationKeys = v.message(
  keySetOf(v.object(publicParts)),
  'must be a JSON Web Key Set of ES256 keys, each with its kid',
)

export type KeyWithPrivatePart = v.InferOutput<typeof WithPrivatePart>
export type SigningKey = KeyWithPrivatePart | v.InferOutput<typeof Retired>
export type SigningKeys = { readonly keys: readonly SigningKey[] }

export const keyInState = (
  keys: SigningKeys,
  state: KeyWithPrivatePart['state'],
): KeyWithPrivatePart =>
  keys.keys.find((key): key is KeyWithPrivatePart => key.state === state) as KeyWithPrivatePart

/** The key set to publish. */
export function publicKeys(keys: readonly JWK[]): JSONWebKeySet {
  const publicKey = ({ kty, crv, x, y, kid }: JWK) => ({
    kty,
    crv,
    x,
    y,
    kid,
    alg: embedTokenAlgorithm,
    use: 'sig',
  })
  return { keys: keys.map(publicKey) as JWK[] }
}
