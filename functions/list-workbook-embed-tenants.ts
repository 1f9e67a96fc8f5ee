import { requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import { listWorkbookEmbedTenants } from '@embed-access/core/embed-access/list.ts'
import { requireEmbedTenant } from '@embed-access/core/embed-tenants/require-embed-tenant.ts'
import { lowerCase } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { forLists, id, pageIf, paging, parameter } from './http/list.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('list-workbook-embed-tenants', {
  ...forLists,
  input: {
    path: v.object({ deploymentId: id, workbookId: id }),
    query: v.object({
      ...paging,
      embedTenantName: v.optional(v.pipe(parameter, v.transform(lowerCase))),
    }),
  },
  answer: ({ storage, recent, principal, path, query }) => {
    const { deploymentId } = path
    const condition =
      query.embedTenantName === undefined
        ? requireReadableDeployment(storage, principal, deploymentId, recent)
        : requireEmbedTenant(storage, principal, deploymentId, query.embedTenantName, recent)
    return pageIf(storage, condition, (reads) =>
      listWorkbookEmbedTenants(reads, { accountId: principal.accountId, ...path, ...query }),
    )
  },
})
