import { randomBytes } from 'node:crypto'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { startEngine } from '../local/engine.ts'
import { sizeArgument } from './size-argument.ts'
import { workbook } from './workbook.ts'

const help = `Usage: npm run bench:writes -- [WORKBOOKS]

What a catalog change of each kind costs, in calls, write units and read units: the first of a thing, a newer one, one without
a revision, and a deletion; and what it costs to move and to unshare a folder with so many workbooks below it (20000).
`

const count = sizeArgument(help, 20_000)
const deploymentId = 1
const accountId = 'acme'
const tenant = 'north'

const syncJobId = 'a2f1c9d0-0000-4000-8000-000000000001'
const byKind: Readonly<Record<string, object>> = {
  account: { id: accountId, name: 'Acme', embeddingEnabled: true },
  deployment: { accountId, id: deploymentId, name: 'First' },
  user: { accountId, id: 1, email: 'ada@acme.example', roles: [], deploymentIds: 'all' },
  apiKey: { accountId, tokenHash: 'a'.repeat(64), userId: 1, name: 'nightly' },
  embedTenant: { accountId, name: tenant, displayName: 'North' },
  group: { accountId, name: 'staff' },
  tenantGroup: { accountId, embedTenantName: tenant, name: 'buyers' },
  attributeDefinition: { accountId, embedTenantName: tenant, name: 'region', type: 'string' },
  folder: { deploymentId, id: 1, name: 'Folder', parentId: null },
  'folder in a folder': { deploymentId, id: 2, name: 'Folder', parentId: 1 },
  workbook: { ...workbook(1), deploymentId, id: 1, folderId: null },
  'workbook in a folder': { ...workbook(1), deploymentId, id: 2, folderId: 1 },
  share: {
    deploymentId,
    resource: { type: 'folder', id: 1 },
    grantee: { type: 'embedTenant', name: tenant },
  },
  dbtSync: {
    syncJobId,
    deploymentId,
    branchName: 'main',
    source: 'github',
    startedAt: '2026-01-01T00:00:00Z',
    status: 'FAILED',
    trigger: 'api',
  },
  notification: { deploymentId, id: 1, dashboardId: 7, cronExpression: '0 9 * * 1', createdAt: '2026-01-01' },
  recipient: { deploymentId, notificationId: 1, recipient: { type: 'user', userId: 1 } },
}

type Cost = { calls: number; written: number; read: number }

/** The same tables, and what is asked of them. */
function counting(storage: Storage): { storage: Storage; cost: Cost } {
  const cost: Cost = { calls: 0, written: 0, read: 0 }
  storage.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        cost.calls += 1
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Units | Units[] }
        const units = [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0)
        cost[/^(Get|Query|Scan|BatchGet)/.test(commandName) ? 'read' : 'written'] += units
        return result
      },
    { step: 'initialize', priority: 'high', name: 'meter' },
  )
  return { storage, cost }
}

type Units = { readonly CapacityUnits: number }

const engine = await startEngine({})
try {
  const tables = tablesWithPrefix(`writes-${randomBytes(4).toString('hex')}`)
  const { storage, cost } = counting(connect(tables, engine.endpoint))
  await createTables(storage)
  const apply = catalogWriter(storage, { now: Date.now })

  const costOf = async (change: object): Promise<string> => {
    Object.assign(cost, { calls: 0, written: 0, read: 0 })
    const [result] = await apply([change])
    if (result?.outcome !== 'applied') throw new Error(JSON.stringify(result))
    return `${cost.calls}: ${cost.written} + ${cost.read}`
  }
  const print = (...cells: string[]) => console.log(`| ${cells.join(' | ')} |`)

  print('calls: write units + read units', 'the first', 'a newer one', 'without a revision', 'a deletion')
  const kinds = Object.entries(byKind)
  const arriving = new Map<string, string[]>()
  for (const [name, data] of kinds) {
    const kind = name.split(' ')[0]
    const costs = [await costOf({ kind, revision: 1, data })]
    costs.push(await costOf({ kind, revision: 2, data }))
    costs.push(await costOf({ kind, data }))
    arriving.set(name, costs)
  }
  for (const [name, data] of kinds.toReversed()) {
    arriving.get(name)?.push(await costOf({ kind: name.split(' ')[0], op: 'delete', revision: 3, data }))
  }
  for (const [name, costs] of arriving) print(name, ...costs)

  const folder = (id: number, parentId: number | null) => ({
    kind: 'folder',
    data: { deploymentId, id, name: 'Folder', parentId },
  })
  const share = (op: string) => ({
    kind: 'share',
    op,
    revision: op === 'put' ? 4 : 5,
    data: { deploymentId, resource: { type: 'folder', id: 10 }, grantee: { type: 'allEmbedUsers' } },
  })
  await apply([folder(10, null), folder(11, null), folder(12, 10), share('put')])
  for (let from = 0; from < count; from += 500) {
    const ids = Array.from({ length: Math.min(500, count - from) }, (_, index) => 100 + from + index)
    await apply(ids.map((id) => ({ kind: 'workbook', data: { ...workbook(1), deploymentId, id, folderId: 12 } })))
  }
  print(`move of a folder with ${count} workbooks below`, await costOf({ ...folder(12, 11), revision: 2 }))
  print(`unshare of a folder with ${count} workbooks below`, await costOf(share('delete')))
  storage.client.destroy()
} finally {
  await engine.stop()
}
