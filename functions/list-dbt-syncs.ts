import { recentLookups, requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { dbtSyncStatuses, dbtSyncTriggers } from '@embed-access/core/dbt-syncs/dbt-sync.ts'
import { listDbtSyncs } from '@embed-access/core/dbt-syncs/list.ts'
import { oneOf } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { endpoint } from './http/endpoint.ts'
import { pageIf } from './http/page.ts'
import { deploymentId, paging, parameter } from './http/parameters.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageOf } from './runtime/storage.ts'

export const operation = operations['list-dbt-syncs']

export const input = {
  path: v.object({ deploymentId }),
  query: v.object({
    ...paging,
    status: v.optional(v.pipe(parameter, oneOf(dbtSyncStatuses))),
    trigger: v.optional(v.pipe(parameter, oneOf(dbtSyncTriggers))),
  }),
}

export const create = (runtime: Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage'>) => {
  const recent = recentLookups(runtime.now)
  return endpoint(runtime, operation, {
    ...input,
    isRevoked,
    answer: ({ storage, principal, path, query }) =>
      pageIf(storage, requireReadableDeployment(storage, principal, path.deploymentId, recent), (reads) =>
        listDbtSyncs(reads, { accountId: principal.accountId, ...path, ...query }),
      ),
  })
}

export const rehearsal = () => [rehearsed(operation, { pathParameters: { deploymentId: '0' } })]

export const handler = await onLambda(create, { storage: storageOf(operation) }, rehearsal)
