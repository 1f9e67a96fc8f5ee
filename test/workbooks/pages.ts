import { pagesOf } from '../support/pages.ts'
import type { World } from '../support/service.ts'
import type { Source } from './model.ts'

type Listed = { readonly id: number; readonly folderPath: readonly { readonly id: number }[] }

/** All pages of the workbooks that a tenant can see. */
export async function allPages(service: World, deploymentId: number, tenant: string, source: Source, first: number) {
  const path = `/api/v1/deployments/${deploymentId}/embed-tenants/${tenant}/workbooks`
  return (await pagesOf(service, path, { accessSource: source ?? '' }, first)) as Listed[]
}
