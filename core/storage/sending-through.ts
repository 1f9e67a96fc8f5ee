import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Storage } from './storage.ts'

export type Send = (
  command: Parameters<DynamoDBDocumentClient['send']>[0],
  options?: { readonly abortSignal?: AbortSignal },
) => Promise<object>

/** A copy of the storage that sends its commands through a function. */
export const sendingThrough = (storage: Storage, send: Send): Storage => ({
  ...storage,
  client: Object.assign(Object.create(storage.client), { send }),
})

/** A copy of the storage. After the signal aborts, it makes no call and gives no answer. */
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

/** A copy of the storage that adds each call to `spent`. All attempts of a command count once. */
export const counting = (storage: Storage, spent: Spent): Storage =>
  sendingThrough(storage, async (command, options) => {
    spent.calls += 1
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' })
    const answer = await storage.client.send(command, options)
    const { ConsumedCapacity = [] } = answer as Answer
    for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) spent.units += CapacityUnits
    return answer
  })
