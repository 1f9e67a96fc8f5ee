import type { Storage } from '@embed-access/core/storage/storage.ts'
import { Rounds } from '../../bench/meter.ts'

/** What a request asks of the database. */
export type Trips = {
  /** The names of the calls, by the round trip that they belong to. */
  readonly trips: readonly (readonly string[])[]
  readonly readUnits: number
  readonly writeUnits: number
}

type Answer = { readonly ConsumedCapacity?: Units | readonly Units[] }
type Units = { readonly CapacityUnits?: number }

/** Keeps count of the calls that this storage's client makes. One measurement at a time. */
export function countTrips({ client }: Storage): (work: () => Promise<unknown>) => Promise<Trips> {
  const rounds = new Rounds()
  let counts = { trips: [] as string[][], readUnits: 0, writeUnits: 0 }
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const name = commandName.replace(/(Item)?Command$/, '')
        const [result] = await rounds.answer(() => {
          counts.trips[rounds.begun - 1] ??= []
          counts.trips[rounds.begun - 1]?.push(name)
          return next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
        })
        const { ConsumedCapacity } = result.output as Answer
        const isRead = /Get|Query/.test(name)
        for (const { CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) {
          counts[isRead ? 'readUnits' : 'writeUnits'] += CapacityUnits
        }
        return result
      },
    { step: 'initialize', priority: 'high', name: 'trips' },
  )
  return async (work) => {
    counts = { trips: [], readUnits: 0, writeUnits: 0 }
    rounds.begun = 0
    await work()
    return counts
  }
}
