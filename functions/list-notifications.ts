import { requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import type { DashboardFilter, RecipientFilter } from '@embed-access/core/notifications/filters.ts'
import { listNotifications } from '@embed-access/core/notifications/list.ts'
import { combination } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { forLists, id, pageIf, paging, parameter, positive } from './http/list.ts'
import { operation } from './http/operation.ts'

const Query = v.object({
  ...paging,
  dashboardId: v.optional(positive),
  dashboardPublicId: v.optional(parameter),
  recipientUserId: v.optional(positive),
  recipientEmail: v.optional(parameter),
  recipientEmbedTenantName: v.optional(parameter),
  recipientExternalId: v.optional(parameter),
})

type Query = v.InferOutput<typeof Query>
type Name = keyof Query

const embedUser: readonly Name[] = ['recipientEmbedTenantName', 'recipientExternalId']

/**
 * The ways to name a dashboard, and those to name a recipient. A request uses at most one of each.
 */
const dimensions: readonly (readonly (readonly Name[])[])[] = [
  [['dashboardId'], ['dashboardPublicId']],
  [['recipientUserId'], ['recipientEmail'], embedUser],
]

/** Yields each parameter that excludes another or lacks its other half, with what is wrong. */
function* problemsOfCombination(query: Query): Generator<[Name, string]> {
  for (const ways of dimensions) {
    const given = ways
      .map((names) => names.filter((name) => name in query))
      .filter((names) => names.length > 0)
    if (given.length < 2) continue
    for (const way of given) {
      const others = given.filter((each) => each !== way).flat()
      for (const name of way) yield [name, `must not come together with ${others.join(', ')}`]
    }
  }
  const [half, missing] = [true, false].map((isGiven) =>
    embedUser.find((name) => name in query === isGiven),
  )
  if (half && missing) yield [missing, `is needed together with ${half}`]
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
    query: v.pipe(Query, combination(problemsOfCombination)),
  },
  answer: ({ storage, recent, principal, path, query }) =>
    pageIf(
      storage,
      requireReadableDeployment(storage, principal, path.deploymentId, recent),
      (reads) => {
        const filters = { dashboard: dashboardIn(query), recipient: recipientIn(query) }
        const { first, after } = query
        return listNotifications(reads, {
          accountId: principal.accountId,
          ...path,
          ...filters,
          first,
          after,
        })
      },
    ),
})
