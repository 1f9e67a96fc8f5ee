import { key, ownKey } from '../storage/keys.ts'
import { listPage } from '../storage/list.ts'
import type { Page, PageRequest } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'

export const syncKey = (deploymentId: number, syncJobId: string) =>
  ownKey(deploymentId, 'dbtSync', syncJobId)

type DbtSyncFilters = {
  readonly status?: string | undefined
  readonly trigger?: string | undefined
}

/** The partition with a deployment's syncs of these values. Each combination has an index. */
export const syncPartition = (deploymentId: number, { status, trigger }: DbtSyncFilters): string =>
  key(deploymentId, 'dbtSyncs', ...[status, trigger].filter((value) => value !== undefined))

type DbtSyncList = PageRequest &
  DbtSyncFilters & { readonly accountId: string; readonly deploymentId: number }

/**
 * Lists the dbt syncs of a deployment, newest start first (docs/specification.md#dbt-syncs). Their
 * attribute `order` sorts equal starts by id (`core/catalog/listed.ts`).
 * @throws Refusal `invalid_cursor`
 */
export function listDbtSyncs(storage: Storage, request: DbtSyncList): Promise<Page> {
  const { accountId, deploymentId, status, trigger } = request
  const identity = ['dbtSyncs', accountId, deploymentId, status, trigger]
  const partition = syncPartition(deploymentId, request)
  return listPage(storage, { index: indexFor(request), partition, identity }, request)
}

function indexFor({ status, trigger }: DbtSyncFilters): string {
  if (status) return trigger ? 'byStatusAndTrigger' : 'byStatus'
  return trigger ? 'byTrigger' : 'byDeployment'
}
