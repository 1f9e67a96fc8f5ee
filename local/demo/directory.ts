import { createHash } from 'node:crypto'
import type { Account, Dashboard, DemoKey, Directory, EmbedTenant } from '../playground/directory.ts'
import { accounts, apiKeys, deployments, userChanges, users } from './accounts.ts'
import type { Change, JsonObject } from './change.ts'
import { demoKeys } from './keys.ts'
import { notificationChanges } from './notifications.ts'
import { embedTenants, groups, tenants } from './tenants.ts'
import { workbooks } from './workbooks.ts'

/** What the demo catalog holds, read off its own changes, so that the two can't differ. */
export const demoDirectory = (): Directory => ({ accounts: accounts().map(({ data }) => accountOf(data)) })

function accountOf({ id, name, embeddingEnabled }: JsonObject): Account {
  const own = (changes: readonly Change[]) => changes.map(({ data }) => data).filter((data) => data.accountId === id)
  const deploymentIds = new Set(own(deployments()).map((deployment) => deployment.id))
  return {
    id: String(id),
    name: `${name}${embeddingEnabled ? '' : ' (embedding is off)'}`,
    keys: own(apiKeys()).map(keyOf),
    deployments: own(deployments()).map((each) => ({ id: Number(each.id), name: String(each.name) })),
    users: own(userChanges()).map((user) => ({ id: Number(user.id), email: String(user.email) })),
    embedTenants: own(embedTenants()).map(embedTenantOf),
    groups: own(groups()).map((group) => String(group.name)),
    dashboards: dashboards().filter(({ deploymentId }) => deploymentIds.has(deploymentId)),
  }
}

function keyOf(data: JsonObject): DemoKey {
  const user = users.find((each) => each.accountId === data.accountId && each.id === data.userId)
  const key = Object.values(demoKeys).find((each) => createHash('sha256').update(each).digest('hex') === data.tokenHash)
  if (user === undefined || key === undefined) throw new Error(`no user or no key of the demo for ${data.name}`)
  const reads = user.roles.includes('admin') || user.deploymentIds === 'all' ? 'every deployment' : user.deploymentIds
  const about = [
    `${user.firstName ?? user.email}, ${user.roles.includes('admin') ? 'an admin' : 'not an admin'}`,
    Array.isArray(data.deploymentIds)
      ? `the key is scoped to deployment ${data.deploymentIds}`
      : `reads ${Array.isArray(reads) ? `deployment ${reads.join(', ')} only` : reads}`,
    ...(data.expiresAt ? [`expired on ${String(data.expiresAt).slice(0, 10)}`] : []),
  ]
  return { key, name: String(data.name), email: user.email, about: about.join('; ') }
}

/** The external ids are known of the demo's main account alone: a tenant of the same name elsewhere is another one. */
function embedTenantOf({ accountId, name, displayName }: JsonObject): EmbedTenant {
  const known = accountId === 'harborline' ? tenants.find((tenant) => tenant.name === name) : undefined
  return {
    name: String(name),
    ...(typeof displayName === 'string' && { displayName }),
    externalIds: known?.externalIds ?? [],
    groups: known?.groups.map(([group]) => group) ?? [],
  }
}

function dashboards(): (Dashboard & { deploymentId: number })[] {
  const scheduled = new Set(notificationChanges().map(({ data }) => data.dashboardId))
  return workbooks.flatMap(({ deploymentId, publishedDashboard }) => {
    const { id, publicId, title } = (publishedDashboard ?? {}) as JsonObject
    if (typeof id !== 'number' || !scheduled.has(id)) return []
    return [{ deploymentId, id, publicId: String(publicId), title: String(title) }]
  })
}
