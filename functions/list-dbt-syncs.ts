import { requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import { dbtSyncStatuses, dbtSyncTriggers } from '@embed-access/core/dbt-syncs/dbt-sync.ts'
import { listDbtSyncs } from '@embed-access/core/dbt-syncs/list.ts'
import { oneOf } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { forLists, id, pageIf, paging, parameter } from './http/list.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('list-dbt-syncs', {
  ...forLists,
  input: {
    path: v.object({ deploymentId: id }),
    query: v.object({
      ...paging,
      status: v.optional(v.pipe(parameter, oneOf(dbtSyncStatuses))),
      trigger: v.optional(v.pipe(parameter, oneOf(dbtSyncTriggers))),
    }),
  },
  answer: ({ storage, recent, principal, path, query }) =>
    pageIf(
      storage,
      requireReadableDeployment(storage, principal, path.deploymentId, recent),
      (reads) => listDbtSyncs(reads, { accountId: principal.accountId, ...path, ...query }),
    ),
})
