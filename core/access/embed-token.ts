import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as v from 'valibot'

/** A credential that proves nothing. The reason is for our log; a caller learns no more than that it was refused. */
export class Unauthenticated extends Error {
  override readonly name = 'Unauthenticated'
}

/** What an embed token says about its bearer; `userId` only where the session was made for an internal user. */
export type EmbedTokenBearer = {
  readonly accountId: string
  readonly deploymentId: number
  readonly userId: number | undefined
  readonly jti: string
}

export type EmbedTokenVerifier = (token: string) => Promise<EmbedTokenBearer>

/** The header type that tells embed tokens from every other JWT (RFC 8725, section 3.11). */
export const embedTokenType = 'embed+jwt'

/** Types compare without case, and `application/` may stand before them (RFC 7515, section 4.1.9). */
export const isEmbedTokenType = (typ: unknown): boolean =>
  typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === embedTokenType

export const embedTokenAlgorithm = 'ES256'

/** jose asks that claims are there, and of what kind they are only where it compares them. */
const Bearer = v.object({
  sub: v.pipe(v.string(), v.nonEmpty()),
  jti: v.pipe(v.string(), v.nonEmpty()),
  accountId: v.pipe(v.string(), v.nonEmpty()),
  deploymentId: v.pipe(v.number(), v.safeInteger()),
  userId: v.optional(v.pipe(v.number(), v.safeInteger())),
})

/** @throws Unauthenticated for any token that this service did not issue for this audience, or that has ended */
export function embedTokenVerifier(
  keys: JSONWebKeySet,
  expected: { issuer: string; audience: string; now(): number },
): EmbedTokenVerifier {
  const keySet = createLocalJWKSet(keys)
  // Left alone, a set of one key would do for a token that names none.
  const keyOf: JWTVerifyGetKey = (header, token) => {
    if (typeof header.kid !== 'string') throw new Unauthenticated('no key id')
    return keySet(header, token)
  }
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: [embedTokenAlgorithm],
        typ: embedTokenType,
        issuer: expected.issuer,
        audience: expected.audience,
        requiredClaims: ['iat', 'nbf', 'exp'],
        currentDate: new Date(expected.now()),
      })
      const bearer = v.safeParse(Bearer, payload)
      if (!bearer.success) throw new Unauthenticated('claims of another kind')
      const { accountId, deploymentId, userId, jti } = bearer.output
      return { accountId, deploymentId, userId, jti }
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new Unauthenticated(error.code)
      throw error
    }
  }
}
