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
function* problemsOfCombination(given: Readonly<Record<string, unknown>>): Generator<[Name, string]> {
  const isGiven = (name: Name) => name in given
  for (const identifiers of dimensions) {
    const used = identifiers.filter((names) => names.some(isGiven))
    if (used.length > 1) {
      for (const name of used.flat().filter(isGiven)) {
        const others = used.filter((names) => !names.includes(name)).flat()
        yield [name, `must not come together with ${others.filter(isGiven).join(', ')}`]
      }
    }
  }
  const half = embedUser.find(isGiven)
  const missing = embedUser.find((name) => !isGiven(name))
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

function recipientIn({
  recipientUserId: userId,
  recipientEmail: email,
  recipientEmbedTenantName: embedTenantName,
  recipientExternalId: externalId,
}: Identifiers): RecipientFilter | undefined {
  if (userId !== undefined) return { userId }
  if (email !== undefined) return { email }
  return embedTenantName === undefined || externalId === undefined ? undefined : { embedTenantName, externalId }
}
