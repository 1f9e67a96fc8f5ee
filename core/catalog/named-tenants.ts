import { deploymentKey } from '../access/keys.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { batchGet, itemId } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { createUnlessThere, noteAwaited } from './dependents.ts'
import { isLive } from './record.ts'

/**
 * An embed tenant exists once a record has named it (decisions, "Embed-tenant workbooks"). A share or recipient names it
 * by deployment; before the deployment has arrived, its account is not known, and the name waits.
 */
export async function nameEmbedTenant(storage: Storage, deploymentId: number, name: string): Promise<void> {
  const at = deploymentKey(deploymentId)
  const deployment = (await batchGet(storage, [at], { consistent: true })).get(itemId(at))
  if (isLive(deployment)) return createEmbedTenant(storage, deployment.accountId as string, name)
  await noteAwaited(storage, { pk: at.pk, sk: key('embedTenant', name) })
  await noteAwaited(storage, at)
}

export const createEmbedTenant = (storage: Storage, accountId: string, name: string): Promise<void> =>
  createUnlessThere(storage, { ...embedTenantKey(accountId, name), name, groups: [], attributes: [] })
