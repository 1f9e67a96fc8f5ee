import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { requireEmbedTenant } from '@embed-access/core/embed-tenants/require-embed-tenant.ts'
import { lowerCase, oneOf } from '@embed-access/core/schema.ts'
import { accessSources, inclusions, listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import * as v from 'valibot'
import { endpoint } from './http/endpoint.ts'
import { pageIf } from './http/page.ts'
import { deploymentId, onlyOnce, paging, parameter } from './http/parameters.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageOf } from './runtime/storage.ts'

/** Null, which is an empty value in a query, means the union of all sources. */
const accessSource = v.pipe(
  onlyOnce,
  v.metadata({ type: ['string', 'null'], enum: [...accessSources, null] }),
  v.transform((value) => value || undefined),
  v.optional(oneOf(accessSources)),
)

const include = v.pipe(
  parameter,
  oneOf(inclusions),
  v.transform((inclusion) => [inclusion]),
)

export const operation = operations['list-embed-tenant-workbooks']

export const input = {
  path: v.object({ deploymentId, embedTenantName: v.pipe(v.string(), v.transform(lowerCase)) }),
  query: v.object({ ...paging, accessSource: v.optional(accessSource), include: v.optional(include) }),
}

export const create = (runtime: Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage'>) => {
  const recent = recentLookups(runtime.now)
  return endpoint(runtime, operation, {
    ...input,
    isRevoked,
    answer: ({ storage, principal, path, query }) =>
      pageIf(
        storage,
        requireEmbedTenant(storage, principal, path.deploymentId, path.embedTenantName, recent),
        (reads) => listEmbedTenantWorkbooks(reads, { accountId: principal.accountId, ...path, ...query }),
      ),
  })
}

export const rehearsal = () => [
  rehearsed(operation, { pathParameters: { deploymentId: '0', embedTenantName: 'rehearsal' } }),
]

export const handler = await onLambda(create, { storage: storageOf(operation) }, rehearsal)
