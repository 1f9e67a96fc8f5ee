import { deploymentKey } from '../access/keys.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { key } from '../storage/keys.ts'
import { readAll } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { newVersion } from '../storage/version.ts'
import { ifUnchanged, put, read } from './conditional-put.ts'

/**
 * An embed tenant is there once a record has named it (docs/specification.md#workbooks-of-an-embed-tenant). A share or
 * recipient names it within a deployment. Until the deployment has arrived, its account isn't known, and the name is
 * noted in the deployment's partition:
 *
 *   share:       name noted, deployment read      whichever is first, the
 *   deployment:  deployment written, names read   other one sees it
 */
export async function nameEmbedTenant(storage: Storage, deploymentId: number, name: string): Promise<void> {
  const { pk } = deploymentKey(deploymentId)
  // Stryker disable next-line ConditionalExpression: It notes a name that it need not note.
  if (await createInDeployment(storage, deploymentId, name)) return
  await put(storage, 'catalog', { pk, sk: key(pendingTenantPrefix, name), name }, {})
  await createInDeployment(storage, deploymentId, name)
}

const pendingTenantPrefix = 'embedTenant'

/** @returns whether the deployment is known; a deleted one still says to which account it belongs */
async function createInDeployment(storage: Storage, deploymentId: number, name: string): Promise<boolean> {
  const deployment = await read(storage, 'catalog', deploymentKey(deploymentId))
  if (deployment?.accountId === undefined) return false
  await createEmbedTenant(storage, deployment.accountId as string, name)
  // Stryker disable next-line BooleanLiteral: It notes a name that it need not note.
  return true
}

/** Creates the embed tenants that were named before their deployment arrived. */
export async function createNamedTenants(storage: Storage, accountId: string, deploymentId: number): Promise<void> {
  const names = await readAll(storage, deploymentKey(deploymentId).pk, key(pendingTenantPrefix, ''))
  for (const { name } of names) await createEmbedTenant(storage, accountId, name as string)
}

/** A deleted tenant stays deleted: its newest change says so. */
export async function createEmbedTenant(storage: Storage, accountId: string, name: string): Promise<void> {
  const item = { ...embedTenantKey(accountId, name), kind: 'embedTenant', accountId, name, version: newVersion() }
  await put(storage, 'catalog', item, ifUnchanged(undefined))
}
