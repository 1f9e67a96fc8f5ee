import { pagesOf } from '../support/pages.ts'
import type { World } from '../support/service.ts'

/** The ids of the workbooks that tenant `north` can see, in order. */
export async function seenByNorth(service: World, deploymentId: number): Promise<number[]> {
  const pages = await pagesOf(
    service,
    `/api/v1/deployments/${deploymentId}/embed-tenants/north/workbooks`,
    {},
    50,
  )
  return pages.map(({ id }) => id as number).toSorted((a, b) => a - b)
}
