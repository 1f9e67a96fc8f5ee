import type { DashboardFilter, RecipientFilter } from '@embed-access/core/notifications/filters.ts'
import { combination } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { parameter, positive } from './parameters.ts'

const Identifiers = v.object({
  dashboardId: v.optional(positive),
  dashboardPublicId: v.optional(parameter),
  recipientUserId: v.optional(positive),
  recipientEmail: v.optional(parameter),
  recipientEmbedTenantName: v.optional(parameter),
  recipientExternalId: v.optional(parameter),
})

type Identifiers = v.InferOutput<typeof Identifiers>
type Name = keyof Identifiers

const embedUser: readonly Name[] = ['recipientEmbedTenantName', 'recipientExternalId']

/** The ways to name a dashboard, and those to name a recipient. A request uses at most one of each. */
const dimensions: readonly (readonly (readonly Name[])[])[] = [
  [['dashboardId'], ['dashboardPublicId']],
  [['recipientUserId'], ['recipientEmail'], embedUser],
]

/** Yields each parameter that excludes another or lacks its other half, with what is wrong. */
function* problemsOfCombination(query: Readonly<Record<string, unknown>>): Generator<[Name, string]> {
  for (const ways of dimensions) {
    const given = ways.map((names) => names.filter((name) => name in query)).filter((names) => names.length > 0)
    if (given.length < 2) continue
    for (const way of given) {
      const others = given.filter((each) => each !== way).flat()
      for (const name of way) yield [name, `must not come together with ${others.join(', ')}`]
    }
  }
  const [half, missing] = [true, false].map((isGiven) => embedUser.find((name) => name in query === isGiven))
  if (half && missing) yield [missing, `is needed together with ${half}`]
}

/** Looks only at which parameters are given, so it finds mistakes even if values are wrong too. */
const Combination = v.pipe(
  v.looseObject({}),
  combination(problemsOfCombination),
  v.transform(() => ({})),
)

/** The filters of the notification list (docs/specification.md#scheduled-notifications). */
export const NotificationFilters = v.pipe(
  v.intersect([Identifiers, Combination]),
  v.transform((query) => ({ dashboard: dashboardIn(query), recipient: recipientIn(query) })),
)

function dashboardIn({ dashboardId: id, dashboardPublicId: publicId }: Identifiers): DashboardFilter | undefined {
  if (id !== undefined) return { id }
  return publicId === undefined ? undefined : { publicId }
}

function recipientIn(query: Identifiers): RecipientFilter | undefined {
  const { recipientEmbedTenantName: embedTenantName, recipientExternalId: externalId } = query
  if (query.recipientUserId !== undefined) return { userId: query.recipientUserId }
  if (query.recipientEmail !== undefined) return { email: query.recipientEmail }
  return embedTenantName === undefined || externalId === undefined ? undefined : { embedTenantName, externalId }
}
