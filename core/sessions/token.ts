import { key } from '../storage/keys.ts'
import type { SessionContext } from './context.ts'

export type TokenLimits = {
  readonly issuer: string
  readonly audience: string
  /** The longest lifetime of a token, and the lifetime for a session that asks for none. */
  readonly lifetimeSeconds: number
  /** The longest embed token, in bytes, because it must fit in a request header. */
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

/** Unique within the issuer. Another account or tenant may have the same external id. */
function subject(
  { accountId, userId, externalId, embedTenantName }: SessionContext,
  jti: string,
): string {
  if (userId !== undefined) return key(accountId, 'user', userId)
  if (externalId !== undefined) return key(accountId, 'external', embedTenantName ?? '', externalId)
  return key(accountId, 'anonymous', jti)
}
