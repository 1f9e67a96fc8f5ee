import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { type Item, isLive, keyOf } from '../storage/batch-get.ts'
import { conditionHeld, ifUnchanged, put } from '../storage/conditional-writes.ts'
import { partsOfKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { itemCache, itemsOf, ownerOf } from './export.ts'
import { tombstoneExpiry } from './kind.ts'
import { paced } from './pace.ts'

/**
 * How many items of each deleted account or deployment a purge would remove. `advanced` is told how
 * many it has seen.
 */
export async function purgeable(storage: Storage, advanced: (seen: number) => void) {
  const counts = new Map<string, number>()
  for await (const { seen, remains } of remainsIn(paced(storage))) {
    for (const [{ pk }, items] of remains) counts.set(pk, (counts.get(pk) ?? 0) + items.length)
    advanced(seen)
  }
  return [...counts].flatMap(([pk, count]) => {
    const [kind, id] = partsOfKey(pk) as [string, string]
    return count > 0 ? [{ kind, id, count }] : []
  })
}

/**
 * Removes what belonged to a deleted account or deployment, which nobody can see any more (catalog
 * contract). Tombstones stay until they expire, so that older changes bring nothing back. Those of
 * accounts begin to expire with the purge. Deployments stay, since they say to which account their
 * ids belong. It may be stopped at any time, and run again.
 * @param now gives milliseconds since the epoch
 */
export async function purge(
  storage: Storage,
  advanced: (progress: { readonly seen: number; readonly removed: number }) => void,
  now: () => number,
) {
  const slowing = paced(storage)
  const accounts = new Set<Item>()
  const progress = { seen: 0, removed: 0 }
  for await (const { table, seen, remains } of remainsIn(slowing)) {
    progress.seen = seen
    for (const [owner, items] of remains) {
      if (owner.kind === 'account') accounts.add(owner)
      progress.removed += await remove(slowing, table, items, owner)
    }
    advanced(progress)
  }
  for (const account of accounts) {
    // Unless the account has come back since it was read.
    await put(slowing, 'catalog', { ...account, ...tombstoneExpiry(now()) }, ifUnchanged(account))
  }
  return progress
}

/**
 * For each page of items: how many were looked at so far, and what to remove, by its deleted
 * deployment or account.
 */
async function* remainsIn(storage: Storage) {
  const readOnce = itemCache(storage)
  let seen = 0
  for await (const { table, items } of itemsOf(storage)) {
    const remains = new Map<Item, Item[]>()
    for (const item of items) {
      const owner = await deletedOwnerOf(item)
      if (!owner) continue
      const own = remains.get(owner) ?? []
      remains.set(owner, own)
      if (isLive(item) && item.kind !== 'deployment' && item.kind !== 'account') own.push(item)
    }
    seen += items.length
    yield { table, seen, remains }
  }

  async function deletedOwnerOf(item: Item): Promise<Item | undefined> {
    const { deploymentId, accountId: own } = ownerOf(item)
    // Stryker disable next-line ConditionalExpression: It reads what is never there.
    const deployment =
      deploymentId === undefined ? undefined : await readOnce(deploymentKey(deploymentId))
    if (deployment?.deleted === true) return deployment
    const accountId = own ?? (deployment?.accountId as string | undefined)
    // Stryker disable next-line ConditionalExpression: It reads what is never there.
    const account = accountId === undefined ? undefined : await readOnce(accountKey(accountId))
    return account?.deleted === true ? account : undefined
  }
}

/** Removes items on condition that their owner is still deleted, and says how many. */
async function remove(
  { client, tables }: Storage,
  table: TableName,
  items: readonly Item[],
  owner: Item,
) {
  const ConditionCheck = {
    TableName: tables.catalog,
    Key: keyOf(owner),
    ConditionExpression: 'deleted = :true',
    ExpressionAttributeValues: { ':true': true },
  }
  const removals = items.map((item) => ({ Delete: { TableName: tables[table], Key: keyOf(item) } }))
  let removed = 0
  // A transaction takes 100 actions, and items of 4 MB in all. These are of one page of a scan, which
  // has 1 MB.
  // Stryker disable next-line EqualityOperator: It removes nothing once more.
  for (let from = 0; from < removals.length; from += 99) {
    const TransactItems = [{ ConditionCheck }, ...removals.slice(from, from + 99)]
    if (!(await conditionHeld(client.send(new TransactWriteCommand({ TransactItems }))))) break
    removed += TransactItems.length - 1
  }
  return removed
}
