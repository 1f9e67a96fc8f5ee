import { parse } from '@embed-access/core/catalog/parse.ts'
import { corrected } from '@embed-access/core/catalog/recipient-lists.ts'
import { type Item, itemId } from '@embed-access/core/storage/batch-get.ts'
import { ownSortKey } from '@embed-access/core/storage/keys.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import { newVersion } from '@embed-access/core/storage/version.ts'

type Naming = {
  readonly grantee?: { readonly name?: string }
  readonly recipient?: { readonly embedTenantName?: string }
}

/**
 * The items that the catalog makes of changes. Only for things that arrive once, without revision.
 * @param changes a recipient comes in the same batch as its notification
 * @returns `others`: changes that are more than one item, and must be applied. `tenants`: those that shares and recipients name
 */
export function itemsOf(changes: readonly object[]) {
  const items = new Map<string, { readonly table: TableName; readonly item: Item }>()
  const others: object[] = []
  const tenants = new Set<string>()
  for (const change of changes) {
    const parsed = parse(change)
    if ('problems' in parsed) throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(parsed.problems)}`)
    const { kind, key, content } = parsed
    if (kind.write) {
      others.push(change)
      continue
    }
    const { grantee, recipient } = content as Naming
    const named = grantee?.name ?? recipient?.embedTenantName
    if (named !== undefined) tenants.add(named)
    const item = { ...key, kind: kind.name, ...content, version: newVersion() }
    const notification = items.get(itemId({ pk: key.pk, sk: ownSortKey }))?.item
    const whole = kind.name === 'recipient' ? (corrected(item, notification) ?? item) : item
    items.set(itemId(item), { table: kind.table, item: whole })
  }
  return { items: [...items.values()], others, tenants }
}
