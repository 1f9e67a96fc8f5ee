import { parse } from '@embed-access/core/catalog/parse.ts'
import { corrected } from '@embed-access/core/catalog/recipient-lists.ts'
import { type Item, itemId } from '@embed-access/core/storage/batch-get.ts'
import { ownSortKey } from '@embed-access/core/storage/keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { newVersion } from '@embed-access/core/storage/version.ts'

/** An item, and the name of its table. */
export type NewItem = { readonly table: string; readonly item: Item }

export type Made = {
  readonly items: readonly NewItem[]
  /** Changes that are more than one item: they must be applied. */
  readonly others: readonly object[]
  /** The embed tenants that shares and recipients name. */
  readonly tenants: ReadonlySet<string>
}

/**
 * The items that the catalog makes of changes. Only for things that arrive once, without revision.
 * @param changes a recipient comes in the same batch as its notification
 */
export function itemsOf(tables: Storage['tables'], changes: readonly object[]): Made {
  const items = new Map<string, NewItem>()
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
    const named = tenantNamed(content as Naming)
    if (named !== undefined) tenants.add(named)
    const item = { ...key, kind: kind.name, ...content, version: newVersion() }
    const notification = items.get(itemId({ pk: key.pk, sk: ownSortKey }))?.item
    const whole = kind.name === 'recipient' ? (corrected(item, notification) ?? item) : item
    items.set(itemId(item), { table: tables[kind.table], item: whole })
  }
  return { items: [...items.values()], others, tenants }
}

type Naming = {
  readonly grantee?: { readonly name?: string }
  readonly recipient?: { readonly embedTenantName?: string }
}

const tenantNamed = ({ grantee, recipient }: Naming): string | undefined => grantee?.name ?? recipient?.embedTenantName
