import type { RecentItemsOf } from '../storage/batch-get.ts'
import { type Item, isLive, itemId, keyOf } from '../storage/item.ts'
import { key, ownSortKey, partsOfKey } from '../storage/keys.ts'
import { isRecent } from '../storage/memoized-for.ts'
import { isOwn } from './deployment.ts'
import { accountKey } from './keys.ts'

/** How long an instance uses what it has read. */
const maxAgeMs = 5000

/** The most items of all accounts together. The instance forgets first what it read first. */
const maxItems = 10_000

/**
 * Remembers only items that exist, so a new thing counts at once (docs/design.md#decisions). An
 * account without embedding is not remembered, so embedding counts as soon as it is allowed.
 */
export function recentLookups(now: () => number): RecentItemsOf {
  const kept = new Map<string, { readonly readAt: number; readonly item: Item }>()
  return (accountId) => {
    // The age counts from before the read, because its answer may take long.
    const readAt = now()
    return {
      get(itemKey) {
        const found = kept.get(key(accountId, itemId(itemKey)))
        return isRecent(found?.readAt, maxAgeMs, readAt) ? found?.item : undefined
      },
      add(item) {
        const part = cacheablePart(item, accountId)
        if (!part) return
        kept.set(key(accountId, itemId(item)), { readAt, item: part })
        if (kept.size > maxItems) kept.delete(kept.keys().next().value as string)
      },
    }
  }
}

/** What is kept of an account that allows embedding, of its groups, and of its deployments. */
function cacheablePart(item: Item, accountId: string): Item | undefined {
  if (!isLive(item)) return undefined
  const { pk, sk, embeddingEnabled, onlyAdminsMint, embedTenants, viewAs } = item
  if (pk === accountKey(accountId).pk) {
    const isGroup = sk !== ownSortKey
    if (!isGroup && embeddingEnabled !== true) return undefined
    return { ...keyOf(item), embeddingEnabled, onlyAdminsMint, embedTenants, viewAs }
  }
  const isDeployment = partsOfKey(pk)[0] === 'deployment'
  return isDeployment && isOwn(item, accountId) ? { ...keyOf(item), accountId } : undefined
}
