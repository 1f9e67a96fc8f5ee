import { createHash } from 'node:crypto'
import type { Account, Dashboard, DemoKey, Directory, EmbedTenant } from '../playground/directory.ts'
import { type ApiKey, readDemoCatalog, type User } from './catalog.ts'
import { demoKeys } from './keys.ts'

/** What the demo catalog holds, read from the file that the service loads. */
export function demoDirectory(): Directory {
  const all = readDemoCatalog()
  return { accounts: all('account').map((account) => accountOf(account, all)) }
}

type All = ReturnType<typeof readDemoCatalog>

function accountOf({ id, name, embeddingEnabled }: { id: string; name: string; embeddingEnabled: boolean }, all: All) {
  const isOwn = ({ accountId }: { accountId: string }) => accountId === id
  const users = all('user').filter(isOwn)
  const deployments = all('deployment').filter(isOwn)
  const deploymentIds = new Set(deployments.map((deployment) => deployment.id))
  return {
    id,
    name: `${name}${embeddingEnabled ? '' : ' (embedding is off)'}`,
    keys: all('apiKey')
      .filter(isOwn)
      .map((key) => keyOf(key, users)),
    deployments: deployments.map((deployment) => ({ id: deployment.id, name: deployment.name })),
    users: users.map((user) => ({ id: user.id, email: user.email })),
    embedTenants: embedTenants(id, deploymentIds, all),
    groups: all('group')
      .filter(isOwn)
      .map((group) => group.name),
    dashboards: dashboards(deploymentIds, all),
  } satisfies Account
}

function keyOf({ tokenHash, name, userId, deploymentIds, expiresAt }: ApiKey, users: readonly User[]): DemoKey {
  const user = users.find(({ id }) => id === userId)
  const key = Object.values(demoKeys).find((each) => createHash('sha256').update(each).digest('hex') === tokenHash)
  if (user === undefined || key === undefined) throw new Error(`The demo has no user or no key for ${name}.`)
  const isAdmin = user.roles.includes('admin')
  const about = [
    `${user.firstName ?? user.email}, ${isAdmin ? 'an admin' : 'not an admin'}`,
    deploymentIds
      ? `the key is scoped to deployment ${deploymentIds.join(', ')}`
      : isAdmin || user.deploymentIds === 'all'
        ? 'reads every deployment'
        : `reads deployment ${user.deploymentIds.join(', ')} only`,
    ...(expiresAt ? [`expired on ${expiresAt.slice(0, 10)}`] : []),
  ]
  return { key, name, email: user.email, about: about.join('; ') }
}

/** A tenant's external ids are those that receive notifications of the account's deployments. */
function embedTenants(accountId: string, deploymentIds: ReadonlySet<number>, all: All): EmbedTenant[] {
  const recipients = all('recipient').filter(({ deploymentId }) => deploymentIds.has(deploymentId))
  const tenantGroups = all('tenantGroup').filter((group) => group.accountId === accountId)
  return all('embedTenant')
    .filter((tenant) => tenant.accountId === accountId)
    .map(({ name, displayName }) => ({
      name,
      ...(displayName !== undefined && { displayName }),
      externalIds: [
        ...new Set(
          recipients.flatMap(({ recipient: { embedTenantName, externalId } }) =>
            embedTenantName === name && externalId !== undefined ? [externalId] : [],
          ),
        ),
      ].sort(),
      groups: tenantGroups.filter(({ embedTenantName }) => embedTenantName === name).map((group) => group.name),
    }))
}

/** The dashboards that have scheduled notifications. */
function dashboards(deploymentIds: ReadonlySet<number>, all: All): Dashboard[] {
  const scheduled = new Set(all('notification').map(({ dashboardId }) => dashboardId))
  return all('workbook').flatMap(({ deploymentId, publishedDashboard }) => {
    if (!publishedDashboard || !deploymentIds.has(deploymentId) || !scheduled.has(publishedDashboard.id)) return []
    const { id, publicId, title } = publishedDashboard
    return [{ id, publicId, title }]
  })
}
