import { requireEmbedTenant } from '@embed-access/core/embed-tenants/require-embed-tenant.ts'
import { lowerCase } from '@embed-access/core/schema.ts'
import { listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import * as v from 'valibot'
import { forLists, id, pageIf } from './http/list.ts'
import { operation } from './http/operation.ts'
import { workbookFilters } from './http/workbook-filters.ts'

export const handler = await operation('list-embed-tenant-workbooks', {
  ...forLists,
  input: {
    path: v.object({
      deploymentId: id,
      embedTenantName: v.pipe(v.string(), v.transform(lowerCase)),
    }),
    query: workbookFilters,
  },
  answer: ({ storage, recent, principal, path, query }) =>
    pageIf(
      storage,
      requireEmbedTenant(storage, principal, path.deploymentId, path.embedTenantName, recent),
      (reads) =>
        listEmbedTenantWorkbooks(reads, { accountId: principal.accountId, ...path, ...query }),
    ),
  warmUpRequest: { pathParameters: { deploymentId: '0', embedTenantName: 'warm-up' } },
})
