import { key, ownSortKey } from '../storage/keys.ts'
import type { DbtSyncStatus, DbtSyncTrigger } from './dbt-sync.ts'

export const syncKey = (deploymentId: number, syncJobId: string) => ({
  pk: key(deploymentId, 'dbtSync', syncJobId),
  sk: ownSortKey,
})

export type DbtSyncFilters = {
  readonly status?: DbtSyncStatus | undefined
  readonly trigger?: DbtSyncTrigger | undefined
}

/** The partition of a deployment's syncs with these values. Each combination of filters has an index of its own. */
export const syncPartition = (deploymentId: number, { status, trigger }: DbtSyncFilters): string =>
  key(deploymentId, 'dbtSyncs', ...[status, trigger].filter((value) => value !== undefined))
