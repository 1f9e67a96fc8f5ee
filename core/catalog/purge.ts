import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { type Item, type ItemKey, itemId, keyOf } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { ifUnchanged, put, read } from './conditional-put.ts'
import { itemsOf } from './export.ts'
import { tombstoneExpiry } from './kind.ts'
import { deploymentCache, ownerOf } from './owner.ts'
import { paced } from './pace.ts'

/** How far a purge is: items looked at, and removed. */
export type PurgeProgress = { readonly seen: number; readonly removed: number }

/** A transaction takes 100 actions. */
const removalsAtOnce = 99

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
  const accounts = new Map<string, Promise<Item | undefined>>()
  const deletedOwnerOf = deletedOwners(slowing, accounts)
  let seen = 0
  let removed = 0
  for await (const { table, items } of itemsOf(slowing)) {
    const doomed = new Map<string, { owner: ItemKey; items: Item[] }>()
    for (const item of items) {
      const owner = await deletedOwnerOf(item)
      if (!owner || isKept(item)) continue
      const ofOwner = doomed.get(itemId(owner)) ?? { owner, items: [] }
      ofOwner.items.push(item)
      doomed.set(itemId(owner), ofOwner)
    }
    for (const { owner, items } of doomed.values()) {
      for (let from = 0; from < items.length; from += removalsAtOnce) {
        removed += await remove(slowing, table, items.slice(from, from + removalsAtOnce), owner)
      }
    }
    seen += items.length
    advanced({ seen, removed })
  }
  for (const account of await Promise.all(accounts.values())) {
    // Unless the account has come back since it was read.
    if (account) await put(slowing, 'catalog', { ...account, ...tombstoneExpiry(now()) }, ifUnchanged(account))
  }
  return { seen, removed }
}

const isKept = ({ deleted, kind }: Item) => deleted === true || kind === 'deployment' || kind === 'account'

/**
 * Finds the deleted deployment or account that an item belonged to.
 * @param accounts takes each account that was asked for, with the tombstone that was read
 */
function deletedOwners(
  storage: Storage,
  accounts: Map<string, Promise<Item | undefined>>,
): (item: Item) => Promise<ItemKey | undefined> {
  const deploymentOf = deploymentCache(storage)

  async function readDeleted(key: ItemKey): Promise<Item | undefined> {
    const item = await read(storage, 'catalog', key)
    return item?.deleted === true ? item : undefined
  }
  function deletedAccount(id: string): Promise<Item | undefined> {
    const known = accounts.get(id) ?? readDeleted(accountKey(id))
    accounts.set(id, known)
    return known
  }
  return async (item) => {
    const owner = ownerOf(item)
    if (!owner) return undefined
    if ('accountId' in owner) return deletedAccount(owner.accountId)
    const deployment = await deploymentOf(owner.deploymentId)
    if (deployment?.deleted === true) return deploymentKey(owner.deploymentId)
    return deployment && deletedAccount(deployment.accountId as string)
  }
}

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
  const removals = items.map(({ pk, sk }) => ({
    Delete: { TableName: tables[table], Key: sk === undefined ? { pk } : { pk, sk } },
  }))
  const actions: TransactWriteCommandInput['TransactItems'] = [isDeleted, ...removals]
  try {
    await client.send(new TransactWriteCommand({ TransactItems: actions }))
    return items.length
  } catch (error) {
    if ((error as Error).name === 'TransactionCanceledException') return 0
    throw error
  }
}
