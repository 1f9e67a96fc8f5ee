import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { operations } from '../../functions/operations/operations.ts'
import { createLocalService } from '../../local/service.ts'
import { sendTo } from '../support/in-process.ts'
import { type Call, keys, type Reply, startOfTime } from '../support/service.ts'
import { faultyDatabase } from './faulty-database.ts'

export type FaultyService = {
  readonly server: Server
  readonly database: ReturnType<typeof faultyDatabase>
  readonly logged: Record<string, unknown>[]
  /** How much later than the others the next requests come, in milliseconds. */
  ahead: number
  send(method: string, path: string, call?: Call): Promise<Reply>
  close(): void
}

const exchange = operations['exchange-session'].path

const tables = tablesWithPrefix(`faults-${randomBytes(6).toString('hex')}`)
let prepared: Promise<void> | undefined

/** The service over tables that all services of a test file share, with a client and instances of functions of its own. */
export async function faultyService(endpoint: string, changes: readonly unknown[]): Promise<FaultyService> {
  const storage = connect(tables, endpoint)
  prepared ??= prepare(storage, changes)
  await prepared
  const logged: Record<string, unknown>[] = []
  let earlier = startOfTime
  let now = startOfTime
  const service = { logged, ahead: 0 }
  const server = await createLocalService({
    storage,
    now: () => now + service.ahead,
    issuer: 'https://embed.test',
    corsOrigins: [],
    log: (line) => line.startsWith('{') && logged.push(JSON.parse(line)),
  })
  const send = (method: string, path: string, call: Call = {}) => {
    // No instance goes by what it read later than now, so each request reads the deployment. A redemption reads none, and
    // comes at one time, so it goes by the signing keys that it has.
    now = path === exchange ? startOfTime : --earlier
    return sendTo(server, method, path, call)
  }
  // What the SDK and the functions read once, from files too, is read now.
  await send('GET', '/api/v1/deployments/1/dbt-sync', { key: keys.admin })
  await send('POST', exchange, { body: { sessionId: 'unknown' } })
  return Object.assign(service, {
    server,
    database: faultyDatabase(storage),
    send,
    close: () => storage.client.destroy(),
  })
}

async function prepare(storage: Storage, changes: readonly unknown[]): Promise<void> {
  await createTables(storage)
  await writeSigningKeys(storage, await firstSigningKeys(startOfTime), undefined)
  const results = await applyChanges(storage, changes, { now: () => startOfTime })
  if (results.some(({ outcome }) => outcome !== 'applied')) throw new Error(JSON.stringify(results))
}
