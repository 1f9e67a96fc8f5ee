import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The demo catalog, one change per line. */
export const demoCatalogFile = fileURLToPath(new URL('demo/catalog.ndjson', import.meta.url))

/** What the playground reads of the data, by kind of change. */
type Data = {
  account: { id: string; name: string; embeddingEnabled?: boolean }
  user: User
  apiKey: ApiKey
  deployment: { accountId: string; id: number; name: string }
  embedTenant: { accountId: string; name: string; displayName?: string }
  group: { accountId: string; name: string }
  tenantGroup: { accountId: string; embedTenantName: string; name: string }
  workbook: {
    deploymentId: number
    publishedDashboard?: { id: number; publicId: string; title: string } | null
  }
  notification: { dashboardId?: number }
  recipient: { deploymentId: number; recipient: { embedTenantName?: string; externalId?: string } }
}

export type User = {
  accountId: string
  id: number
  email: string
  firstName?: string
  roles: string[]
  deploymentIds: 'all' | number[]
}

export type ApiKey = {
  accountId: string
  userId: number
  tokenHash: string
  name: string
  deploymentIds?: number[]
  expiresAt?: string
}

/** The data of the changes of one kind, in their order. */
export type DataOf = <Kind extends keyof Data>(kind: Kind) => Data[Kind][]

/** @param lines catalog changes as JSON */
export function dataOf(lines: readonly string[]): DataOf {
  const puts = lines
    .map((line) => JSON.parse(line) as { kind: string; op?: string; data: unknown })
    .filter(({ op }) => op !== 'delete')
  const byKind = Map.groupBy(puts, ({ kind }) => kind)
  return <Kind extends keyof Data>(kind: Kind) => (byKind.get(kind) ?? []).map(({ data }) => data as Data[Kind])
}

export const readDemoCatalog = (): DataOf => dataOf(readFileSync(demoCatalogFile, 'utf8').trim().split('\n'))
