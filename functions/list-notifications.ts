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
type Way = readonly (keyof Query)[]

const embedUser: Way = ['recipientEmbedTenantName', 'recipientExternalId']

/** The ways to name a dashboard, and a recipient. A request names each in one way at most. */
const ways: readonly (readonly Way[])[] = [
  [['dashboardId'], ['dashboardPublicId']],
  [['recipientUserId'], ['recipientEmail'], embedUser],
]

/** Yields each parameter that excludes another or needs another, with what is wrong. */
function* wrongCombinations(query: Query): Generator<[keyof Query, string]> {
  const isGiven = (parameter: keyof Query) => parameter in query
  for (const given of ways.map((some) => some.map((way) => way.filter(isGiven)))) {
    for (const way of given) {
      const others = given.filter((other) => other !== way).flat()
      if (others.length === 0) continue
      for (const parameter of way)
        yield [parameter, `must not come together with ${others.join(', ')}`]
    }
  }
  const half = embedUser.find(isGiven)
  const missing = embedUser.find((parameter) => !isGiven(parameter))
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
    query: v.pipe(Query, combination(wrongCombinations)),
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
