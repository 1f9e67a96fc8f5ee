import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Storage } from './storage.ts'

export type Send = (
  command: Parameters<DynamoDBDocumentClient['send']>[0],
  options?: { readonly abortSignal?: AbortSignal },
) => Promise<object>

/**
 * The same storage, whose commands go through a function, which may send them on by the client that
 * was there before.
 */
export const sendingThrough = (storage: Storage, send: Send): Storage => ({
  ...storage,
  client: Object.assign(Object.create(storage.client), { send }),
})

/**
 * The same storage, whose calls end when the signal aborts. After that it makes no call and gives
 * no answer.
 */
export const untilAborted = (storage: Storage, signal: AbortSignal): Storage =>
  sendingThrough(storage, async (command, { abortSignal } = {}) => {
    signal.throwIfAborted()
    const ends = abortSignal ? AbortSignal.any([signal, abortSignal]) : signal
    const answer = await storage.client.send(command, { abortSignal: ends })
    signal.throwIfAborted()
    return answer
  })

/**
 * Calls to the database, and the capacity units that reads and writes consumed. Those of a failed
 * call are not known.
 */
export type Spent = { calls: number; units: number }

/**
 * The part of an answer that says what was consumed. Answers of batches and transactions have it
 * for each table.
 */
type Answer = { readonly ConsumedCapacity?: Consumed | readonly Consumed[] }
type Consumed = { readonly CapacityUnits?: number }

/**
 * The same storage, which adds each call to what was spent. A call counts once, however often the
 * SDK tries it.
 */
export const counting = (storage: Storage, spent: Spent): Storage =>
  sendingThrough(storage, async (command, options) => {
    spent.calls += 1
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' })
    const answer = await storage.client.send(command, options)
    for (const { CapacityUnits = 0 } of [(answer as Answer).ConsumedCapacity ?? []].flat())
      spent.units += CapacityUnits
    return answer
  })
