import { definitionsIn } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { type Item, isLive } from '@embed-access/core/storage/item.ts'

/** The embed tenant in an item, with its groups and definitions, unless it was deleted. */
export const embedTenantOf = (item: Item | undefined) =>
  isLive(item)
    ? { name: item.name, displayName: item.displayName, ...definitionsIn(item) }
    : undefined
