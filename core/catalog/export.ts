import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { deploymentKey } from '../access/keys.ts'
import { type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import { read } from '../storage/conditional-writes.ts'
import { partsOfKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { ownLine } from './kind.ts'
import { kindOf } from './kinds.ts'

/**
 * The catalog as changes, each as one line of JSON, deletions included. The same tables give the
 * same lines.
 * @param accountId limits the lines to what belongs to this account
 */
export async function* exportCatalog(storage: Storage, accountId?: string): AsyncGenerator<string> {
  const readOnce = itemCache(storage)
  for await (const { items } of itemsOf(storage)) {
    for (const item of items) {
      if (accountId === undefined || (await accountOf(item)) === accountId) yield* linesOf(item)
    }
  }

  async function accountOf(item: Item): Promise<unknown> {
    const { accountId, deploymentId } = ownerOf(item)
    return deploymentId === undefined
      ? accountId
      : (await readOnce(deploymentKey(deploymentId)))?.accountId
  }
}

/** The items of the catalog's two tables, page by page. */
export async function* itemsOf({
  client,
  tables,
}: Storage): AsyncGenerator<{ table: TableName; items: Item[] }> {
  for (const table of ['catalog', 'credentials'] as const) {
    for await (const { Items } of paginateScan(
      { client },
      { TableName: tables[table], ConsistentRead: true },
    )) {
      yield { table, items: Items as Item[] }
    }
  }
}

export function linesOf(item: Item): string[] {
  const kind = kindOf(item)
  return kind ? (kind.lines?.(item, kind) ?? [ownLine(kind, item)]) : []
}

/**
 * The account or deployment of an item, by the beginning of its key, or else by what the item or
 * its tombstone names.
 */
export function ownerOf({ pk, accountId, identity }: Item) {
  const [first, second] = partsOfKey(pk) as [string, string]
  const deploymentId = first === 'deployment' ? second : first
  if (/^\d+$/.test(deploymentId)) return { deploymentId: Number(deploymentId) }
  if (first === 'account') return { accountId: second }
  return {
    accountId: (accountId ?? (identity && JSON.parse(identity as string).accountId)) as
      | string
      | undefined,
  }
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
