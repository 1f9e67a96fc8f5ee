import { readUser, userIdsByLogin, usersNamedNow } from '../access/user.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNamePattern } from '../embed-tenants/names.ts'
import { type InputError, Refusal } from '../refusal.ts'
import { lowerCase } from '../schema.ts'
import { batchGet, getOne, type Item, isLive, keysPerCall } from '../storage/batch-get.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { publicDashboard, type Recipient } from './keys.ts'

/** A filter names its dashboard and its recipient by one identifier each. */
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

/** What a filter names by an index, which may be out of date, and what it names by key. */
type Named<Thing> = {
  readonly found: readonly Thing[]
  now(): Promise<readonly Thing[]>
}

/**
 * The dashboard and the recipient that filters name. `isCurrent` says by key whether they still do;
 * it is asked while the page is read.
 * @throws Refusal `invalid_parameter` where a filter names several, with their ids
 */
export async function resolve(
  storage: Storage,
  { accountId, deploymentId, dashboard, recipient }: Filters,
) {
  const [dashboards, recipients] = await Promise.all([
    dashboard && dashboardsNamed(storage, deploymentId, dashboard),
    recipient && recipientsNamed(storage, accountId, recipient),
  ])
  const [dashboardIds, found] = await Promise.all([certain(dashboards), certain(recipients)])
  const userIds = found.flatMap((each) => (each.type === 'user' ? [each.userId] : []))
  const errors = [
    ...several('dashboardPublicId', 'is the public id', 'dashboards', dashboardIds, 'dashboardId'),
    ...several('recipientEmail', 'is the address', 'users', userIds, 'recipientUserId'),
  ]
  if (errors.length > 0) {
    const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join(', and ')
    throw new Refusal('invalid_parameter', `${detail}.`, errors)
  }
  const [dashboardId] = dashboardIds
  return {
    dashboardId,
    recipient: found[0],
    async isCurrent(): Promise<boolean> {
      const [ids, users] = await Promise.all([dashboards?.now(), recipients?.now()])
      return users?.length !== 0 && (!ids || ids.some((id) => id === dashboardId))
    },
  }
}

/** An index may name several where there is one. So they are read before they are refused. */
const certain = async <Thing>(named: Named<Thing> | undefined): Promise<readonly Thing[]> =>
  named && named.found.length > 1 ? named.now() : (named?.found ?? [])

/** The error of a filter that names several things. It has at most 20 of their ids. */
function several(
  parameter: string,
  what: string,
  things: string,
  ids: readonly number[],
  instead: string,
) {
  const named = ids.slice(0, 20).join(', ')
  const isLong = ids.length > 20
  const all = `${isLong ? 'more than 20' : ids.length} ${things}: ${named}${isLong ? ', …' : ''}`
  const message = `${what} of ${all}; use ${instead}`
  return ids.length > 1 ? [{ parameter, message } satisfies InputError] : []
}

async function dashboardsNamed(
  storage: Storage,
  deploymentId: number,
  filter: DashboardFilter,
): Promise<Named<number>> {
  if ('id' in filter) return { found: [filter.id], now: async () => [filter.id] }
  const publicId = publicDashboard(deploymentId, filter.publicId)
  const publishers = await publishersOf(storage, deploymentId, filter.publicId)
  const attributes = ['publicId', 'dashboardId']
  return {
    found: dashboardsOf(publishers),
    async now() {
      const workbooks = await batchGet(storage, publishers, { consistent: true, attributes })
      return dashboardsOf([...workbooks.values()].filter((each) => each.publicId === publicId))
    },
  }
}

/** The workbooks of a deployment that publish a dashboard under a public id, by an index. */
export async function publishersOf(
  storage: Storage,
  deploymentId: number,
  publicId: string,
): Promise<readonly Item[]> {
  const range = { index: 'byPublicId', partition: publicDashboard(deploymentId, publicId) }
  return (await queryIndex(storage, range, keysPerCall)).items
}

/** The ids of the dashboards that workbooks publish, in order. */
const dashboardsOf = (workbooks: readonly Item[]): number[] =>
  [...new Set(workbooks.map(({ dashboardId }) => dashboardId as number))].sort((a, b) => a - b)

async function recipientsNamed(
  storage: Storage,
  accountId: string,
  filter: RecipientFilter,
): Promise<Named<Recipient>> {
  if ('embedTenantName' in filter) {
    const embedTenantName = lowerCase(filter.embedTenantName)
    const externalId = lowerCase(filter.externalId.trim())
    const recipient = { type: 'embedUser', embedTenantName, externalId } as const
    const isThere = () => isTenant(storage, accountId, embedTenantName)
    return { found: [recipient], now: async () => ((await isThere()) ? [recipient] : []) }
  }
  if ('userId' in filter) {
    const { userId } = filter
    const user = () => readUser(storage, accountId, userId)
    return { found: usersAs([userId]), now: async () => usersAs((await user()) ? [userId] : []) }
  }
  const { email } = filter
  const ids = await userIdsByLogin(storage, accountId, email, 'email')
  return {
    found: usersAs(ids),
    async now() {
      const users = await usersNamedNow(storage, accountId, ids, email, ['email'])
      return usersAs(users.map(({ id }) => id))
    },
  }
}

const usersAs = (ids: readonly number[]): Recipient[] =>
  ids.map((userId) => ({ type: 'user', userId }))

/** Nobody is shown what a deleted tenant's users would get. */
async function isTenant(storage: Storage, accountId: string, name: string): Promise<boolean> {
  if (!embedTenantNamePattern.test(name)) return false
  const tenant = embedTenantKey(accountId, name)
  return isLive(await getOne(storage, tenant, { attributes: ['deleted'] }))
}
