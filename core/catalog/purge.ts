import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { type Item, type ItemKey, keyOf } from '../storage/batch-get.ts'
import { partsOfKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { ifUnchanged, put } from './conditional-put.ts'
import { itemsOf } from './export.ts'
import { tombstoneExpiry } from './kind.ts'
import { itemCache, ownerOf } from './owner.ts'
import { paced } from './pace.ts'

/** How far a purge is: items looked at, and removed. */
export type PurgeProgress = { readonly seen: number; readonly removed: number }

/** A transaction takes 100 actions. */
const removalsAtOnce = 99

/** A deleted account or deployment, and how many items belonged to it. */
export type Remains = { readonly kind: 'account' | 'deployment'; readonly id: string; readonly count: number }

/**
 * What a purge would remove.
 * @param advanced is called after every page of items, with the count of items that were looked at
 */
export async function purgeable(storage: Storage, advanced: (seen: number) => void): Promise<Remains[]> {
  const counts = new Map<string, number>()
  for await (const { seen, doomed } of doomedItems(paced(storage), new Map())) {
    for (const [{ pk }, items] of doomed) counts.set(pk, (counts.get(pk) ?? 0) + items.length)
    advanced(seen)
  }
  return [...counts].map(([pk, count]) => {
    const [kind, id = ''] = partsOfKey(pk)
    return { kind: kind as Remains['kind'], id, count }
  })
}

/**
 * Removes what belonged to a deleted account or deployment, which nobody can see any more (catalog contract).
 * Tombstones stay until they expire, so that older changes bring nothing back. Those of accounts begin to expire with the
 * purge. Deployments stay, since they say to which account their ids belong. It may be stopped at any time, and run again.
 * @param advanced is called after every page of items
 * @param now gives milliseconds since the epoch
 */
export async function purge(
  storage: Storage,
  advanced: (progress: PurgeProgress) => void,
  now: () => number = Date.now,
): Promise<PurgeProgress> {
  const slowing = paced(storage)
  const accounts = new Map<string, Item>()
  let progress = { seen: 0, removed: 0 }
  for await (const { table, seen, doomed } of doomedItems(slowing, accounts)) {
    let { removed } = progress
    for (const [owner, items] of doomed) {
      for (let from = 0; from < items.length; from += removalsAtOnce) {
        const some = items.slice(from, from + removalsAtOnce).map(({ item }) => item)
        removed += await remove(slowing, table, some, owner)
      }
    }
    progress = { seen, removed }
    advanced(progress)
  }
  for (const account of accounts.values()) {
    // Unless the account has come back since it was read.
    await put(slowing, 'catalog', { ...account, ...tombstoneExpiry(now()) }, ifUnchanged(account))
  }
  return progress
}

/**
 * Each page of items: how many were looked at so far, and those to remove, by the deleted deployment or account that they
 * belonged to.
 * @param accounts takes the deleted accounts
 */
async function* doomedItems(storage: Storage, accounts: Map<string, Item>) {
  const readOnce = itemCache(storage)
  let seen = 0
  for await (const { table, items } of itemsOf(storage)) {
    const owned = await Array.fromAsync(items, async (item) => ({ item, owner: await deletedOwnerOf(item) }))
    const doomed = owned.flatMap(({ item, owner }) => (owner && !isKept(item) ? [{ item, owner }] : []))
    seen += items.length
    yield { table, seen, doomed: [...Map.groupBy(doomed, ({ owner }) => owner)] }
  }

  async function deletedOwnerOf(item: Item): Promise<Item | undefined> {
    const owner = ownerOf(item)
    if (!owner) return undefined
    const deployment = 'deploymentId' in owner ? await readOnce(deploymentKey(owner.deploymentId)) : undefined
    if (deployment?.deleted === true) return deployment
    const accountId = 'accountId' in owner ? owner.accountId : deployment?.accountId
    const account = accountId === undefined ? undefined : await readOnce(accountKey(accountId as string))
    if (account?.deleted !== true) return undefined
    accounts.set(account.pk, account)
    return account
  }
}

const isKept = ({ deleted, kind }: Item) =>
  deleted === true ||
  kind === 'deployment' ||
  // Stryker disable next-line ConditionalExpression,StringLiteral: Only a deletion between two reads makes a difference, and the transaction refuses it.
  kind === 'account'

/**
 * Removes items on condition that their owner is still deleted: it may have come back since it was read.
 * @returns how many were removed
 */
async function remove(
  { client, tables }: Storage,
  table: TableName,
  items: readonly Item[],
  owner: ItemKey,
): Promise<number> {
  const isDeleted = {
    ConditionCheck: {
      TableName: tables.catalog,
      Key: keyOf(owner),
      ConditionExpression: 'deleted = :true',
      ExpressionAttributeValues: { ':true': true },
    },
  }
  const removals = items.map((item) => ({ Delete: { TableName: tables[table], Key: keyOf(item) } }))
  const actions: TransactWriteCommandInput['TransactItems'] = [isDeleted, ...removals]
  try {
    await client.send(new TransactWriteCommand({ TransactItems: actions }))
    return items.length
  } catch (error) {
    if ((error as Error).name === 'TransactionCanceledException') return 0
    throw error
  }
}
