import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import { operations } from '../../functions/operations/operations.ts'
import { embedToken } from '../operations/requests.ts'
import { filledMemory } from '../support/filled-tables.ts'
import { type Call, keys, startOfTime, startService } from '../support/service.ts'
import { faultyDatabase, type Trouble } from './faulty-database.ts'
import { sendTo } from './in-process.ts'

const exchange = operations['exchange-session'].path
const ofTokens: readonly string[] = [
  exchange,
  operations['get-embed-session'].path,
  operations['list-embed-workbooks'].path,
]

/** The service over tables in memory, behind a database that can be made to fail. */
export async function faultyService(changes: readonly unknown[]) {
  const memory = await filledMemory(changes)
  // Between troubles no call takes the way through the SDK, which is most of its work.
  const { client: direct } = memory.storage
  let client = direct
  const storage = sendingThrough(faultyDatabase(memory).storage, (...request) =>
    client.send(...request),
  )
  const logged: Record<string, unknown>[] = []
  let earlier = startOfTime
  let now = startOfTime
  const service = {
    logged,
    /** How much later than the others the next requests come, in milliseconds. */
    ahead: 0,
    send(method: string, path: string, call: Call = {}) {
      // No instance goes by what it read later than now, so each request reads the deployment. A
      // redemption and an embed token come at one time, so they go by the signing keys that their
      // function has.
      now = ofTokens.includes(path) ? startOfTime : --earlier
      return sendTo(server, method, path, call)
    },
    post: (path: string, call?: Call) => service.send('POST', path, call),
    /**
     * Does something while calls go wrong, with a new client. One that has retried often retries no
     * more.
     */
    async under<Result>(trouble: Trouble, act: () => Promise<Result>) {
      const database = faultyDatabase(memory)
      client = database.storage.client
      try {
        return await database.under(trouble, act)
      } finally {
        client = direct
      }
    },
  }
  const server = await startService({
    storage,
    now: () => now + service.ahead,
    log: (line) => line.startsWith('{') && logged.push(JSON.parse(line)),
  })
  // What the functions read once is read now; so are notes of an hour and signing keys.
  await service.send('GET', '/api/v1/deployments/1/dbt-sync', { key: keys.admin })
  await service.post(exchange, { body: { sessionId: 'unknown' } })
  for (const { method, path } of [
    operations['get-embed-session'],
    operations['end-embed-session'],
    operations['list-embed-workbooks'],
  ]) {
    await service.send(method, path, await embedToken(service, {}))
  }
  return service
}
