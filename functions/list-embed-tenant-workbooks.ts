import { requireEmbedTenant } from '@embed-access/core/embed-tenants/require-embed-tenant.ts'
import { lowerCase, oneOf } from '@embed-access/core/schema.ts'
import {
  accessSources,
  inclusions,
  listEmbedTenantWorkbooks,
} from '@embed-access/core/workbooks/list.ts'
import * as v from 'valibot'
import { forLists, id, onlyOnce, pageIf, paging, parameter } from './http/list.ts'
import { operation } from './http/operation.ts'

/** An empty value means null, the union of all sources. */
const accessSource = v.pipe(
  onlyOnce,
  v.transform((value) => value || undefined),
  v.optional(oneOf(accessSources)),
  v.metadata({ type: ['string', 'null'], enum: [...accessSources, null] }),
)

const include = v.pipe(
  parameter,
  oneOf(inclusions),
  v.transform((inclusion) => [inclusion]),
)

export const handler = await operation('list-embed-tenant-workbooks', {
  ...forLists,
  input: {
    path: v.object({
      deploymentId: id,
      embedTenantName: v.pipe(v.string(), v.transform(lowerCase)),
    }),
    query: v.object({
      ...paging,
      accessSource: v.optional(accessSource),
      include: v.optional(include),
    }),
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
