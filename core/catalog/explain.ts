import { accountKey, deploymentKey } from '../access/keys.ts'
import { explainAccess, stateOf } from '../embed-access/explain.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { getItem } from '../storage/get-item.ts'
import type { ItemKey } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { workbookKey } from '../workbooks/keys.ts'
import { itemsOf } from './export.ts'

/**
 * Explains why an embed tenant sees a workbook or does not. It checks no permission. If one of
 * the things is not there, there is no path. If the deployment was never there, nobody knows its
 * account. Then `things` has no account and no embed tenant.
 * @param tenant in lower case
 */
export async function explainInCatalog(
  storage: Storage,
  deploymentId: number,
  tenant: string,
  workbookId: number,
) {
  const deployment = await getItem(storage, 'catalog', deploymentKey(deploymentId))
  const accountId = deployment?.accountId
  const at = async (key: ItemKey) => stateOf(await getItem(storage, 'catalog', key))
  const ofAccount = async (id: string) =>
    [
      { type: 'account', id, state: await at(accountKey(id)) },
      { type: 'embedTenant', id: tenant, state: await at(embedTenantKey(id, tenant)) },
    ] as const
  const things = [
    { type: 'deployment', id: deploymentId, state: stateOf(deployment) },
    ...(accountId === undefined ? [] : await ofAccount(accountId)),
    { type: 'workbook', id: workbookId, state: await at(workbookKey(deploymentId, workbookId)) },
  ] as const
  const isComplete = things.every(({ state }) => state === 'there')
  const explained = isComplete
    ? await explainAccess(storage, deploymentId, workbookId, tenant)
    : undefined
  return { ...(explained?.explanation ?? { isSeen: false, path: [], end: null }), things }
}

export type CatalogExplanation = Awaited<ReturnType<typeof explainInCatalog>>

/** The deployments that have a workbook of this id. This reads both tables whole. */
export async function deploymentsWith(storage: Storage, workbookId: number): Promise<number[]> {
  const found: number[] = []
  for await (const { items } of itemsOf(storage)) {
    for (const { kind, id, deploymentId } of items)
      if (kind === 'workbook' && id === workbookId) found.push(Number(deploymentId))
  }
  return found
}
