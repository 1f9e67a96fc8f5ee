import { batchGetAcross } from '../storage/batch-get.ts'
import { type ItemKey, isLive, itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { accountKey, userKey } from './keys.ts'
import { userIn } from './user.ts'

type MoreKeys = {
  readonly [kind in 'apiKeys' | 'deployments' | 'revocations']?: readonly ItemKey[]
}

/**
 * Reads the account of a credential, its user if it names one, and more items, in one call. Only
 * the read of the revocations is consistent.
 */
export async function readHolder(
  storage: Storage,
  { accountId, userId }: { readonly accountId: string; readonly userId: number | undefined },
  { apiKeys = [], deployments = [], revocations = [] }: MoreKeys = {},
) {
  const account = accountKey(accountId)
  const user = userId === undefined ? undefined : userKey(accountId, userId)
  const items = await batchGetAcross(storage, {
    credentials: { keys: [...apiKeys, ...(user ? [user] : [])] },
    catalog: { keys: [account, ...deployments], attributes: ['accountId', 'deleted'] },
    sessions: { keys: revocations, consistent: true },
  })
  return {
    items,
    hasAccount: isLive(items.get(itemId(account))),
    user: userIn(user && items.get(itemId(user))),
  }
}
