import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { deploymentKey } from '../access/keys.ts'
import { getItem } from '../storage/get-item.ts'
import { type Item, type ItemKey, itemId, itemsFrom } from '../storage/item.ts'
import { partsOfKey } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { identityIn, ownLine } from './kind.ts'
import { kindOf } from './kinds.ts'

/**
 * The catalog as changes, deletions included, each as one line of JSON. The same tables give the
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

  async function accountOf(item: Item): Promise<string | undefined> {
    const { accountId, deploymentId } = ownerOf(item)
    return deploymentId === undefined
      ? accountId
      : (await readOnce(deploymentKey(deploymentId)))?.accountId
  }
}

/**
 * The items of the two tables that the catalog fills, page by page.
 * @throws Error like {@link refuseFirstVersion}
 */
export async function* itemsOf({ client, tables }: Storage) {
  for (const table of ['catalog', 'credentials'] as const) {
    const scan = { TableName: tables[table], ConsistentRead: true }
    for await (const { Items } of paginateScan({ client }, scan)) {
      const items = itemsFrom(Items)
      refuseFirstVersion(tables[table], items)
      yield { table, items }
    }
  }
}

/**
 * Version 1.0.0 stored no kind, and counted the writes of an item.
 * @throws Error with a plain sentence if one of the items of a table is of this version
 */
export function refuseFirstVersion(table: string, items: readonly Item[]): void {
  if (!items.some(({ kind, version }) => kind === undefined && typeof version === 'number')) return
  const what = `The table ${table} has items of version 1.0.0, which cannot be read.`
  throw new Error(`${what} Import the catalog of the platform into empty tables.`)
}

/** The changes in an item. An item of no kind has none. */
export function linesOf(item: Item): string[] {
  const kind = kindOf(item)
  if (!kind) return []
  return kind.lines?.(item, kind) ?? [ownLine(kind, item)]
}

/** The account or deployment of an item, by its partition key, or else by what the item names. */
export function ownerOf(item: Item): { deploymentId?: number; accountId?: string | undefined } {
  // Such as `deployment#1001`, `1001#folder#7` or `account#acme`.
  const [first, second] = partsOfKey(item.pk)
  const deploymentId = String(first === 'deployment' ? second : first)
  if (/^\d+$/.test(deploymentId)) return { deploymentId: Number(deploymentId) }
  if (first === 'account') return { accountId: second }
  return { accountId: item.accountId ?? (item.identity && identityIn(item).accountId) }
}

/** Reads each item of the catalog once. */
export function itemCache(storage: Storage): (key: ItemKey) => Promise<Item | undefined> {
  const known = new Map<string, Promise<Item | undefined>>()
  return (key) => {
    const item = known.get(itemId(key)) ?? getItem(storage, 'catalog', key)
    known.set(itemId(key), item)
    return item
  }
}
