import { requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import type { DashboardFilter, RecipientFilter } from '@embed-access/core/notifications/filters.ts'
import { listNotifications } from '@embed-access/core/notifications/list.ts'
import { combination, withoutReplacedBytes } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { forLists, id, pageIf, paging, parameter, positive } from './http/list.ts'
import { operation } from './http/operation.ts'

const name = v.pipe(parameter, withoutReplacedBytes())

const Query = v.object({
  ...paging,
  dashboardId: v.optional(positive),
  dashboardPublicId: v.optional(name),
  recipientUserId: v.optional(positive),
  recipientEmail: v.optional(name),
  recipientEmbedTenantName: v.optional(name),
  recipientExternalId: v.optional(name),
})

type Query = v.InferOutput<typeof Query>

/**
 * What each parameter names, and how. A request names a dashboard in one way at most, and a
 * recipient too.
 */
const filters = [
  { parameter: 'dashboardId', names: 'dashboard', by: 'id' },
  { parameter: 'dashboardPublicId', names: 'dashboard', by: 'public id' },
  { parameter: 'recipientUserId', names: 'recipient', by: 'id' },
  { parameter: 'recipientEmail', names: 'recipient', by: 'email' },
  { parameter: 'recipientEmbedTenantName', names: 'recipient', by: 'embed user' },
  { parameter: 'recipientExternalId', names: 'recipient', by: 'embed user' },
] as const

/** Yields each parameter that excludes another or needs another, with what is wrong. */
function* wrongCombinations(query: Query): Generator<[keyof Query, string]> {
  const given = filters.filter(({ parameter }) => parameter in query)
  for (const { parameter, names, by } of given) {
    const others = given.filter((other) => other.names === names && other.by !== by)
    const together = others.map((other) => other.parameter).join(', ')
    if (others.length > 0) yield [parameter, `must not come together with ${together}`]
  }
  const hasTenant = 'recipientEmbedTenantName' in query
  const hasUser = 'recipientExternalId' in query
  if (hasTenant && !hasUser)
    yield ['recipientExternalId', 'is needed together with recipientEmbedTenantName']
  if (hasUser && !hasTenant)
    yield ['recipientEmbedTenantName', 'is needed together with recipientExternalId']
}

function dashboardIn({
  dashboardId: id,
  dashboardPublicId: publicId,
}: Query): DashboardFilter | undefined {
  if (id !== undefined) return { id }
  return publicId === undefined ? undefined : { publicId }
}

function recipientIn(query: Query): RecipientFilter | undefined {
  const { recipientEmbedTenantName: embedTenantName, recipientExternalId: externalId } = query
  if (query.recipientUserId !== undefined) return { userId: query.recipientUserId }
  if (query.recipientEmail !== undefined) return { email: query.recipientEmail }
  return embedTenantName === undefined || externalId === undefined
    ? undefined
    : { embedTenantName, externalId }
}

export const handler = await operation('list-notifications', {
  ...forLists,
  input: {
    path: v.object({ deploymentId: id }),
    query: v.pipe(Query, combination(wrongCombinations)),
  },
  answer: ({ storage, recent, principal, path, query }) =>
    pageIf(
      storage,
      requireReadableDeployment(storage, principal, path.deploymentId, recent),
      (reads) =>
        listNotifications(reads, {
          accountId: principal.accountId,
          ...path,
          dashboard: dashboardIn(query),
          recipient: recipientIn(query),
          first: query.first,
          after: query.after,
        }),
    ),
})
