import { requireReadable } from '../access/deployment.ts'
import { deploymentKey } from '../access/keys.ts'
import type { Principal } from '../access/principal.ts'
import { Refusal } from '../refusal.ts'
import { batchGet, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { embedTenantKey, embedTenantNamePattern } from './embed-tenant.ts'

/**
 * Lets through who may read the deployment, and asks for an embed tenant of its account.
 * @throws Refusal as {@link requireReadable}; `embed_tenant_not_found` unless a record or a session of the account has
 * named the tenant
 */
export async function requireEmbedTenant(
  storage: Storage,
  principal: Principal,
  deploymentId: number,
  name: string,
): Promise<void> {
  const deployment = deploymentKey(deploymentId)
  const tenant = embedTenantNamePattern.test(name) ? [embedTenantKey(principal.accountId, name)] : []
  const read = await batchGet(storage, [deployment, ...tenant], { attributes: ['accountId', 'deleted'] })
  requireReadable(principal, deploymentId, read.get(itemId(deployment)))
  const isKnown = tenant.some((key) => read.has(itemId(key)) && read.get(itemId(key))?.deleted !== true)
  if (!isKnown) throw new Refusal('embed_tenant_not_found', 'There is no such embed tenant.')
}
