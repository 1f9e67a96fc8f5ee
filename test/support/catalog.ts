import { readFileSync } from 'node:fs'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { Principal } from '@embed-access/core/access/principal.ts'
import { demoCatalogFile } from '../../local/demo/catalog.ts'
import { startOfTime } from './time.ts'

export type Change = {
  readonly kind: string
  readonly op?: 'put' | 'delete'
  readonly revision?: number
  readonly data: object
}

export const demoChanges = (): Change[] =>
  readFileSync(demoCatalogFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

export const put = (kind: string, data: object): Change => ({ kind, data })

/** A workbook with all that is required and what is given. */
export const workbook = (deploymentId: number, id: number, more: object = {}) =>
  put('workbook', {
    id,
    deploymentId,
    name: `Workbook ${id}`,
    meta: {},
    calculatedFields: {},
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-02',
    type: 'WORKBOOK',
    ...more,
  })

/** A dashboard that a workbook publishes, with all that is required and what is given. */
export const publishedDashboard = (
  deploymentId: number,
  workbookId: number,
  more: object = {},
) => ({
  id: workbookId,
  publicId: `public-${workbookId}`,
  deploymentId,
  workbookId,
  status: 'published',
  allowEmbed: true,
  config: {},
  versionNumber: 1,
  versionId: 1,
  reportSnapshots: [],
  ...more,
})

export const folder = (
  deploymentId: number,
  id: number,
  parentId: number | null,
  name = `Folder ${id}`,
) => put('folder', { deploymentId, id, name, parentId })

export const acmeAccount = (more: object = {}) =>
  put('account', { id: 'acme', name: 'Acme', embeddingEnabled: true, ...more })
export const acmeDeployment = (id: number) =>
  put('deployment', { accountId: 'acme', id, name: `Deployment ${id}` })
export const acmeGroup = (name: string, more: object = {}) =>
  put('group', { accountId: 'acme', name, ...more })

export const tenantGroup = (embedTenantName: string, name: string, more: object = {}) =>
  put('tenantGroup', { accountId: 'acme', embedTenantName, name, ...more })

/** A definition of an embed tenant's attribute. */
export const tenantAttribute = (embedTenantName: string, name: string, more: object = {}) =>
  put('attributeDefinition', { accountId: 'acme', embedTenantName, name, ...more })

export const embedTenant = (name: string): { type: 'embedTenant'; name: string } => ({
  type: 'embedTenant',
  name,
})
/** A change that makes an embed tenant of the account acme. {@link embedTenant} is a grantee. */
export const acmeTenant = (name: string, more: object = {}) =>
  put('embedTenant', { accountId: 'acme', name, ...more })

export const allEmbedUsers = { type: 'allEmbedUsers' } as const

export const share = (
  deploymentId: number,
  type: 'workbook' | 'folder',
  id: number,
  grantee: object,
) => put('share', { deploymentId, resource: { type, id }, grantee })

export const revised = <Change extends object>(revision: number, change: Change) => ({
  ...change,
  revision,
})

/** The change that deletes the thing of a change. */
export const without = (change: { kind: string; data: object }) => ({
  ...change,
  op: 'delete' as const,
})

export const dbtSync = (deploymentId: number, syncJobId: string, more: object = {}) =>
  put('dbtSync', {
    deploymentId,
    syncJobId,
    branchName: 'main',
    source: 'github',
    startedAt: '2026-01-01T00:00:00Z',
    status: 'COMPLETED',
    trigger: 'api',
    ...more,
  })

export const notification = (deploymentId: number, id: number, more: object = {}) =>
  put('notification', { deploymentId, id, createdAt: '2026-01-01T00:00:00Z', ...more })

export const recipient = (deploymentId: number, notificationId: number, recipient: object) =>
  put('recipient', { deploymentId, notificationId, recipient })

export const userOf = (accountId: string, id: number, email: string, more: object = {}) =>
  put('user', { accountId, id, email, roles: [], deploymentIds: [], ...more })

/** A key of a user. Its text is also its name. */
export const userKey = (accountId: string, userId: number, key: string, more: object = {}) =>
  put('apiKey', { accountId, tokenHash: hashOfApiKey(key), userId, name: key, ...more })

/** An account that embeds, with a deployment and an admin, whose key is `sk-` and its id. */
export const embeddingAccount = (id: string, deploymentId: number) =>
  [
    put('account', { id, name: id, embeddingEnabled: true }),
    put('deployment', { accountId: id, id: deploymentId, name: id }),
    userOf(id, 1, `admin@${id}.example`, { roles: ['admin'], deploymentIds: 'all' }),
    userKey(id, 1, `sk-${id}`),
  ] as const

/** An admin of {@link people}, for calls that go past the gateway. */
export const admin: Principal = {
  accountId: 'acme',
  userId: 1,
  admin: true,
  scoped: false,
  deploymentIds: 'all',
  credential: { kind: 'accessToken' },
}

/** Keys of the users in {@link people}; the catalog knows their hashes only. */
export const keys = {
  admin: 'sk-test-admin',
  reader: 'sk-test-reader',
  stranger: 'sk-test-stranger',
  scopedAdmin: 'sk-test-scoped-admin',
  expiring: 'sk-test-expiring',
  otherAdmin: 'sk-test-other-admin',
  closedAdmin: 'sk-test-closed-admin',
}

/**
 * Two accounts that embed and one that does not, with deployments 1 and 2, 9, and 7, their users
 * and keys.
 */
export const people: readonly Change[] = [
  acmeAccount(),
  put('account', { id: 'other', name: 'Other', embeddingEnabled: true }),
  put('account', { id: 'closed', name: 'Closed' }),
  acmeDeployment(1),
  acmeDeployment(2),
  put('deployment', { accountId: 'other', id: 9, name: 'Ninth' }),
  put('deployment', { accountId: 'closed', id: 7, name: 'Seventh' }),
  userOf('acme', 1, 'Ada@acme.example', { username: 'ada', roles: ['admin'] }),
  userOf('acme', 2, 'rob@acme.example', { deploymentIds: [1] }),
  userOf('acme', 3, 'sue@acme.example', { roles: ['viewer'] }),
  userOf('other', 1, 'olga@other.example', { roles: ['admin'], deploymentIds: 'all' }),
  userOf('closed', 1, 'cleo@closed.example', { roles: ['admin'], deploymentIds: 'all' }),
  userKey('acme', 1, keys.admin),
  userKey('acme', 2, keys.reader),
  userKey('acme', 3, keys.stranger),
  userKey('acme', 1, keys.scopedAdmin, { deploymentIds: [2] }),
  userKey('acme', 1, keys.expiring, { expiresAt: new Date(startOfTime + 60_000).toISOString() }),
  userKey('other', 1, keys.otherAdmin),
  userKey('closed', 1, keys.closedAdmin),
]
