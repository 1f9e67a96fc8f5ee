import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { account, deployment, tenant } from '../catalog.ts'
import { fill } from '../fill.ts'
import type { Sizes } from '../requests.ts'
import { filledTables } from '../tables.ts'
import { workbook } from '../workbook.ts'

export const issuer = 'http://127.0.0.1'

export const sizes: Sizes = { workbooks: 1000, syncs: 500, notifications: 500 }

/** What hosts ask for: a session of one of their users. */
export const sessionRequest = { deploymentId: deployment, embedTenantName: tenant, externalId: 'user-1' }

export type Loaded = { readonly tables: Storage['tables']; readonly apiKey: string; readonly tokenHash: string }

const adminId = 3

/** New tables with a catalog, an admin, an API key of that admin, and signing keys. */
export async function loadedTables(endpoint: string): Promise<Loaded> {
  const { storage: meter } = await filledTables(endpoint, sizes, workbook)
  const storage = connect(meter.tables, endpoint)
  const apiKey = newApiKey({ accountId: account, userId: adminId })
  const tokenHash = hashOfApiKey(apiKey)
  await fill(storage, account, [
    [
      {
        kind: 'user',
        data: { accountId: account, id: adminId, email: 'ada@acme.example', roles: ['admin'], deploymentIds: 'all' },
      },
      { kind: 'apiKey', data: { accountId: account, tokenHash, userId: adminId, name: 'load' } },
    ],
  ])
  await writeSigningKeys(storage, await firstSigningKeys(Date.now()), undefined)
  storage.client.destroy()
  return { tables: storage.tables, apiKey, tokenHash }
}
