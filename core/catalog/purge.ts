import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { itemsOf } from './export.ts'
import { read } from './item.ts'
import { deploymentsRead, ownerOf } from './owner.ts'
import { paced } from './pace.ts'

/** How far a purge is: items looked at, and removed. */
export type PurgeProgress = { readonly seen: number; readonly removed: number }

/** A transaction takes 100 actions. */
const removalsAtOnce = 99

/**
 * Removes what belonged to a deleted account or deployment, which nobody can see any more (catalog contract).
 * Tombstones stay until they expire, so that older changes bring nothing back. Deployments stay too, since they say to
 * which account their ids belong. It may be stopped at any time, and run again.
 * @param advanced is called after every page of items
 */
export async function purge(storage: Storage, advanced: (progress: PurgeProgress) => void): Promise<PurgeProgress> {
  const slowing = paced(storage)
  const deletedOwnerOf = deletedOwners(slowing)
  let seen = 0
  let removed = 0
  for await (const { table, items } of itemsOf(slowing)) {
    const doomed = new Map<string, { owner: ItemKey; items: Item[] }>()
    for (const item of items) {
      const owner = isKept(item) ? undefined : await deletedOwnerOf(item)
      if (!owner) continue
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
  return { seen, removed }
}

const isKept = ({ deleted, kind }: Item) => deleted === true || kind === 'deployment' || kind === 'account'

/** Finds the deleted deployment or account that an item belonged to, as its key. */
function deletedOwners(storage: Storage): (item: Item) => Promise<ItemKey | undefined> {
  const deploymentOf = deploymentsRead(storage)
  const accounts = new Map<string, Promise<ItemKey | undefined>>()

  async function readDeleted(key: ItemKey): Promise<ItemKey | undefined> {
    return (await read(storage, 'catalog', key))?.deleted === true ? key : undefined
  }
  function deletedAccount(id: string): Promise<ItemKey | undefined> {
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
      Key: owner,
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
