import { itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { isOwn } from './deployment.ts'
import { type EmbedTokenVerifier, Unauthenticated } from './embed-token.ts'
import { readHolder } from './holder.ts'
import { deploymentKey } from './keys.ts'
import { isRevokedBy, revocationKeys } from './revocation.ts'

/**
 * Reads all that decides about an embed token in one call.
 * @throws Unauthenticated if the token is not valid or was revoked, or if its account, deployment
 * or internal user is gone
 */
export async function requireGoodToken(
  storage: Storage,
  verify: EmbedTokenVerifier,
  token: string,
) {
  const bearer = await verify(storage, token)
  const { accountId, userId, id } = bearer
  const deployment = deploymentKey(id.deploymentId)
  const moreKeys = { deployments: [deployment], revocations: revocationKeys(bearer) }
  const { items, hasAccount, user } = await readHolder(storage, bearer, moreKeys)
  if (isRevokedBy(items, bearer)) throw new Unauthenticated('revoked token')
  const hasUser = userId === undefined || user !== undefined
  if (!hasAccount || !hasUser || !isOwn(items.get(itemId(deployment)), accountId)) {
    throw new Unauthenticated('token whose account, deployment or user is gone')
  }
  return bearer
}
