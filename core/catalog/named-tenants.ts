import { deploymentKey } from '../access/keys.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { ifUnchanged, newVersion, put, read } from '../storage/conditional-writes.ts'
import { key } from '../storage/keys.ts'
import { readAll } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { Writer } from './kind.ts'

/** The most names that a writer remembers. After that it forgets all of them. */
const maxRemembered = 100_000

/** Names an embed tenant, which a writer does once. */
export function nameEmbedTenant(
  { storage, named }: Writer,
  deploymentId: number,
  name: string,
): Promise<void> {
  const id = `${deploymentId} ${name}`
  const naming = named.get(id) ?? createOrNote(storage, deploymentId, name)
  // Stryker disable next-line EqualityOperator,ConditionalExpression,CallExpression: It remembers more or fewer names, and says the same.
  if (named.size >= maxRemembered) named.clear()
  named.set(id, naming)
  naming.catch(() => named.delete(id))
  return naming
}

/**
 * An embed tenant is there once a record has named it
 * (docs/specification.md#workbooks-of-an-embed-tenant). A share or recipient names it within a
 * deployment. Until the deployment has arrived, its account isn't known. So the name is noted in
 * the deployment's partition. Whoever notes it reads the deployment afterwards, and whoever writes
 * the deployment the names.
 */
async function createOrNote(storage: Storage, deploymentId: number, name: string): Promise<void> {
  const own = deploymentKey(deploymentId)
  // A deleted deployment still says to which account it belongs.
  const accountOf = async () =>
    (await read(storage, 'catalog', own))?.accountId as string | undefined
  let accountId = await accountOf()
  if (accountId === undefined) {
    await put(storage, 'catalog', { pk: own.pk, sk: key('embedTenant', name), name }, {})
    accountId = await accountOf()
  }
  if (accountId !== undefined) await createEmbedTenant(storage, accountId, name)
}

/** Creates the embed tenants that were named before their deployment arrived. */
export async function createNamedTenants(
  storage: Storage,
  accountId: string,
  deploymentId: number,
): Promise<void> {
  const names = await readAll(storage, deploymentKey(deploymentId).pk, key('embedTenant', ''))
  for (const { name } of names) await createEmbedTenant(storage, accountId, name as string)
}

/** A deleted tenant stays deleted: its newest change says so. */
export async function createEmbedTenant(
  storage: Storage,
  accountId: string,
  name: string,
): Promise<void> {
  const item = {
    ...embedTenantKey(accountId, name),
    kind: 'embedTenant',
    accountId,
    name,
    version: newVersion(),
  }
  await put(storage, 'catalog', item, ifUnchanged(undefined))
}
