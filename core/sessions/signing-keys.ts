import type { JSONWebKeySet, JWK } from 'jose'
import * as v from 'valibot'
import { embedTokenAlgorithm } from '../access/embed-token.ts'

/** How long verifiers may keep the published key set, in seconds: a key is published that long before it signs. */
export const keySetMaxAgeSeconds = 300

/**
 * What clocks that disagree and answers under way may come to, in seconds: by so much more a key is published before it
 * signs, and after its last token has ended.
 */
export const keySetSlackSeconds = 60

const notKeys = 'must be a JSON Web Key Set of ES256 keys, each with its kid'

const notSigningKeys =
  'must be a set of signing keys as `npm run keys` makes it: one next, one active, any others retired, each with its kid and since'

/** 32 bytes as base64url, which is what a coordinate of P-256, its private number and a SHA-256 thumbprint have. */
const bytes32 = (message: string) => v.pipe(v.string(message), v.regex(/^[\w-]{43}$/, message))

const publicParts = (message: string) => ({
  kty: v.literal('EC', message),
  crv: v.literal('P-256', message),
  x: bytes32(message),
  y: bytes32(message),
  kid: v.pipe(v.string(message), v.minLength(1, message)),
})

const since = v.pipe(v.number(notSigningKeys), v.safeInteger(notSigningKeys))

const withPrivatePart = <const State extends string>(state: State) =>
  v.object(
    { ...publicParts(notSigningKeys), d: bytes32(notSigningKeys), state: v.literal(state), since },
    notSigningKeys,
  )

/** A set as its own text in JSON, with a rule that holds for the whole of it. */
const keySetOf = <const Key extends v.GenericSchema>(key: Key, message: string) =>
  v.pipe(
    v.string(),
    v.parseJson(undefined, message),
    v.object({ keys: v.pipe(v.array(key, message), v.minLength(1, message)) }, message),
  )

/**
 * Our keys, from the text of SIGNING_KEYS. A key goes from `next`, published and not yet signing, to `active`, the one
 * that signs, to `retired`, published while tokens of it last; what is retired has no private part any more. `since` is
 * when it came into its state, in seconds since the epoch, rounded up.
 */
export const SigningKeys = v.pipe(
  keySetOf(
    v.variant(
      'state',
      [
        withPrivatePart('next'),
        withPrivatePart('active'),
        v.object({ ...publicParts(notSigningKeys), state: v.literal('retired'), since }, notSigningKeys),
      ],
      notSigningKeys,
    ),
    notSigningKeys,
  ),
  v.check(({ keys }) => {
    const one = (state: string) => keys.filter((key) => key.state === state).length === 1
    return one('next') && one('active') && new Set(keys.map(({ kid }) => kid)).size === keys.length
  }, notSigningKeys),
)

/** Public keys, from the text of VERIFICATION_KEYS; anything else that got among them is dropped. */
export const VerificationKeys = v.pipe(
  keySetOf(v.object(publicParts(notKeys), notKeys), notKeys),
  v.transform(({ keys }) => publicKeys(keys)),
)

export type SigningKeys = { readonly keys: readonly SigningKey[] }
export type SigningKey = v.InferOutput<typeof SigningKeys>['keys'][number]
export type KeyWithPrivatePart = Extract<SigningKey, { readonly d: string }>

export const keyInState = (keys: SigningKeys, state: KeyWithPrivatePart['state']): KeyWithPrivatePart =>
  keys.keys.find((key): key is KeyWithPrivatePart => key.state === state) as KeyWithPrivatePart

/** What is published of keys: neither their private parts nor their states. */
export function publicKeys(keys: readonly JWK[]): JSONWebKeySet {
  return {
    keys: keys.map(({ kty, crv, x, y, kid }) => ({
      kty,
      crv,
      x,
      y,
      kid,
      alg: embedTokenAlgorithm,
      use: 'sig',
    })) as JWK[],
  }
}

/**
 * VERIFICATION_KEYS made from SIGNING_KEYS, both as text.
 * @throws Error that names no value where the text holds no signing keys
 */
export function verificationKeysFrom(signingKeys: string): string {
  const parsed = v.safeParse(SigningKeys, signingKeys)
  if (!parsed.success) throw new Error(`The signing keys are not usable: the text ${notSigningKeys}.`)
  return JSON.stringify(publicKeys(parsed.output.keys))
}
