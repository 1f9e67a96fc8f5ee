import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { deploymentKey } from '../access/keys.ts'
import type { Item } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import type { TableName } from '../storage/tables.ts'
import { ownLine } from './kind.ts'
import { kindOf } from './kinds.ts'
import { itemCache, ownerOf } from './owner.ts'

/**
 * The catalog as changes, each as one line of JSON, deletions included. The same tables give the same lines.
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
    return deploymentId === undefined ? accountId : (await readOnce(deploymentKey(deploymentId)))?.accountId
  }
}

/** The items of the catalog's two tables, page by page. */
export async function* itemsOf({ client, tables }: Storage): AsyncGenerator<{ table: TableName; items: Item[] }> {
  for (const table of ['catalog', 'credentials'] as const) {
    // Stryker disable next-line ArrayDeclaration: The default of what is always there.
    for await (const { Items = [] } of paginateScan({ client }, { TableName: tables[table], ConsistentRead: true })) {
      yield { table, items: Items as Item[] }
    }
  }
}

/** An item of no kind only helps others, such as the time when an API key was last used. */
export function linesOf(item: Item): string[] {
  const kind = kindOf(item)
  if (!kind) return []
  return kind.lines?.(item, kind) ?? [ownLine(kind, item)]
}
