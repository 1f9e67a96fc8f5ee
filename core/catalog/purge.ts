import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { type Item, keyOf } from '../storage/batch-get.ts'
import { conditionHeld, ifUnchanged, newVersion, put } from '../storage/conditional-writes.ts'
import { partsOfKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { deployment } from './accounts.ts'
import { accountsBeside, endedClaim, withoutClaimsOf } from './claims.ts'
import { itemCache, itemsOf, ownerOf } from './export.ts'
import { tombstoneExpiry } from './kind.ts'
import { paced } from './pace.ts'

/** An item of a deleted account or deployment, and what a purge leaves of it, if anything. */
type Remains = { readonly item: Item; readonly left: Item | undefined }

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
 * contract). What stays only says that an id is taken: tombstones until they expire, so that older
 * changes bring nothing back, and a tombstone of each deployment, which says to which account its
 * id belongs. Those of accounts begin to expire with the purge. It may be stopped at any time, and
 * run again.
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
      const { whole = [], partial = [] } = Object.groupBy(items, ({ left }) =>
        left ? 'partial' : 'whole',
      )
      progress.removed += await remove(slowing, table, whole, owner)
      for (const each of partial) progress.removed += await replace(slowing, table, each, owner)
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
    const remains = new Map<Item, Remains[]>()
    for (const item of items) {
      const owner = await deletedOwnerOf(item)
      const others = await deletedAmong(accountsBeside(item))
      const whose = owner ?? others[0]
      if (!whose) continue
      const own = remains.get(whose) ?? []
      remains.set(whose, own)
      const kept = owner ? remnantOf(item) : item
      const left = kept && withoutClaimsOf(kept, new Set(others.map(({ pk }) => partsOfKey(pk)[1])))
      if (left !== item) own.push({ item, left })
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
    return accountId === undefined ? undefined : (await deletedAmong([accountId]))[0]
  }

  async function deletedAmong(accountIds: readonly string[]): Promise<Item[]> {
    const accounts = await Promise.all(accountIds.map((id) => readOnce(accountKey(id))))
    return accounts.flatMap((account) => (account?.deleted === true ? [account] : []))
  }
}

/** All that a tombstone has: what says that an id is taken, by whom, and since which change. */
const attributesOfTombstones: ReadonlySet<string> = new Set([
  ...['pk', 'sk', 'kind', 'name', 'accountId', 'accountSince', 'others', 'deleted', 'identity'],
  ...['revision', 'deletionRevision', 'version', 'tenantVersion', 'listVersion'],
  'tombstoneExpiresAt',
])

/** What a purge leaves of an item: the item itself if that only says that an id is taken. */
function remnantOf(item: Item): Item | undefined {
  // An account that is there was deleted since it was read.
  if (item.kind === 'account') return item
  if (item.deleted !== true)
    return item.kind === 'deployment' ? endedClaim(deployment, item) : undefined
  // The tombstone of an embed tenant also has definitions.
  const more = Object.keys(item).filter((name) => !attributesOfTombstones.has(name))
  if (more.length === 0) return item
  return { ...item, ...Object.fromEntries(more.map((name) => [name, undefined])) }
}

/** Removes items on condition that their owner is still deleted, and says how many. */
async function remove(
  { client, tables }: Storage,
  table: TableName,
  items: readonly Remains[],
  owner: Item,
) {
  const ConditionCheck = ifStillDeleted(tables.catalog, owner)
  const removals = items.map(({ item }) => ({
    Delete: { TableName: tables[table], Key: keyOf(item) },
  }))
  let removed = 0
  // A transaction takes 100 actions, and items of 4 MB in all. These are of one page of a scan,
  // which has 1 MB.
  // Stryker disable next-line EqualityOperator: It removes nothing once more.
  for (let from = 0; from < removals.length; from += 99) {
    const TransactItems = [{ ConditionCheck }, ...removals.slice(from, from + 99)]
    if (!(await conditionHeld(client.send(new TransactWriteCommand({ TransactItems }))))) break
    removed += TransactItems.length - 1
  }
  return removed
}

/** Puts what is left of an item, on condition that its owner is still deleted. */
async function replace(
  { client, tables }: Storage,
  table: TableName,
  { item, left }: Remains,
  owner: Item,
) {
  const Item = { ...left, version: newVersion() }
  const TransactItems = [
    { ConditionCheck: ifStillDeleted(tables.catalog, owner) },
    { Put: { TableName: tables[table], Item, ...ifUnchanged(item) } },
  ]
  return (await conditionHeld(client.send(new TransactWriteCommand({ TransactItems })))) ? 1 : 0
}

const ifStillDeleted = (TableName: string, owner: Item) => ({
  TableName,
  Key: keyOf(owner),
  ConditionExpression: 'deleted = :true',
  ExpressionAttributeValues: { ':true': true },
})
