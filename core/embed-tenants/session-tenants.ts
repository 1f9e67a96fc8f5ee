import { accountKey } from '../access/keys.ts'
import { Refusal } from '../refusal.ts'
import { batchGet } from '../storage/batch-get.ts'
import { itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { definitionsKey } from './embed-tenant.ts'
import { narrowUpdate } from './narrow-update.ts'

/**
 * The most embed tenants of an account that sessions have named, unless the account says otherwise
 * (docs/decisions/03-embed-tenants.md).
 */
const defaultMaxEmbedTenants = 10_000

/** The attribute that marks a tenant first named by a session. Its deletion removes the mark. */
export const namedBySession = 'namedBySession'

/** The item with the number of these tenants of an account. */
const countKey = (accountId: string) => ({
  ...definitionsKey(accountId, undefined),
  sk: 'namedBySessions',
})

/**
 * Checks that the account has room for one more of these tenants. Returns the update that counts
 * it, for the transaction that names the tenant.
 * @throws Refusal `too_many_embed_tenants`
 */
export async function requireRoomForOneMore(storage: Storage, accountId: string) {
  const keys = { account: accountKey(accountId), count: countKey(accountId) }
  const items = await batchGet(storage, Object.values(keys), { consistent: true })
  const limit = Number(items.get(itemId(keys.account))?.maxEmbedTenants ?? defaultMaxEmbedTenants)
  if (Number(items.get(itemId(keys.count))?.count ?? 0) >= limit) {
    const message = `The limit of the account is ${limit} embed tenants that sessions have named.`
    const error = 'names no existing embed tenant, and would be one too many'
    throw new Refusal('too_many_embed_tenants', message, [
      { pointer: '/embedTenantName', message: error },
    ])
  }
  return updateOfCount(storage.tables.catalog, accountId, 1, limit)
}

/** The update that counts one tenant less, in the transaction that deletes the tenant. */
export const countingOneLess = (catalogTable: string, accountId: string) =>
  updateOfCount(catalogTable, accountId, -1, 0)

/** The item names its account, for a purge. */
const updateOfCount = (catalogTable: string, accountId: string, by: number, limit: number) => ({
  Update: narrowUpdate(catalogTable, countKey(accountId), {
    set: { accountId },
    expected: {},
    add: { attribute: 'count', by, limit },
  }),
})
