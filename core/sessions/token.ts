import { importJWK, SignJWT } from 'jose'
import { embedTokenAlgorithm, embedTokenType } from '../access/embed-token.ts'
import { key } from '../storage/keys.ts'
import type { SessionContext } from './context.ts'
import { keyInState, type SigningKeys } from './signing-keys.ts'

export type TokenLimits = {
  readonly issuer: string
  readonly audience: string
  /** The longest lifetime of a token, and that of a session which asks for none. */
  readonly lifetimeSeconds: number
  /** The longest embed token, in bytes. It has to fit in a request header. */
  readonly maxTokenBytes: number
}

export type TokenIssuance = Omit<TokenLimits, 'maxTokenBytes'>

export type Claims = Readonly<ReturnType<typeof embedTokenClaims>>

/** The registered claims of RFC 7519 and the whole context. */
export function embedTokenClaims(
  { tokenLifetimeSeconds, ...context }: SessionContext,
  jti: string,
  nowSeconds: number,
  { issuer, audience, lifetimeSeconds }: TokenIssuance,
) {
  return {
    ...context,
    iss: issuer,
    aud: audience,
    sub: subject(context, jti),
    iat: nowSeconds,
    nbf: nowSeconds,
    // The limit may have become shorter since the session was generated.
    exp: nowSeconds + Math.min(tokenLifetimeSeconds ?? lifetimeSeconds, lifetimeSeconds),
    jti,
  }
}

/**
 * Unique within the issuer: an external id names different people in different accounts and embed
 * tenants.
 */
function subject(
  { accountId, userId, externalId, embedTenantName }: SessionContext,
  jti: string,
): string {
  if (userId !== undefined) return key(accountId, 'user', userId)
  if (externalId !== undefined) return key(accountId, 'external', embedTenantName ?? '', externalId)
  return key(accountId, 'anonymous', jti)
}

/** Signs with the active key. `since` is when the key became active, in seconds since the epoch. */
export async function tokenSigner(keys: SigningKeys) {
  const { kty, crv, x, y, d, kid, since } = keyInState(keys, 'active')
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: The key stays in its module.
  const signingKey = await importJWK({ kty, crv, x, y, d }, embedTokenAlgorithm, {
    extractable: false,
  })
  const sign = (claims: Claims) =>
    new SignJWT(claims as never).setProtectedHeader(protectedHeader(kid)).sign(signingKey)
  return { sign, since }
}

const protectedHeader = (kid: string) => ({ alg: embedTokenAlgorithm, typ: embedTokenType, kid })

/**
 * The bytes that a token with these claims will have. A `kid` of ours is a SHA-256 thumbprint in
 * base64url (RFC 7638), which has 43 letters, and a signature of ES256 has 64 bytes.
 */
export function embedTokenBytes(claims: Claims): number {
  const parts = [protectedHeader('k'.repeat(43)), claims].map((part) =>
    Buffer.byteLength(JSON.stringify(part)),
  )
  return [...parts, 64].map(base64Length).reduce((sum, length) => sum + 1 + length)
}

const base64Length = (bytes: number): number => Math.ceil((bytes * 4) / 3)
