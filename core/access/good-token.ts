import { batchGetAcross } from '../storage/batch-get.ts'
import { isLive, itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { isOwn } from './deployment.ts'
import { type EmbedTokenVerifier, Unauthenticated } from './embed-token.ts'
import { accountKey, deploymentKey, userKey } from './keys.ts'
import { isRevokedBy, revocationKeys } from './revocation.ts'

/**
 * Reads all that decides about an embed token in one call. Like the authorizer, it reads only the
 * revocations consistently.
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
  const [account, deployment] = [accountKey(accountId), deploymentKey(id.deploymentId)]
  const users = userId === undefined ? [] : [userKey(accountId, userId)]
  const items = await batchGetAcross(storage, {
    credentials: { keys: users, attributes: ['deleted'] },
    catalog: { keys: [account, deployment], attributes: ['accountId', 'deleted'] },
    sessions: { keys: revocationKeys(accountId, id), consistent: true },
  })
  if (isRevokedBy(items, accountId, id)) throw new Unauthenticated('revoked token')
  const areThere = [account, ...users].every((key) => isLive(items.get(itemId(key))))
  if (!areThere || !isOwn(items.get(itemId(deployment)), accountId)) {
    throw new Unauthenticated('token whose account, deployment or user is gone')
  }
  return bearer
}
