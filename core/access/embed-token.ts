import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import * as v from 'valibot'
import { integer, text } from '../schema.ts'
import type { Storage } from '../storage/storage.ts'
import { EmbedTokenId } from './principal.ts'

/** The credential is not valid. The message is for our log and not for the caller. */
export class Unauthenticated extends Error {}

export type EmbedTokenVerifier = ReturnType<typeof embedTokenVerifier>

export type EmbedTokenBearer = Awaited<ReturnType<EmbedTokenVerifier>>

/** The type in the header, which no other JWT has (RFC 8725, section 3.11). */
export const embedTokenType = 'embed+jwt'

/** The type in a JWT's header, in lower case and without `application/` (RFC 7515, 4.1.9). */
export const jwtType = (typ: unknown): string | undefined =>
  typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : undefined

export const embedTokenAlgorithm = 'ES256'

export const clockSkewSeconds = 30

/** jose checks the types only of claims that it compares. */
const Bearer = v.object({
  sub: v.pipe(text, v.nonEmpty()),
  accountId: text,
  userId: v.optional(integer),
  ...EmbedTokenId.entries,
})

/**
 * The verifier throws {@link Unauthenticated} for a token that has expired, or that this service
 * did not issue for this audience. It reads the keys through the storage of the request, so that
 * the request's line in the log counts that call.
 * @param expected `now` gives milliseconds since the epoch
 */
export function embedTokenVerifier(
  keys: (through: Storage) => Promise<JSONWebKeySet>,
  expected: { issuer: string; audience: string; now(): number },
) {
  const imported = new WeakMap<JSONWebKeySet, JWTVerifyGetKey>()
  const keyOf =
    (through: Storage): JWTVerifyGetKey =>
    async (header, token) => {
      // Otherwise jose would use the only key of a set for a token that names no key.
      if (typeof header.kid !== 'string') throw new Unauthenticated('no key id')
      const keySet = await keys(through)
      const keyIn = imported.get(keySet) ?? createLocalJWKSet(keySet)
      imported.set(keySet, keyIn)
      return keyIn(header, token)
    }
  return async (storage: Storage, token: string) => {
    try {
      const { payload } = await jwtVerify(token, keyOf(storage), {
        algorithms: [embedTokenAlgorithm],
        typ: embedTokenType,
        issuer: expected.issuer,
        audience: expected.audience,
        requiredClaims: ['iat', 'nbf', 'exp'],
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(expected.now()),
      })
      // jose applies the tolerance to `exp` too. Here it is only for `nbf`: an end counts at once.
      const expiresAt = payload.exp as number
      if (expiresAt * 1000 <= expected.now()) throw new Unauthenticated('ERR_JWT_EXPIRED')
      const parsed = v.safeParse(Bearer, payload)
      if (!parsed.success) throw new Unauthenticated('claims of another kind')
      const { sub: _checked, accountId, userId, ...id } = parsed.output
      return { accountId, userId, id, expiresAt, claims: payload }
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new Unauthenticated(error.code)
      throw error
    }
  }
}
