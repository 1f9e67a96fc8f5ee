import { Refusal } from '../refusal.ts'
import { getOne, type RecentItemsOf } from '../storage/batch-get.ts'
import { type Item, isLive, itemId, keyOf } from '../storage/item.ts'
import { key, ownSortKey, partsOfKey } from '../storage/keys.ts'
import { isRecent } from '../storage/memoized-for.ts'
import type { Storage } from '../storage/storage.ts'
import { accountKey, deploymentKey } from './keys.ts'
import type { Principal } from './principal.ts'

/** How long an instance uses what it has read, in milliseconds. */
const maxAge = 5000

/** The most items of all accounts together. The instance forgets the oldest first. */
const maxItems = 10_000

/** Keeps only what lets a request pass (docs/design.md#decisions). */
export function recentLookups(now: () => number): RecentItemsOf {
  const kept = new Map<string, { readonly readAt: number; readonly item: Item }>()
  return (accountId) => {
    // The age counts from before the read, because its answer may take long.
    const readAt = now()
    return {
      get(itemKey) {
        const found = kept.get(key(accountId, itemId(itemKey)))
        return isRecent(found?.readAt, maxAge, readAt) ? found?.item : undefined
      },
      add(item) {
        const part = cacheablePart(item, accountId)
        if (!part) return
        const id = key(accountId, itemId(item))
        kept.delete(id)
        kept.set(id, { readAt, item: part })
        if (kept.size > maxItems) kept.delete(kept.keys().next().value as string)
      },
    }
  }
}

function cacheablePart(item: Item, accountId: string): Item | undefined {
  const { pk, sk, embeddingEnabled, onlyAdminsMint, embedTenants, viewAs } = item
  if (!isLive(item)) return undefined
  if (pk === accountKey(accountId).pk) {
    const isOpen = sk !== ownSortKey || embeddingEnabled === true
    const settings = { embeddingEnabled, onlyAdminsMint, embedTenants, viewAs }
    return isOpen ? { ...keyOf(item), ...settings } : undefined
  }
  const isDeployment = partsOfKey(pk)[0] === 'deployment'
  return isDeployment && isOwn(item, accountId) ? { ...keyOf(item), accountId } : undefined
}

/** Whether a deployment is there and belongs to the account. */
export const isOwn = (item: Item | undefined, accountId: string): boolean =>
  isLive(item) && item.accountId === accountId

/**
 * @throws Refusal `deployment_forbidden`, or `deployment_not_found`. The latter is also for a
 * deployment of another account, so that nobody learns that it exists
 */
export async function requireReadableDeployment(
  storage: Storage,
  principal: Principal,
  id: number,
  recent: RecentItemsOf,
): Promise<void> {
  requireReadable(
    principal,
    id,
    await getOne(storage, deploymentKey(id), { recent: recent(principal.accountId) }),
  )
}

/** Like {@link requireReadableDeployment}, for an item that was already read. */
export function requireReadable(
  { accountId, deploymentIds }: Principal,
  id: number,
  item: Item | undefined,
): void {
  if (!isOwn(item, accountId)) {
    throw new Refusal('deployment_not_found', `There is no deployment ${id}.`)
  }
  if (deploymentIds !== 'all' && !deploymentIds.includes(id))
    throw new Refusal('deployment_forbidden')
}
