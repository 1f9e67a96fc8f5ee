import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { PathVariable } from '../test/operations/requests.ts'
import { account, deployment, tenant, workbookId } from '../test/pages/catalog.ts'

const userId = 3

/** Names for the variables of paths. The catalog of the benchmarks has them all. */
export const pathVariables: Readonly<Record<PathVariable, string>> = {
  deploymentId: String(deployment),
  embedTenantName: tenant,
  workbookId: String(workbookId(0, 0)),
}

/** The key of an admin of the benchmarks' catalog. */
export const apiKey = newApiKey({ accountId: account, userId })

/** Changes of the catalog that let {@link apiKey} in. */
export const callerChanges = [
  {
    kind: 'user',
    data: {
      accountId: account,
      id: userId,
      email: 'ada@acme.example',
      roles: ['admin'],
      deploymentIds: 'all',
    },
  },
  {
    kind: 'apiKey',
    data: { accountId: account, userId, name: 'bench', tokenHash: hashOfApiKey(apiKey) },
  },
]

/** A session of a host's user. */
export const sessionRequest = {
  deploymentId: deployment,
  embedTenantName: tenant,
  externalId: 'user-1',
  email: 'user-1@customer.example',
  creatorMode: true,
  userAttributes: [{ name: 'region', value: ['north', 'west'] }],
  securityContext: { customerId: 42 },
  settings: { allowAi: false, timezone: 'Europe/Oslo' },
}
