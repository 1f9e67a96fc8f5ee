import { requireReadable } from '../access/deployment.ts'
import { deploymentKey } from '../access/keys.ts'
import type { Principal } from '../access/principal.ts'
import { Refusal } from '../refusal.ts'
import { batchGet, type RecentItemsOf } from '../storage/batch-get.ts'
import { isLive, itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { embedTenantKey } from './embed-tenant.ts'
import { embedTenantNamePattern, nameRule } from './names.ts'

/** The name may have any length and any characters, so only a well-formed one is repeated. */
const unknownTenant = (name: string) =>
  new Refusal(
    'embed_tenant_not_found',
    embedTenantNamePattern.test(name)
      ? `There is no embed tenant ${name}.`
      : `There is no such embed tenant: its name ${nameRule}.`,
  )

/**
 * @param name in lower case
 * @throws Refusal like {@link requireReadable}; `embed_tenant_not_found` if the tenant was deleted,
 * or nothing in the account has named it
 */
export async function requireEmbedTenant(
  storage: Storage,
  principal: Principal,
  deploymentId: number,
  name: string,
  recent: RecentItemsOf,
): Promise<void> {
  const deployment = deploymentKey(deploymentId)
  const tenant = embedTenantKey(principal.accountId, name)
  // Another name may be too long for a key.
  const keys = embedTenantNamePattern.test(name) ? [deployment, tenant] : [deployment]
  const read = await batchGet(storage, keys, {
    attributes: ['accountId', 'deleted'],
    recent: recent(principal.accountId),
  })
  requireReadable(principal, deploymentId, read.get(itemId(deployment)))
  if (!isLive(read.get(itemId(tenant)))) throw unknownTenant(name)
}
