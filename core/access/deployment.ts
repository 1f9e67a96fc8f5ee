import { Refusal } from '../refusal.ts'
import type { Item } from '../storage/batch-get.ts'
import { batchGet, itemId } from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { deploymentKey } from './keys.ts'
import type { Principal } from './principal.ts'

/**
 * Requires that the principal may read the deployment.
 * @throws Refusal `deployment_not_found`, also for a deployment of another account, so that nobody learns that it exists;
 * `deployment_forbidden`
 */
export async function requireReadableDeployment(storage: Storage, principal: Principal, id: number): Promise<void> {
  const key = deploymentKey(id)
  requireReadable(principal, id, (await batchGet(storage, [key])).get(itemId(key)))
}

/** Like {@link requireReadableDeployment}, for an item that was already read. */
export function requireReadable(principal: Principal, id: number, deployment: Item | undefined): void {
  if (deployment?.accountId !== principal.accountId || deployment.deleted === true) {
    throw new Refusal('deployment_not_found')
  }
  if (principal.deploymentIds !== 'all' && !principal.deploymentIds.includes(id)) {
    throw new Refusal('deployment_forbidden')
  }
}
