import { Refusal } from '../refusal.ts'
import { getOne, type RecentItemsOf } from '../storage/batch-get.ts'
import { type Item, isLive } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { deploymentKey } from './keys.ts'
import type { Principal } from './principal.ts'

/** Whether a deployment is there and belongs to the account. */
export const isOwn = (item: Item | undefined, accountId: string): boolean =>
  isLive(item) && item.accountId === accountId

/**
 * @throws Refusal `deployment_forbidden`, or `deployment_not_found`. The latter is also for a
 * deployment of another account, so that nobody learns that it exists
 */
export async function requireReadableDeployment(
  storage: Storage,
  principal: Principal,
  id: number,
  recent: RecentItemsOf,
): Promise<void> {
  const item = await getOne(storage, deploymentKey(id), { recent: recent(principal.accountId) })
  requireReadable(principal, id, item)
}

/** Like {@link requireReadableDeployment}, for an item that was already read. */
export function requireReadable(
  { accountId, deploymentIds }: Principal,
  id: number,
  item: Item | undefined,
): void {
  if (!isOwn(item, accountId)) {
    throw new Refusal('deployment_not_found', `There is no deployment ${id}.`)
  }
  if (deploymentIds !== 'all' && !deploymentIds.includes(id))
    throw new Refusal('deployment_forbidden')
}
