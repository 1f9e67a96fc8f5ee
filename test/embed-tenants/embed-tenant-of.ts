import { definitionsIn, embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { type Item, isLive } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { itemAt } from '../support/database.ts'

/** The item of an embed tenant, as it is now. */
export const tenantItem = (storage: Storage, name: string, accountId = 'acme') =>
  itemAt(storage, 'catalog', embedTenantKey(accountId, name))

/** The embed tenant in an item, with its groups and definitions, unless it was deleted. */
export const embedTenantOf = (item: Item | undefined) =>
  isLive(item)
    ? { name: item.name, displayName: item.displayName, ...definitionsIn(item) }
    : undefined
