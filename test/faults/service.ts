import { randomBytes } from 'node:crypto'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { operations } from '../../functions/operations/operations.ts'
import { embedToken } from '../operations/requests.ts'
import { sendTo } from '../support/in-process.ts'
import { type Call, fillTables, keys, type Reply, startOfTime, startService } from '../support/service.ts'
import { faultyDatabase } from './faulty-database.ts'

export type FaultyService = {
  database: ReturnType<typeof faultyDatabase>
  readonly logged: Record<string, unknown>[]
  /** How much later than the others the next requests come, in milliseconds. */
  ahead: number
  send(method: string, path: string, call?: Call): Promise<Reply>
  /** Goes on with a new client. One that has retried often retries no more. */
  renewClient(): Promise<void>
}

const exchange = operations['exchange-session'].path
const ofTokens: readonly string[] = [exchange, operations['get-embed-session'].path]

/** The service over tables of its own, behind a database that can be made to fail. */
export async function faultyService(endpoint: string, changes: readonly unknown[]): Promise<FaultyService> {
  const tables = tablesWithPrefix(`faults-${randomBytes(6).toString('hex')}`)
  let { client } = connect(tables, endpoint)
  const engine = client.config.requestHandler
  const storage = sendingThrough(connect(tables, endpoint), (command, options) => client.send(command, options))
  await fillTables(storage, changes)
  const logged: Record<string, unknown>[] = []
  let earlier = startOfTime
  let now = startOfTime
  const { server } = await startService({
    storage,
    now: () => now + service.ahead,
    log: (line) => line.startsWith('{') && logged.push(JSON.parse(line)),
  })
  const service = {
    logged,
    ahead: 0,
    database: faultyDatabase({ ...storage, client }),
    send(method: string, path: string, call: Call = {}) {
      // No instance goes by what it read later than now, so each request reads the deployment. A redemption and an embed token
      // come at one time, so they go by the signing keys that their function has.
      now = ofTokens.includes(path) ? startOfTime : --earlier
      return sendTo(server, method, path, call)
    },
    async renewClient() {
      client = connect(tables, endpoint).client
      client.config.requestHandler = engine
      // What the SDK reads once, from files too, is read now.
      await client.send(new GetCommand({ TableName: tables.sessions, Key: { pk: 'unknown' } }))
      service.database = faultyDatabase({ ...storage, client })
    },
  }
  // What the functions read once is read now; so are notes of an hour and signing keys.
  await service.send('GET', '/api/v1/deployments/1/dbt-sync', { key: keys.admin })
  await service.send('POST', exchange, { body: { sessionId: 'unknown' } })
  for (const { method, path } of [operations['get-embed-session'], operations['end-embed-session']]) {
    const post = (to: string, call?: Call) => service.send('POST', to, call)
    await service.send(method, path, await embedToken({ post }, {}))
  }
  await service.renewClient()
  return service
}
