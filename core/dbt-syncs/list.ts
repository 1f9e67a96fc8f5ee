import { listPage } from '../storage/list.ts'
import type { Page, PageRequest } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import type { DbtSyncStatus, DbtSyncTrigger } from './dbt-sync.ts'
import { syncLists } from './keys.ts'

export type DbtSyncList = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  readonly status?: DbtSyncStatus | undefined
  readonly trigger?: DbtSyncTrigger | undefined
}

/**
 * Lists the dbt syncs of a deployment, newest start first (docs/specification.md#dbt-syncs). Each combination of
 * filters has an index of its own.
 * @throws Refusal `invalid_cursor`
 * @example const { items } = await listDbtSyncs(storage, { accountId: 'acme', deploymentId: 1, status: 'FAILED', first: 50 })
 */
export function listDbtSyncs(storage: Storage, request: DbtSyncList): Promise<Page> {
  const { accountId, deploymentId, status, trigger } = request
  const identity = ['dbtSyncs', accountId, deploymentId, status ?? null, trigger ?? null]
  return listPage(storage, { ...listFor(deploymentId, status, trigger), identity }, request)
}

function listFor(deploymentId: number, status: DbtSyncStatus | undefined, trigger: DbtSyncTrigger | undefined) {
  const lists = syncLists(deploymentId)
  if (status && trigger) return { index: 'byStatusAndTrigger', partition: lists.byStatusAndTrigger(status, trigger) }
  if (status) return { index: 'byStatus', partition: lists.byStatus(status) }
  if (trigger) return { index: 'byTrigger', partition: lists.byTrigger(trigger) }
  return { index: 'byDeployment', partition: lists.all }
}
