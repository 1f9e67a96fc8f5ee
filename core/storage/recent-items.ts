import { type Item, itemId, type RecentItems } from './batch-get.ts'
import { key } from './keys.ts'
import { isRecent } from './memoized-for.ts'

/** Gives the recent items of one account to one read. No account gets what was read for another one. */
export type RecentItemsOf = (accountId: string) => RecentItems

/** The most items of all accounts together. The one that was read first is forgotten first. */
export const maxRecentItems = 10_000

/**
 * Keeps items for some time, so that an account's next requests need not read them. What is not there is never kept.
 * @param part the part of an item that is kept for an account; undefined: none of it
 * @param maxAge milliseconds
 * @param now gives milliseconds since the epoch
 */
export function recentItems(
  part: (item: Item, accountId: string) => Item | undefined,
  maxAge: number,
  now: () => number,
): RecentItemsOf {
  const kept = new Map<string, { readonly readAt: number; readonly item: Item }>()
  return (accountId) => {
    // The age counts from before the read, since its answer may take long.
    const readAt = now()
    return {
      get(itemKey) {
        const found = kept.get(key(accountId, itemId(itemKey)))
        return isRecent(found?.readAt, maxAge, readAt) ? found?.item : undefined
      },
      add(item) {
        const keptPart = part(item, accountId)
        if (!keptPart) return
        const id = key(accountId, itemId(item))
        kept.delete(id)
        kept.set(id, { readAt, item: keptPart })
        if (kept.size > maxRecentItems) kept.delete(kept.keys().next().value as string)
      },
    }
  }
}
