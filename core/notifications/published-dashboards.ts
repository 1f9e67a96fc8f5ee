import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { publicDashboard } from './keys.ts'

/** Returns the ids of the dashboards that workbooks of the deployment publish under a public id, in order. */
export async function publishedDashboards(storage: Storage, deploymentId: number, publicId: string): Promise<number[]> {
  const partition = publicDashboard(deploymentId, publicId)
  const { items } = await queryIndex(storage, { index: 'byPublicId', partition })
  return [...new Set(items.map(({ dashboardId }) => dashboardId as number))].sort((a, b) => a - b)
}
