import { Refusal } from '../refusal.ts'
import { batchGet, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { embedTenantKey, embedTenantNamePattern, embedTenantOf } from './embed-tenant.ts'

/** @throws Refusal `embed_tenant_not_found` unless a record or a session of the account has named the tenant */
export async function requireEmbedTenant(storage: Storage, accountId: string, name: string): Promise<void> {
  const key = embedTenantKey(accountId, name)
  const known = embedTenantNamePattern.test(name) && embedTenantOf((await batchGet(storage, [key])).get(itemId(key)))
  if (!known) throw new Refusal('embed_tenant_not_found', 'There is no such embed tenant.')
}
