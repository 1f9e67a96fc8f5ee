import { recentLookups, requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { listNotifications } from '@embed-access/core/notifications/list.ts'
import * as v from 'valibot'
import { endpoint } from './http/endpoint.ts'
import { NotificationFilters } from './http/notification-filters.ts'
import { pageIf } from './http/page.ts'
import { deploymentId, paging } from './http/parameters.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageOf } from './runtime/storage.ts'

export const operation = operations['list-notifications']

export const input = { path: v.object({ deploymentId }), query: v.intersect([v.object(paging), NotificationFilters]) }

export const create = (runtime: Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage'>) => {
  const recent = recentLookups(runtime.now)
  return endpoint(runtime, operation, {
    ...input,
    isRevoked,
    answer: ({ storage, principal, path, query }) =>
      pageIf(storage, requireReadableDeployment(storage, principal, path.deploymentId, recent), (reads) =>
        listNotifications(reads, { accountId: principal.accountId, ...path, ...query }),
      ),
  })
}

export const rehearsal = () => [rehearsed(operation, { pathParameters: { deploymentId: '0' } })]

export const handler = await onLambda(create, { storage: storageOf(operation) }, rehearsal)
