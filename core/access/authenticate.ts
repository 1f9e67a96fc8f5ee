import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { decodeProtectedHeader } from 'jose'
import type { Storage } from '../storage/storage.ts'
import { type EmbedTokenVerifier, Unauthenticated } from './embed-token.ts'
import { apiKeyKey, hashOfApiKey } from './keys.ts'
import type { Principal } from './principal.ts'
import { isRevoked } from './revocation.ts'
import { readUser, type User } from './user.ts'

/** What a credential proves: a principal, or an embed token of an end user who is nobody's user. */
export type Authentication =
  | { readonly principal: Principal }
  | { readonly principal?: never; readonly embedUser: true }

export type Credentials = { readonly storage: Storage; readonly verifyEmbedToken: EmbedTokenVerifier; now(): number }

/**
 * Decides who is calling by the value of the Authorization header (decisions, "Credentials and roles").
 * @throws Unauthenticated for a credential that is malformed, unknown, expired or revoked
 */
export async function authenticate(credentials: Credentials, authorization: string): Promise<Authentication> {
  const [, scheme = '', token = ''] = /^([a-z-]+) +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return isJwt(token) ? byEmbedToken(credentials, token) : byApiKey(credentials, token)
    case 'api-key':
      return byApiKey(credentials, token)
    case 'embed-token':
      return byEmbedToken(credentials, token)
    default:
      throw new Unauthenticated('no known scheme')
  }
}

/** A JWT says so in its header; a key that came in by its hash may look like anything else, dots included. */
function isJwt(token: string): boolean {
  try {
    return typeof decodeProtectedHeader(token).alg === 'string'
  } catch {
    return false
  }
}

async function byApiKey({ storage, now }: Credentials, token: string): Promise<Authentication> {
  const { Item: apiKey } = await storage.client.send(
    new GetCommand({ TableName: storage.tables.credentials, Key: apiKeyKey(hashOfApiKey(token)) }),
  )
  if (!apiKey || apiKey.deleted === true) throw new Unauthenticated('unknown key')
  const expiresAt = apiKey.expiresAt as string | undefined
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now()) throw new Unauthenticated('expired key')
  const user = await readUser(storage, apiKey.accountId as string, apiKey.userId as number)
  if (!user) throw new Unauthenticated('key of no user')
  return { principal: principalOf(user, apiKey.deploymentIds as number[] | undefined) }
}

async function byEmbedToken({ storage, verifyEmbedToken }: Credentials, token: string): Promise<Authentication> {
  const { accountId, userId, jti } = await verifyEmbedToken(token)
  if (await isRevoked(storage, accountId, jti)) throw new Unauthenticated('revoked token')
  if (userId === undefined) return { embedUser: true }
  const user = await readUser(storage, accountId, userId)
  if (!user) throw new Unauthenticated('token of no user')
  return { principal: principalOf(user) }
}

/** An admin reads every deployment of the account; a scoped key narrows that for everybody. */
function principalOf(user: User, scope?: readonly number[]): Principal {
  const admin = user.roles.includes('admin')
  const readable = admin ? 'all' : user.deploymentIds
  return {
    accountId: user.accountId,
    userId: user.id,
    admin,
    deploymentIds: scope ? scope.filter((id) => readable === 'all' || readable.includes(id)) : readable,
  }
}
