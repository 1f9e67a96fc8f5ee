import { type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import { read } from '../storage/conditional-writes.ts'
import { partsOfKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'

/** What an item belongs to: an account, or a deployment and with it the deployment's account; empty if nobody knows. */
type Owner = { readonly accountId?: string; readonly deploymentId?: number }

/** Finds the owner at the beginning of an item's key, or else in the account that the item or its tombstone names. */
export function ownerOf({ pk, accountId: own, identity }: Item): Owner {
  // Stryker disable next-line StringLiteral: The default of what is always there.
  const [first = '', second = ''] = partsOfKey(pk)
  if (first === 'deployment') return { deploymentId: Number(second) }
  if (/^\d+$/.test(first)) return { deploymentId: Number(first) }
  if (first === 'account') return { accountId: second }
  return { accountId: own ?? (identity === undefined ? undefined : JSON.parse(identity as string).accountId) }
}

/** Reads each item of the catalog once, when it is first asked for. */
export function itemCache(storage: Storage): (key: ItemKey) => Promise<Item | undefined> {
  const known = new Map<string, Promise<Item | undefined>>()
  return (key) => {
    const item = known.get(itemId(key)) ?? read(storage, 'catalog', key)
    known.set(itemId(key), item)
    return item
  }
}
