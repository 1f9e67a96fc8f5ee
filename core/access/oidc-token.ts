import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { batchGet } from '../storage/batch-get.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { clockSkewSeconds, jwtType, Unauthenticated } from './embed-token.ts'
import { issuerAndAudience } from './keys.ts'
import { IssuerUnavailable } from './oidc-document.ts'
import { issuerKeys } from './oidc-keys.ts'

type Oidc = { readonly issuer: string; readonly audience: string; readonly userClaim: string }

export type AccessTokenVerifier = ReturnType<typeof accessTokenVerifier>

/**
 * Not `none`: it signs nothing. Not HMAC: its key would be one that the issuer publishes
 * (RFC 8725, section 2.1).
 */
const accessTokenAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/**
 *   iss and aud, unverified ──▶ account that accepts them ──▶ keys of its issuer
 *                                                                 │
 *                           name of the user ◀── verified claims ◀┘
 *
 * The verifier throws {@link Unauthenticated} for a token that no account accepts, and {@link
 * IssuerUnavailable} if it can't get the keys of the issuer.
 */
export function accessTokenVerifier(now: () => number) {
  const keysOf = issuerKeys(now)
  return async (storage: Storage, token: string) => {
    const { accountId, oidc } = await accountOf(storage, token)
    const payload = await verified(token, oidc, keysOf(oidc.issuer), now())
    return {
      accountId,
      login: loginIn(payload, oidc.userClaim),
      // People may choose the text of another claim. It may be the address of somebody else.
      loginIs: oidc.userClaim === 'email' ? ('email' as const) : ('username' as const),
      /** A subject is case-sensitive (OpenID Connect Core 1.0, section 2). Names are not. */
      isCaseSensitive: oidc.userClaim === 'sub',
      /** For the audit. */
      jti:
        typeof payload.jti === 'string'
          ? [...payload.jti.toWellFormed()].slice(0, 100).join('')
          : undefined,
      /** In seconds since the epoch, with the tolerance. */
      expiresAt: (payload.exp as number) + clockSkewSeconds,
    }
  }
}

/** Unverified claims only choose among configured issuers, so no token names a place to call. */
async function accountOf(storage: Storage, token: string) {
  const { iss, aud } = unverified(token)
  const audiences = [aud].flat()
  if (typeof iss !== 'string' || !audiences.every((each) => typeof each === 'string')) {
    throw new Unauthenticated('no issuer or audience')
  }
  return accountAccepting(storage, iss, audiences)
}

/** The account that accepts tokens of this issuer for one of these audiences, unless several do. */
export async function accountAccepting(
  storage: Storage,
  issuer: string,
  audiences: readonly string[],
) {
  // Each audience costs a look-up.
  if (audiences.length > 10) throw new Unauthenticated('too many audiences')
  // Two current entries would show that there are several accounts. But some may be out of date, so
  // more than two are read.
  const found = await Promise.all(
    [...new Set(audiences)].map((audience) => {
      const partition = issuerAndAudience({ issuer, audience })
      return queryIndex(storage, { index: 'byIssuerAndAudience', partition }, 20)
    }),
  )
  const hits = found.flatMap(({ items }) => items)
  const current = await batchGet(storage, hits, { consistent: true })
  const [account, another] = [...current.values()].flatMap(({ id, oidc }) => {
    const accepted = oidc as Oidc | undefined
    const accepts = accepted?.issuer === issuer && audiences.includes(accepted.audience)
    return accepts ? [{ accountId: id as string, oidc: accepted }] : []
  })
  if (!account || another)
    throw new Unauthenticated('issuer and audience of no account, or of several')
  return account
}

function unverified(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch (error) {
    throw new Unauthenticated((error as errors.JOSEError).code)
  }
}

async function verified(
  token: string,
  { issuer, audience }: Oidc,
  keys: JWTVerifyGetKey,
  now: number,
) {
  const keyOf: JWTVerifyGetKey = (header, jws) => {
    // The type of access tokens (RFC 9068), or the general one that most issuers use. So no embed
    // token or logout token passes as an access token (RFC 8725, section 3.11).
    const { typ = 'JWT', kid } = header
    if (!['at+jwt', 'jwt'].includes(jwtType(typ) ?? ''))
      throw new Unauthenticated('another type of token')
    if (typeof kid !== 'string') throw new Unauthenticated('no key id')
    return keys(header, jws)
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: accessTokenAlgorithms,
      issuer,
      audience,
      requiredClaims: ['exp'],
      clockTolerance: clockSkewSeconds,
      currentDate: new Date(now),
    })
    if (typeof payload.sub !== 'string' || payload.sub === '')
      throw new Unauthenticated('no subject')
    // A token with `cnf` is bound to a key (RFC 7800), which a bearer doesn't prove to have.
    if (payload.cnf !== undefined) throw new Unauthenticated('not a bearer token')
    return payload
  } catch (error) {
    if (error instanceof IssuerUnavailable || error instanceof Unauthenticated) throw error
    // jose throws other errors if the issuer's key is too weak or malformed.
    throw new Unauthenticated(error instanceof errors.JOSEError ? error.code : 'unusable key')
  }
}

/**
 * The user's name or address. An address that the issuer has not verified may be somebody else's.
 */
function loginIn(payload: JWTPayload, userClaim: string): string {
  const login = payload[userClaim]
  if (typeof login !== 'string' || login === '' || !login.isWellFormed()) {
    throw new Unauthenticated('no claim that names the user')
  }
  const isAddress = userClaim === 'email' || login.includes('@')
  const confirmed: readonly unknown[] = [undefined, true, 'true']
  if (isAddress && !confirmed.includes(payload.email_verified))
    throw new Unauthenticated('unconfirmed address')
  return login
}
