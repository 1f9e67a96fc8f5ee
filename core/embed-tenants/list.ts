import { batchGet } from '../storage/batch-get.ts'
import { isLive, itemId } from '../storage/item.ts'
import { listPage } from '../storage/list.ts'
import type { Page, PageRequest } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { embedTenantsOf } from './embed-tenant.ts'

type EmbedTenantList = PageRequest & {
  readonly accountId: string
  /** What names begin with, in lower case. */
  readonly search?: string | undefined
}

/**
 * Lists the embed tenants of an account by name: those that the other operations find too. The
 * index names them, and reads by key leave out those that were deleted meanwhile.
 * @throws Refusal `invalid_cursor`
 */
export function listEmbedTenants(storage: Storage, request: EmbedTenantList): Promise<Page> {
  const { accountId, search } = request
  const identity = ['embedTenants', accountId, search]
  const list = { index: 'byAccount', partition: embedTenantsOf(accountId), identity, search }
  return listPage(storage, list, request, async (items) => {
    const attributes = ['name', 'displayName', 'createdAt', 'deleted']
    const found = await batchGet(storage, items, { consistent: true, attributes })
    return items
      .map((item) => found.get(itemId(item)))
      .filter(isLive)
      .map(({ name, displayName = null, createdAt = null }) => ({
        position: String(name),
        json: JSON.stringify({ name, displayName, createdAt }),
      }))
  })
}
