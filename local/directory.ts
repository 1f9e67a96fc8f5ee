import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { type ApiKey, type DataOf, dataOf, readDemoCatalog, type User } from './catalog-data.ts'
import { demoKeys } from './demo/keys.ts'
import type { Account, Dashboard, DemoKey, Directory, EmbedTenant } from './playground/directory.ts'

/** What the demo catalog holds, read from its file, whose order is meant for people. */
export const demoDirectory = (): Directory => directoryOf(readDemoCatalog())

/** A catalog may be large. The playground offers what is in the first lines of its export. */
const maxLines = 20_000

/** What the tables hold now. */
export async function ownDirectory(storage: Storage): Promise<Directory> {
  const lines: string[] = []
  for await (const line of exportCatalog(storage)) {
    lines.push(line)
    if (lines.length === maxLines) break
  }
  return directoryOf(dataOf(lines))
}

const directoryOf = (all: DataOf): Directory => ({ accounts: all('account').map((account) => accountOf(account, all)) })

function accountOf(
  { id, name, embeddingEnabled }: { id: string; name: string; embeddingEnabled?: boolean },
  all: DataOf,
) {
  const isOwn = ({ accountId }: { accountId: string }) => accountId === id
  const users = all('user').filter(isOwn)
  const deployments = all('deployment').filter(isOwn)
  const deploymentIds = new Set(deployments.map((deployment) => deployment.id))
  return {
    id,
    name: `${name}${embeddingEnabled ? '' : ' (embedding is off)'}`,
    keys: all('apiKey')
      .filter(isOwn)
      .flatMap((key) => keyOf(key, users) ?? []),
    deployments: deployments.map((deployment) => ({ id: deployment.id, name: deployment.name })),
    users: users.map(({ id, email, roles }) => ({ id, email, isAdmin: roles.includes('admin') })),
    embedTenants: embedTenants(id, deploymentIds, all),
    groups: all('group')
      .filter(isOwn)
      .map((group) => group.name),
    dashboards: dashboards(deploymentIds, all),
  } satisfies Account
}

/** A key is known here only if it is one of the demo's: the tables have hashes alone. */
function keyOf(
  { tokenHash, name, userId, deploymentIds, expiresAt }: ApiKey,
  users: readonly User[],
): DemoKey | undefined {
  const user = users.find(({ id }) => id === userId)
  const key = Object.values(demoKeys).find((each) => hashOfApiKey(each) === tokenHash)
  if (user === undefined || key === undefined) return undefined
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
function embedTenants(accountId: string, deploymentIds: ReadonlySet<number>, all: DataOf): EmbedTenant[] {
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
function dashboards(deploymentIds: ReadonlySet<number>, all: DataOf): Dashboard[] {
  const scheduled = new Set<number | undefined>(all('notification').map(({ dashboardId }) => dashboardId))
  return all('workbook').flatMap(({ deploymentId, publishedDashboard }) => {
    if (!publishedDashboard || !deploymentIds.has(deploymentId) || !scheduled.has(publishedDashboard.id)) return []
    const { id, publicId, title } = publishedDashboard
    return [{ id, publicId, title }]
  })
}
