import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose'
import { getOne } from '../storage/batch-get.ts'
import { itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { millisecondsOf } from '../time.ts'
import { holderInText, isMistyped } from './api-key.ts'
import { apiKeyIn, type UsedApiKey } from './api-keys.ts'
import { type EmbedTokenVerifier, embedTokenType, jwtType, Unauthenticated } from './embed-token.ts'
import { readHolder } from './holder.ts'
import { apiKeyKey, hashOfApiKey } from './keys.ts'
import type { AccessTokenVerifier } from './oidc-token.ts'
import { type Credential, type Principal, shownHashLength } from './principal.ts'
import { isRevokedBy, revocationKeys } from './revocation.ts'
import { type User, usersByLogin } from './user.ts'

/** The token of an external user has no principal. It has an `endUser`, for the audit alone. */
type Authentication = { readonly apiKey?: UsedApiKey } & (
  | { readonly principal: Principal; readonly endUser?: never }
  | { readonly principal?: never; readonly endUser: Pick<Principal, 'accountId' | 'credential'> }
)

export type Credentials = {
  readonly storage: Storage
  readonly verifyEmbedToken: EmbedTokenVerifier
  readonly verifyAccessToken: AccessTokenVerifier
  now(): number
}

/**
 * Finds out who is calling by the Authorization header (docs/specification.md#authentication).
 * @throws Unauthenticated for a credential that is malformed, unknown, expired or revoked
 * @throws IssuerUnavailable for an access token whose issuer doesn't give its keys
 * @example (await authenticate(credentials, 'Bearer sk-ea_…')).principal?.accountId // 'acme'
 */
export async function authenticate(
  credentials: Credentials,
  authorization: string,
): Promise<Authentication> {
  const [, scheme = '', token = ''] = /^([a-z-]+) +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return byBearerToken(credentials, token)
    case 'api-key':
      return byApiKey(credentials, token)
    case 'embed-token':
      return byEmbedToken(credentials, token)
    default:
      throw new Unauthenticated('no known scheme')
  }
}

/** The type in a JWT's header chooses the verifier. Each verifier refuses the other type. */
function byBearerToken(credentials: Credentials, token: string): Promise<Authentication> {
  let header: ProtectedHeaderParameters = {}
  try {
    header = decodeProtectedHeader(token)
  } catch {
    // An imported API key may have any shape but a JWT's, and may have dots.
  }
  if (typeof header.alg !== 'string') return byApiKey(credentials, token)
  return jwtType(header.typ) === embedTokenType
    ? byEmbedToken(credentials, token)
    : byAccessToken(credentials, token)
}

async function byApiKey({ storage, now }: Credentials, token: string): Promise<Authentication> {
  if (isMistyped(token)) throw new Unauthenticated('mistyped key')
  const key = apiKeyKey(hashOfApiKey(token))
  // If the text names its holder, key, user and account are read in one round trip. Otherwise only
  // the key's item says whose it is.
  const named = holderInText(token)
  const readWithHolder = named && (await readHolder(storage, named, { apiKeys: [key] }))
  const item = readWithHolder
    ? readWithHolder.items.get(itemId(key))
    : await getOne(storage, key, { table: 'credentials' })
  const stored = apiKeyIn(item)
  if (!stored) throw new Unauthenticated('unknown key')
  const { tokenHash, accountId, userId, deploymentIds, operations } = stored
  if (named && (named.accountId !== accountId || named.userId !== userId)) {
    throw new Unauthenticated('key that names another holder')
  }
  const expiresAt = stored.expiresAt ? millisecondsOf(stored.expiresAt) / 1000 : undefined
  if (expiresAt !== undefined && expiresAt <= now() / 1000) throw new Unauthenticated('expired key')
  const { user, hasAccount } = readWithHolder ?? (await readHolder(storage, { accountId, userId }))
  if (!hasAccount) throw new Unauthenticated('key of no account')
  if (!user) throw new Unauthenticated('key of no user')
  const credential = { kind: 'apiKey', key: tokenHash.slice(0, shownHashLength) } as const
  const principal = principalOf(user, credential, expiresAt, deploymentIds)
  return { principal: { ...principal, operations }, apiKey: { tokenHash, accountId } }
}

async function byEmbedToken(
  { storage, verifyEmbedToken }: Credentials,
  token: string,
): Promise<Authentication> {
  const bearer = await verifyEmbedToken(storage, token)
  const { accountId, userId, expiresAt, id } = bearer
  const credential = { kind: 'embedToken', ...id } as const
  const moreKeys = { revocations: revocationKeys(bearer) }
  const { items, hasAccount, user } = await readHolder(storage, bearer, moreKeys)
  if (isRevokedBy(items, bearer)) throw new Unauthenticated('revoked token')
  if (!hasAccount) throw new Unauthenticated('token of no account')
  if (userId === undefined) return { endUser: { accountId, credential } }
  if (!user) throw new Unauthenticated('token of no user')
  // The token opens only the deployment of its session, even if the key that made it opens more.
  return { principal: principalOf(user, credential, expiresAt, [id.deploymentId]) }
}

/** The verifier has read the account that accepts the issuer, so nothing reads it again here. */
async function byAccessToken(
  { storage, verifyAccessToken }: Credentials,
  token: string,
): Promise<Authentication> {
  const { accountId, login, loginIs, isCaseSensitive, jti, expiresAt } = await verifyAccessToken(
    storage,
    token,
  )
  const found = await usersByLogin(storage, accountId, login, [loginIs])
  const [user, another] = found.filter(({ username }) => !isCaseSensitive || username === login)
  if (!user || another) throw new Unauthenticated('access token of no user, or of several')
  return { principal: principalOf(user, { kind: 'accessToken', jti }, expiresAt) }
}

/** An admin reads every deployment of the account. A scope limits admins too. */
function principalOf(
  user: User,
  credential: Credential,
  expiresAt: number | undefined,
  scope?: readonly number[],
) {
  const admin = user.roles.includes('admin')
  const readable = admin ? 'all' : user.deploymentIds
  return {
    accountId: user.accountId,
    userId: user.id,
    admin,
    scoped: scope !== undefined,
    credential,
    expiresAt,
    deploymentIds: scope
      ? scope.filter((id) => readable === 'all' || readable.includes(id))
      : readable,
  }
}
