import { readUser, userIds } from '../access/user.ts'
import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNamePattern } from '../embed-tenants/names.ts'
import { type InputError, Refusal } from '../refusal.ts'
import { lowerCase } from '../schema.ts'
import { getOne, isLive } from '../storage/batch-get.ts'
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

/**
 * The dashboard and the recipient that filters name. {@link isThere} asks for the recipient while
 * the page is read.
 * @throws Refusal `invalid_parameter` where a filter names several, with their ids
 */
export async function resolve(
  storage: Storage,
  { accountId, deploymentId, dashboard, recipient }: Filters,
) {
  const [dashboardIds, recipients] = await Promise.all([
    dashboard ? idsOf(storage, deploymentId, dashboard) : [],
    recipient ? recipientsNamed(storage, accountId, recipient) : [],
  ])
  const userIds = recipients.flatMap((each) => (each.type === 'user' ? [each.userId] : []))
  const errors = [
    ...several('dashboardPublicId', 'is the public id', 'dashboards', dashboardIds, 'dashboardId'),
    ...several('recipientEmail', 'is the address', 'users', userIds, 'recipientUserId'),
  ]
  if (errors.length > 0) {
    const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join(', and ')
    throw new Refusal('invalid_parameter', `${detail}.`, errors)
  }
  return { dashboardId: dashboardIds[0], recipient: recipients[0] }
}

/** The error of a filter that names several things. It has at most 20 of their ids. */
function several(
  parameter: string,
  what: string,
  things: string,
  ids: readonly number[],
  instead: string,
) {
  const named = ids.slice(0, 20).join(', ')
  const message = `${what} of ${ids.length} ${things}: ${named}${ids.length > 20 ? ', …' : ''}; use ${instead}`
  return ids.length > 1 ? [{ parameter, message } satisfies InputError] : []
}

const idsOf = async (
  storage: Storage,
  deploymentId: number,
  filter: DashboardFilter,
): Promise<readonly number[]> =>
  'id' in filter ? [filter.id] : publishedDashboards(storage, deploymentId, filter.publicId)

/**
 * The ids of the dashboards that workbooks of the deployment publish under a public id, in order.
 */
export async function publishedDashboards(
  storage: Storage,
  deploymentId: number,
  publicId: string,
): Promise<number[]> {
  const partition = publicDashboard(deploymentId, publicId)
  const { items } = await queryIndex(storage, { index: 'byPublicId', partition })
  return [...new Set(items.map(({ dashboardId }) => dashboardId as number))].sort((a, b) => a - b)
}

async function recipientsNamed(
  storage: Storage,
  accountId: string,
  filter: RecipientFilter,
): Promise<Recipient[]> {
  if ('embedTenantName' in filter) {
    const embedTenantName = lowerCase(filter.embedTenantName)
    return [{ type: 'embedUser', embedTenantName, externalId: lowerCase(filter.externalId.trim()) }]
  }
  const ids =
    'userId' in filter
      ? [filter.userId]
      : await userIds(storage, 'byEmail', accountId, filter.email)
  return ids.map((userId) => ({ type: 'user', userId }))
}

/**
 * Whether the user, or the embed user's tenant, is there. Nobody is shown what a deleted one would
 * get.
 */
export async function isThere(
  storage: Storage,
  accountId: string,
  recipient: Recipient,
): Promise<boolean> {
  if (recipient.type === 'user')
    return (await readUser(storage, accountId, recipient.userId)) !== undefined
  if (!embedTenantNamePattern.test(recipient.embedTenantName)) return false
  const tenant = embedTenantKey(accountId, recipient.embedTenantName)
  return isLive(await getOne(storage, tenant, { attributes: ['deleted'] }))
}
