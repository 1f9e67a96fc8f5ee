import { isUnlimitedAdmin, type Principal } from '../access/principal.ts'
import { embedTenantKey, embedTenantsOf } from '../embed-tenants/embed-tenant.ts'
import { nearest } from '../nearest.ts'
import { getOne } from '../storage/batch-get.ts'
import { isLive } from '../storage/item.ts'
import { namedLike, queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'

/** Comparing names takes time, and reading them units. */
const mostOfARange = 500

/**
 * The embed tenant that was probably meant, if there is one: among the first of the account, and
 * those that begin with the same two letters. Only a caller who may list all tenants learns of one
 * here.
 */
export async function similarEmbedTenants(
  storage: Storage,
  principal: Principal,
  name: string,
): Promise<string[]> {
  if (!isUnlimitedAdmin(principal)) return []
  const { accountId } = principal
  const ranges = [{}, namedLike(name.slice(0, 2))].map((range) =>
    queryIndex(
      storage,
      { index: 'byAccount', partition: embedTenantsOf(accountId), ...range },
      mostOfARange,
    ),
  )
  const items = (await Promise.all(ranges)).flatMap(({ items }) => items)
  const meant = nearest(
    name,
    items.map(({ order }) => String(order)),
  )
  if (meant === undefined) return []
  const tenant = await getOne(storage, embedTenantKey(accountId, meant), { consistent: true })
  return isLive(tenant) ? [meant] : []
}
