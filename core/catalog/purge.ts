import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { conditionHeld, ifUnchanged, newVersion, put } from '../storage/conditional-writes.ts'
import { getItem } from '../storage/get-item.ts'
import { inGroups } from '../storage/in-groups.ts'
import { type Item, itemId, keyOf, type NewItem } from '../storage/item.ts'
import { partsOfKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { deployment } from './accounts.ts'
import { claimedTombstone, otherAccounts, withoutClaimsOf } from './claims.ts'
import { itemCache, itemsOf, ownerOf } from './export.ts'
import { tombstoneExpiry } from './kind.ts'
import { paced } from './pace.ts'

/** An item, its deleted account or deployment, and what a purge leaves of the item, if anything. */
type Purged = { readonly deleted: Item; readonly item: Item; readonly left: NewItem | undefined }

/** How many items of each deleted account or deployment a purge would remove. */
export async function purgeable(storage: Storage) {
  const counts = new Map<string, number>()
  for await (const { purged } of pagesOfPurge(paced(storage)))
    for (const [{ pk }, items] of purged) counts.set(pk, (counts.get(pk) ?? 0) + items.length)
  return [...counts].map(([pk, count]) => {
    const [kind, id] = partsOfKey(pk)
    return { kind, id: String(id), count }
  })
}

/**
 * Removes what belonged to a deleted account or deployment, which nobody can see any more
 * (docs/catalog.md). Only tombstones stay. They say that an id is taken:
 *
 *   of a deployment     for good. This tombstone names the account that has the id
 *   of an embed tenant  for good
 *   of an account       for 90 days from the purge
 *   of anything else    until the tombstone expires
 *
 * A thing that was not deleted itself gets no tombstone, so an older change would bring it back.
 * Only a deployment always gets one. You may stop a purge at any time, and run it again.
 * @param now gives milliseconds since the epoch
 */
export async function purge(storage: Storage, now: () => number) {
  const slowing = paced(storage)
  /** Deleted owners whose tombstone must stay for 90 days from now. */
  const owners = new Set<Item>()
  const counts = { removed: 0, left: 0 }
  for await (const page of pagesOfPurge(slowing)) {
    for (const owner of page.owners)
      if (page.purged.has(owner) || !owner.tombstoneExpiresAt) owners.add(owner)
    for (const [owner, items] of page.purged) {
      const count = await purgeItems(slowing, page.table, items, owner)
      counts.removed += count
      counts.left += items.length - count
    }
  }
  // While something is left for the next purge, its account's tombstone must not expire.
  if (counts.left > 0) return counts
  for (const account of [...owners].filter(({ kind }) => kind === 'account')) {
    // This writes nothing if the account has come back since it was read.
    await put(slowing, 'catalog', { ...account, ...tombstoneExpiry(now()) }, ifUnchanged(account))
  }
  return counts
}

/**
 * Yields for each page of the tables:
 * - `owners`: the deleted deployments and accounts that own items of the page, or claim them
 * - `purged`: the items to remove or to make smaller, by owner
 */
async function* pagesOfPurge(storage: Storage) {
  const readOnce = itemCache(storage)
  for await (const { table, items } of itemsOf(storage)) {
    const owners = new Set<Item>()
    const purged: Purged[] = []
    for (const item of items) {
      const owner = await deletedOwnerOf(item)
      // The owner's own item stays. The scan may have read that item while the owner was live.
      const isOwned = owner && itemId(owner) !== itemId(item)
      const claimants = await deletedAmong(otherAccounts(item))
      // The write checks that this one is still deleted.
      const deleted = isOwned ? owner : (claimants[0] ?? owner)
      if (!deleted) continue
      owners.add(deleted)
      const kept = isOwned ? remnantOf(item) : item
      const left = kept && withoutClaimsOf(kept, claimants.map(accountIdOf))
      if (left !== item) purged.push({ deleted, item, left })
    }
    yield { table, owners, purged: Map.groupBy(purged, ({ deleted }) => deleted) }
  }

  async function deletedOwnerOf(item: Item): Promise<Item | undefined> {
    const owner = ownerOf(item)
    const deployment =
      owner.deploymentId === undefined
        ? undefined
        : await readOnce(deploymentKey(owner.deploymentId))
    if (deployment?.deleted) return deployment
    const accountId = owner.accountId ?? deployment?.accountId
    return accountId === undefined ? undefined : (await deletedAmong([accountId]))[0]
  }

  async function deletedAmong(accountIds: readonly string[]): Promise<Item[]> {
    const accounts = await Promise.all(accountIds.map((id) => readOnce(accountKey(id))))
    return accounts.flatMap((account) => (account?.deleted ? [account] : []))
  }
}

const accountIdOf = ({ pk }: Item): string => String(partsOfKey(pk)[1])

/** The attributes of tombstones: they say that an id is taken, by whom, and since which change. */
const attributesOfTombstones: ReadonlySet<string> = new Set([
  'pk',
  'sk',
  'kind',
  'name',
  'accountId',
  'accountSince',
  'others',
  'deleted',
  'identity',
  'revision',
  'deletionRevision',
  'version',
  'tenantVersion',
  'listVersion',
  'tombstoneExpiresAt',
])

/** What a purge leaves of an item: the item itself if it only says that an id is taken. */
function remnantOf(item: Item): NewItem | undefined {
  if (!item.deleted)
    return item.kind === 'deployment' ? claimedTombstone(deployment, item) : undefined
  // The tombstone of an embed tenant also has definitions.
  const unneeded = Object.keys(item).filter((name) => !attributesOfTombstones.has(name))
  if (unneeded.length === 0) return item
  return { ...item, ...Object.fromEntries(unneeded.map((name) => [name, undefined])) }
}

/**
 * A transaction takes at most 100 actions and 4 MB. The items come from one page of a scan, which
 * has at most 1 MB. So only the number of actions counts.
 */
const itemsPerCall = 99

/**
 * Removes items or makes them smaller, on condition that their owner is still deleted. An item that
 * has changed since it was read stays for the next purge. Returns how many were purged.
 */
async function purgeItems(
  storage: Storage,
  table: TableName,
  items: readonly Purged[],
  owner: Item,
): Promise<number> {
  let count = 0
  for (const group of inGroups(items, itemsPerCall)) {
    if (await purgeTogether(storage, table, group, owner)) {
      count += group.length
      continue
    }
    if (!(await getItem(storage, 'catalog', keyOf(owner)))?.deleted) break
    for (const each of group) if (await purgeTogether(storage, table, [each], owner)) count += 1
  }
  return count
}

/** Purges these items in one transaction. Returns whether all of its conditions held. */
function purgeTogether(
  { client, tables }: Storage,
  table: TableName,
  items: readonly Purged[],
  owner: Item,
): Promise<boolean> {
  const TableName = tables[table]
  const writes = items.map(({ item, left }) =>
    left
      ? { Put: { TableName, Item: { ...left, version: newVersion() }, ...ifUnchanged(item) } }
      : { Delete: { TableName, Key: keyOf(item), ...ifUnchangedOrGone(item) } },
  )
  const ConditionCheck = {
    TableName: tables.catalog,
    Key: keyOf(owner),
    ConditionExpression: 'deleted = :true',
    ExpressionAttributeValues: { ':true': true },
  }
  const TransactItems = [{ ConditionCheck }, ...writes]
  return conditionHeld(client.send(new TransactWriteCommand({ TransactItems })))
}

/** Some items have no version: notes, counts, and the last uses of API keys. */
const ifUnchangedOrGone = ({ version }: Item) =>
  version === undefined
    ? { ConditionExpression: 'attribute_not_exists(version)' }
    : {
        ConditionExpression: 'attribute_not_exists(version) OR version = :read',
        ExpressionAttributeValues: { ':read': version },
      }
