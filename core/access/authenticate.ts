import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose'
import { lowerCase } from '../schema.ts'
import { batchGet, isLive, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { millisecondsOf } from '../time.ts'
import { type Holder, isMistyped, namedHolder } from './api-key.ts'
import type { UsedApiKey } from './api-key-use.ts'
import { type EmbedTokenVerifier, embedTokenType, jwtType, Unauthenticated } from './embed-token.ts'
import { accountKey, apiKeyKey, hashOfApiKey } from './keys.ts'
import type { AccessTokenVerifier } from './oidc-token.ts'
import { type Credential, type Principal, shownHashLength } from './principal.ts'
import { isRevoked } from './revocation.ts'
import { readUser, type User, userIdsByEmail, userIdsByUsername } from './user.ts'

/**
 * What a credential proves: a principal, or the end user of an embed token. An end user is no user of the account, and is
 * named in the audit only.
 */
export type Authentication =
  | { readonly principal: Principal; readonly endUser?: never; readonly apiKey?: UsedApiKey }
  | {
      readonly principal?: never
      readonly apiKey?: never
      readonly endUser: { readonly accountId: string; readonly credential: Credential }
    }

export type Credentials = {
  readonly storage: Storage
  readonly verifyEmbedToken: EmbedTokenVerifier
  readonly verifyAccessToken: AccessTokenVerifier
  now(): number
}

/**
 * Decides who is calling by the Authorization header (docs/specification.md#authentication).
 *
 *   Api-Key      API key
 *   Embed-Token  embed token
 *   Bearer       embed token, if it is a JWT of that type; access token, if it is another JWT; else API key
 *
 * @throws Unauthenticated for a credential that is malformed, unknown, expired or revoked
 * @throws IssuerUnavailable for an access token whose issuer doesn't give its keys
 * @example await authenticate(credentials, 'Bearer sk-ea_…') // { principal: { accountId: 'acme', userId: 7, … }, apiKey: … }
 */
export async function authenticate(credentials: Credentials, authorization: string): Promise<Authentication> {
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

/** The type in a JWT's header chooses the verifier. Each verifier refuses the other's type. */
function byBearerToken(credentials: Credentials, token: string): Promise<Authentication> {
  const header = jwtHeader(token)
  if (!header) return byApiKey(credentials, token)
  return jwtType(header.typ) === embedTokenType ? byEmbedToken(credentials, token) : byAccessToken(credentials, token)
}

/** The header of a JWT. An imported API key may have any other shape, dots included. */
function jwtHeader(token: string): ProtectedHeaderParameters | undefined {
  try {
    const header = decodeProtectedHeader(token)
    return typeof header.alg === 'string' ? header : undefined
  } catch {
    return undefined
  }
}

async function byApiKey({ storage, now }: Credentials, token: string): Promise<Authentication> {
  if (isMistyped(token)) throw new Unauthenticated('mistyped key')
  const named = namedHolder(token)
  const [{ Item: apiKey }, readAhead] = await Promise.all([
    storage.client.send(new GetCommand({ TableName: storage.tables.credentials, Key: apiKeyKey(hashOfApiKey(token)) })),
    named && readHolder(storage, named),
  ])
  if (!isLive(apiKey)) throw new Unauthenticated('unknown key')
  const holder = { accountId: apiKey.accountId as string, userId: apiKey.userId as number }
  if (named && !isSame(named, holder)) throw new Unauthenticated('key that names another holder')
  const expiresAt = apiKey.expiresAt === undefined ? undefined : millisecondsOf(apiKey.expiresAt as string)
  if (expiresAt !== undefined && expiresAt <= now()) throw new Unauthenticated('expired key')
  const { user, hasAccount } = readAhead ?? (await readHolder(storage, holder))
  if (!hasAccount) throw new Unauthenticated('key of no account')
  if (!user) throw new Unauthenticated('key of no user')
  const tokenHash = apiKey.tokenHash as string
  const credential = { kind: 'apiKey', key: tokenHash.slice(0, shownHashLength) } as const
  return {
    principal: principalOf(
      user,
      credential,
      expiresAt && expiresAt / 1000,
      apiKey.deploymentIds as number[] | undefined,
    ),
    apiKey: { tokenHash, accountId: user.accountId },
  }
}

async function readHolder(storage: Storage, { accountId, userId }: Holder) {
  const [user, hasAccount] = await Promise.all([readUser(storage, accountId, userId), isAccount(storage, accountId)])
  return { user, hasAccount }
}

const isSame = (one: Holder, another: Holder): boolean =>
  one.accountId === another.accountId && one.userId === another.userId

async function byEmbedToken({ storage, verifyEmbedToken }: Credentials, token: string): Promise<Authentication> {
  const { accountId, userId, expiresAt, ...id } = await verifyEmbedToken(token)
  const credential = { kind: 'embedToken', ...id } as const
  const [revoked, hasAccount, user] = await Promise.all([
    isRevoked(storage, accountId, id),
    isAccount(storage, accountId),
    userId === undefined ? undefined : readUser(storage, accountId, userId),
  ])
  if (revoked) throw new Unauthenticated('revoked token')
  if (!hasAccount) throw new Unauthenticated('token of no account')
  if (userId === undefined) return { endUser: { accountId, credential } }
  if (!user) throw new Unauthenticated('token of no user')
  // Whatever the scope of the key that made it, the token opens only the deployment that it was made for.
  return { principal: principalOf(user, credential, expiresAt, [id.deploymentId]) }
}

/** Credentials count while their account is there. That of an access token has just been read, for its issuer. */
async function isAccount(storage: Storage, id: string): Promise<boolean> {
  const key = accountKey(id)
  return isLive((await batchGet(storage, [key], { attributes: ['deleted'] })).get(itemId(key)))
}

/** The issuer names a user. Only users of the account that accepts the issuer count. */
async function byAccessToken({ storage, verifyAccessToken }: Credentials, token: string): Promise<Authentication> {
  const { accountId, login, loginIs, jti, expiresAt } = await verifyAccessToken(storage, token)
  const idsOf = loginIs === 'email' ? userIdsByEmail : userIdsByUsername
  const [id, another] = await idsOf(storage, accountId, login)
  if (id === undefined || another !== undefined) throw new Unauthenticated('access token of no user, or of several')
  const user = await readUser(storage, accountId, id)
  // The index may be out of date.
  const isNamed = lowerCase(user?.[loginIs] ?? '') === lowerCase(login)
  if (!user || !isNamed) throw new Unauthenticated('access token of no user')
  return { principal: principalOf(user, { kind: 'accessToken', ...(jti !== undefined && { jti }) }, expiresAt) }
}

/** An admin reads every deployment of the account. A scope limits admins too. */
function principalOf(
  user: User,
  credential: Credential,
  expiresAt: number | undefined,
  scope?: readonly number[],
): Principal {
  const admin = user.roles.includes('admin')
  const readable = admin ? 'all' : user.deploymentIds
  return {
    accountId: user.accountId,
    userId: user.id,
    admin,
    scoped: scope !== undefined,
    credential,
    ...(expiresAt !== undefined && { expiresAt }),
    deploymentIds: scope ? scope.filter((id) => readable === 'all' || readable.includes(id)) : readable,
  }
}
