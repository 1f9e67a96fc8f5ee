import { batchGet, keysPerCall } from '../storage/batch-get.ts'
import type { Item } from '../storage/item.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { publicIdPartition } from './keys.ts'

/**
 * The dashboards that workbooks of a deployment publish under a public id. `found`: their ids by an
 * index, which may be out of date. `byKey` reads the workbooks.
 */
export async function publishedDashboards(
  storage: Storage,
  deploymentId: number,
  publicId: string,
) {
  const partition = publicIdPartition(deploymentId, publicId)
  const { items } = await queryIndex(storage, { index: 'byPublicId', partition }, keysPerCall)
  return {
    found: dashboardIds(items),
    async byKey() {
      const how = { consistent: true, attributes: ['publicId', 'dashboardId'] }
      const workbooks = [...(await batchGet(storage, items, how)).values()]
      return dashboardIds(workbooks.filter((each) => each.publicId === partition))
    },
  }
}

/** In order, each once. */
const dashboardIds = (workbooks: readonly Item[]): number[] =>
  [...new Set(workbooks.map(({ dashboardId }) => Number(dashboardId)))].sort((a, b) => a - b)
