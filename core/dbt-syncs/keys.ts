import { key, ownSortKey } from '../storage/keys.ts'
import type { DbtSyncStatus, DbtSyncTrigger } from './dbt-sync.ts'

export const syncKey = (deploymentId: number, syncJobId: string) => ({
  pk: key(deploymentId, 'dbtSync', syncJobId),
  sk: ownSortKey,
})

/** The partitions of the indexes that list a deployment's syncs: all, by status, by trigger, by both. */
export const syncLists = (deploymentId: number) => ({
  all: key(deploymentId, 'dbtSyncs'),
  byStatus: (status: DbtSyncStatus) => key(deploymentId, 'dbtSyncs', status),
  byTrigger: (trigger: DbtSyncTrigger) => key(deploymentId, 'dbtSyncs', trigger),
  byStatusAndTrigger: (status: DbtSyncStatus, trigger: DbtSyncTrigger) =>
    key(deploymentId, 'dbtSyncs', status, trigger),
})
