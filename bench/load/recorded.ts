import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { type OperationId, routes } from '../../functions/operations/operations.ts'
import { createLocalService } from '../../local/service.ts'
import { Rounds } from '../../test/support/counting.ts'
import { issuer, type Loaded } from './catalog.ts'
import { send, sendRight, shotsOf } from './requests.ts'

/** A command of lib-dynamodb: its class, and its input. */
export type Call = { readonly command: string; readonly input: Input }
export type Input = Readonly<Record<string, unknown>>

/** What the service asks of the database for a request, and what it answers. */
export type Recorded = {
  readonly method: string
  readonly path: string
  /** Calls by round trip: those of one are made side by side. */
  readonly trips: readonly (readonly Call[])[]
  /** The session that was made, redeemed or revoked. */
  readonly sessionId: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Recording = Readonly<Record<OperationId, Recorded>>

/** Sends each operation to the service twice, and records the second time: the first reads what an instance keeps. */
export async function record(endpoint: string, { tables, apiKey }: Loaded): Promise<Recording> {
  const { storage, tripsOf } = recorder(connect(tables, endpoint))
  const server = await createLocalService({ storage, now: Date.now, issuer, corsOrigins: ['*'], log: () => {} })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const shots = shotsOf(apiKey, {})
  const recordOne = async (id: OperationId): Promise<Recorded> => {
    if (shots[id].takesSession) await sendRight(url, shots['generate-session'])
    const text = shots[id].body?.()
    const shot = { ...shots[id], ...(text !== undefined && { body: () => text }) }
    const [trips, answer] = await tripsOf(() => send(url, shot))
    const { sessionId = '' } = id === 'generate-session' ? JSON.parse(answer.body) : JSON.parse(text ?? '{}')
    return { method: shot.method, path: shot.path, trips, sessionId, ...answer }
  }
  const recording: Partial<Record<OperationId, Recorded>> = {}
  for (const { id } of routes) {
    await recordOne(id)
    recording[id] = await recordOne(id)
  }
  server.close()
  server.closeAllConnections()
  storage.client.destroy()
  return recording as Recording
}

/** The same storage, which takes note of each command. One request at a time. */
function recorder(storage: Storage) {
  const rounds = new Rounds()
  let trips: Call[][] = []
  const recorded = sendingThrough(storage, async (command, options) => {
    const [result] = await rounds.answer(() => {
      trips[rounds.begun - 1] ??= []
      trips[rounds.begun - 1]?.push({ command: command.constructor.name, input: command.input as Input })
      return storage.client.send(command, options)
    })
    return result
  })
  return {
    storage: recorded,
    async tripsOf<Result>(work: () => Promise<Result>): Promise<[Call[][], Result]> {
      trips = []
      rounds.begun = 0
      const result = await work()
      const made = trips
      trips = []
      return [made, result]
    },
  }
}
