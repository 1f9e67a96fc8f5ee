import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'

/** A credential that proves nothing. The reason is for our log; a caller learns no more than that it was refused. */
export class Unauthenticated extends Error {
  override readonly name = 'Unauthenticated'
}

/** What an embed token says about its bearer; `userId` only where the session was made for an internal user. */
export type EmbedTokenBearer = { readonly accountId: string; readonly userId: number | undefined; readonly jti: string }

export type EmbedTokenVerifier = (token: string) => Promise<EmbedTokenBearer>

/** The header type that tells embed tokens from every other JWT (RFC 8725, section 3.11). */
export const embedTokenType = 'embed+jwt'

export const embedTokenAlgorithm = 'ES256'

/** @throws Unauthenticated for any token that this service did not issue for this audience, or that has ended */
export function embedTokenVerifier(
  keys: JSONWebKeySet,
  expected: { issuer: string; audience: string; now(): number },
): EmbedTokenVerifier {
  const keySet = createLocalJWKSet(keys)
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keySet, {
        algorithms: [embedTokenAlgorithm],
        typ: embedTokenType,
        issuer: expected.issuer,
        audience: expected.audience,
        requiredClaims: ['sub', 'iat', 'nbf', 'exp', 'jti', 'accountId'],
        currentDate: new Date(expected.now()),
      })
      return {
        accountId: payload.accountId as string,
        userId: payload.userId as number | undefined,
        jti: payload.jti as string,
      }
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new Unauthenticated(error.code)
      throw error
    }
  }
}
