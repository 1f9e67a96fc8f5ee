import { sendingThrough } from './sending-through.ts'
import type { Storage } from './storage.ts'

/** Calls to the database, and the capacity units that reads and writes consumed. Those of a failed call are not known. */
export type Spent = { calls: number; units: number }

/** The part of an answer that says what was consumed. Answers of batches and transactions have it for each table. */
type Answer = { readonly ConsumedCapacity?: Consumed | readonly Consumed[] }
type Consumed = { readonly CapacityUnits?: number }

/** The same storage, which adds each call to what was spent. A call counts once, however often the SDK tries it. */
export const counting = (storage: Storage, spent: Spent): Storage =>
  sendingThrough(storage, async (command, options) => {
    spent.calls += 1
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' })
    const answer = await storage.client.send(command, options)
    for (const { CapacityUnits = 0 } of [(answer as Answer).ConsumedCapacity ?? []].flat()) spent.units += CapacityUnits
    return answer
  })
