import { readUser, userIdsByLogin, usersNamedNow } from '../access/user.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNamePattern } from '../embed-tenants/names.ts'
import { type InputError, Refusal } from '../refusal.ts'
import { lowerCase } from '../schema.ts'
import { getOne } from '../storage/batch-get.ts'
import { isLive } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { publishedDashboards } from '../workbooks/published.ts'
import type { Recipient } from './keys.ts'

/** A dashboard or a recipient, each named by one identifier. */
export type DashboardFilter = { readonly id: number } | { readonly publicId: string }
export type RecipientFilter =
  | { readonly userId: number }
  | { readonly email: string }
  | { readonly embedTenantName: string; readonly externalId: string }

export type Filters = {
  readonly accountId: string
  readonly deploymentId: number
  readonly dashboard?: DashboardFilter | undefined
  readonly recipient?: RecipientFilter | undefined
}

/** What a filter names. `found` is from an index, which may be out of date. `byKey` reads again. */
type Candidates<Thing> = { readonly found: readonly Thing[]; byKey(): Promise<readonly Thing[]> }

/**
 * Finds the dashboard and the recipient that filters name.
 * @returns both, undefined without their filter; and `isCurrent`, which reads by key whether the
 * filters still name them
 * @throws Refusal `invalid_parameter` with the ids if a filter names several
 */
export async function resolve(
  storage: Storage,
  { accountId, deploymentId, dashboard, recipient }: Filters,
) {
  const [namedDashboards, namedRecipients] = await Promise.all([
    dashboard && dashboardsNamed(storage, deploymentId, dashboard),
    recipient && recipientsNamed(storage, accountId, recipient),
  ])
  const [dashboardIds, recipients] = await Promise.all([
    meantBy(namedDashboards),
    meantBy(namedRecipients),
  ])
  const userIds = recipients.filter((each) => each.type === 'user').map(({ userId }) => userId)
  const errors = [
    ...errorsOf(dashboardIds, ambiguousPublicId),
    ...errorsOf(userIds, ambiguousEmail),
  ]
  if (errors.length > 0) {
    const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join(', and ')
    throw new Refusal('invalid_parameter', `${detail}.`, errors)
  }
  const [dashboardId] = dashboardIds
  return {
    dashboardId,
    recipient: recipients[0],
    async isCurrent(): Promise<boolean> {
      const [dashboardsNow, recipientsNow] = await Promise.all([
        namedDashboards?.byKey(),
        namedRecipients?.byKey(),
      ])
      const isDashboardNamed = !dashboardsNow || dashboardsNow.some((id) => id === dashboardId)
      const isRecipientNamed = !recipientsNow || recipientsNow.length > 0
      return isDashboardNamed && isRecipientNamed
    },
  }
}

/** If an index names several things, some may be out of date. So all are read again, by key. */
const meantBy = async <Thing>(named: Candidates<Thing> | undefined): Promise<readonly Thing[]> =>
  named && named.found.length > 1 ? named.byKey() : (named?.found ?? [])

/** The error of a filter that names several things, with at most 20 of their ids. */
function errorsOf(ids: readonly number[], { parameter, identifier, things, instead }: Ambiguity) {
  if (ids.length <= 1) return []
  const named = ids.slice(0, 20).join(', ')
  const all =
    ids.length > 20 ? `more than 20 ${things}: ${named}, …` : `${ids.length} ${things}: ${named}`
  const message = `is the ${identifier} of ${all}; use ${instead}`
  return [{ parameter, message } satisfies InputError]
}

type Ambiguity = Readonly<Record<'parameter' | 'identifier' | 'things' | 'instead', string>>

const ambiguousPublicId: Ambiguity = {
  parameter: 'dashboardPublicId',
  identifier: 'public id',
  things: 'dashboards',
  instead: 'dashboardId',
}

const ambiguousEmail: Ambiguity = {
  parameter: 'recipientEmail',
  identifier: 'address',
  things: 'users',
  instead: 'recipientUserId',
}

async function dashboardsNamed(
  storage: Storage,
  deploymentId: number,
  filter: DashboardFilter,
): Promise<Candidates<number>> {
  if ('publicId' in filter) return publishedDashboards(storage, deploymentId, filter.publicId)
  return { found: [filter.id], byKey: async () => [filter.id] }
}

async function recipientsNamed(
  storage: Storage,
  accountId: string,
  filter: RecipientFilter,
): Promise<Candidates<Recipient>> {
  if ('embedTenantName' in filter) {
    const embedTenantName = lowerCase(filter.embedTenantName)
    const externalId = lowerCase(filter.externalId.trim())
    const recipient = { type: 'embedUser', embedTenantName, externalId } as const
    const isThere = () => isTenant(storage, accountId, embedTenantName)
    return { found: [recipient], byKey: async () => ((await isThere()) ? [recipient] : []) }
  }
  if ('userId' in filter) {
    const found = asRecipients([filter.userId])
    const user = () => readUser(storage, accountId, filter.userId)
    return { found, byKey: async () => ((await user()) ? found : []) }
  }
  const { email } = filter
  const ids = await userIdsByLogin(storage, accountId, email, 'email')
  return {
    found: asRecipients(ids),
    async byKey() {
      const users = await usersNamedNow(storage, accountId, ids, email, ['email'])
      return asRecipients(users.map(({ id }) => id))
    },
  }
}

const asRecipients = (ids: readonly number[]): Recipient[] =>
  ids.map((userId) => ({ type: 'user', userId }))

/** Whether the tenant is there. Nobody sees what the users of a deleted tenant would get. */
async function isTenant(storage: Storage, accountId: string, name: string): Promise<boolean> {
  if (!embedTenantNamePattern.test(name)) return false
  const tenant = embedTenantKey(accountId, name)
  return isLive(await getOne(storage, tenant, { attributes: ['deleted'] }))
}
