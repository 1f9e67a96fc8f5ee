import { recentLookups, requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { listNotifications } from '@embed-access/core/notifications/list.ts'
import * as v from 'valibot'
import { NotificationFilters } from './http/notification-filters.ts'
import { operation } from './http/operation.ts'
import { pageIf } from './http/page.ts'
import { deploymentId, paging } from './http/parameters.ts'
import { storage } from './runtime/storage.ts'

export const handler = await operation('list-notifications', {
  input: { path: v.object({ deploymentId }), query: v.intersect([v.object(paging), NotificationFilters]) },
  uses: { storage },
  isRevoked,
  recent: recentLookups,
  answer: ({ storage, recent, principal, path, query }) =>
    pageIf(storage, requireReadableDeployment(storage, principal, path.deploymentId, recent), (reads) =>
      listNotifications(reads, { accountId: principal.accountId, ...path, ...query }),
    ),
  warmUpRequest: { pathParameters: { deploymentId: '0' } },
})
