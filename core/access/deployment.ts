import { Refusal } from '../refusal.ts'
import { batchGet, type Item, isLive, itemId, keyOf } from '../storage/batch-get.ts'
import { ownSortKey, partsOfKey } from '../storage/keys.ts'
import { type RecentItemsOf, recentItems } from '../storage/recent-items.ts'
import type { Storage } from '../storage/storage.ts'
import { accountKey, deploymentKey } from './keys.ts'
import type { Principal } from './principal.ts'

/** How long an instance goes by what it read of a deployment, an account or a group, in milliseconds. */
const maxAge = 5000

/**
 * Keeps the deployments, accounts and groups of accounts that an instance has read, and of these only what lets a request
 * pass (docs/decisions/17-five-seconds.md).
 * @param now gives milliseconds since the epoch
 */
export const recentLookups = (now: () => number): RecentItemsOf => recentItems(cacheablePart, maxAge, now)

function cacheablePart(item: Item, accountId: string): Item | undefined {
  const { pk, sk, embeddingEnabled, onlyAdminsMint } = item
  if (!isLive(item)) return undefined
  if (pk === accountKey(accountId).pk) {
    const isOpen = sk !== ownSortKey || embeddingEnabled === true
    return isOpen ? { ...keyOf(item), embeddingEnabled, onlyAdminsMint } : undefined
  }
  const isOwnDeployment = partsOfKey(pk)[0] === 'deployment' && item.accountId === accountId
  return isOwnDeployment ? { ...keyOf(item), accountId } : undefined
}

/**
 * Requires that the principal may read the deployment.
 * @param recent of {@link recentLookups}
 * @throws Refusal `deployment_not_found`, also for a deployment of another account, so that nobody learns that it exists;
 * `deployment_forbidden`
 */
export async function requireReadableDeployment(
  storage: Storage,
  principal: Principal,
  id: number,
  recent: RecentItemsOf,
): Promise<void> {
  const key = deploymentKey(id)
  const items = await batchGet(storage, [key], { recent: recent(principal.accountId) })
  requireReadable(principal, id, items.get(itemId(key)))
}

/** Like {@link requireReadableDeployment}, for an item that was already read. */
export function requireReadable(principal: Principal, id: number, deployment: Item | undefined): void {
  if (!isLive(deployment) || deployment.accountId !== principal.accountId) {
    throw new Refusal('deployment_not_found')
  }
  if (principal.deploymentIds !== 'all' && !principal.deploymentIds.includes(id)) {
    throw new Refusal('deployment_forbidden')
  }
}
