import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Storage } from './storage.ts'

export type Send = (
  command: Parameters<DynamoDBDocumentClient['send']>[0],
  options?: { readonly abortSignal?: AbortSignal },
) => Promise<object>

/** The same storage, whose commands go through a function. */
export const sendingThrough = (storage: Storage, send: Send): Storage => ({
  ...storage,
  client: Object.assign(Object.create(storage.client), { send }),
})

/** The same storage, which makes no call and gives no answer after the signal has aborted. */
export const untilAborted = (storage: Storage, signal: AbortSignal): Storage =>
  sendingThrough(storage, async (command, { abortSignal } = {}) => {
    signal.throwIfAborted()
    const ends = abortSignal ? AbortSignal.any([signal, abortSignal]) : signal
    const answer = await storage.client.send(command, { abortSignal: ends })
    signal.throwIfAborted()
    return answer
  })

/** Calls to the database, and the capacity units that they consumed, unless they failed. */
export type Spent = { calls: number; units: number }

/** Answers of batches and transactions say what they consumed for each table. */
type Answer = { readonly ConsumedCapacity?: Consumed | readonly Consumed[] }
type Consumed = { readonly CapacityUnits?: number }

/** The same storage, which adds each call to `spent`, once for all attempts of the SDK. */
export const counting = (storage: Storage, spent: Spent): Storage =>
  sendingThrough(storage, async (command, options) => {
    spent.calls += 1
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' })
    const answer = await storage.client.send(command, options)
    for (const { CapacityUnits = 0 } of [(answer as Answer).ConsumedCapacity ?? []].flat())
      spent.units += CapacityUnits
    return answer
  })
