import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

type Send = (command: object) => Promise<object>

/** The same tables, reached another way. */
export const sentBy = (storage: Storage, send: (command: object, on: Send) => Promise<object>): Storage =>
  sendingThrough(storage, (command, options) => send(command, (each) => storage.client.send(each as never, options)))

/** The same tables. Something else happens just before the n-th of the requests that are meant. */
export function interrupted(
  storage: Storage,
  n: number,
  isMeant: (command: object) => boolean,
  happens: () => Promise<unknown>,
): Storage {
  let count = 0
  return sentBy(storage, async (command, on) => {
    if (isMeant(command) && ++count === n) await happens()
    return on(command)
  })
}

/** The same tables, where some requests fail. It waits for nothing, and notes for how long it would have. */
function failing(storage: Storage, error: () => Error, fails: (command: object) => boolean) {
  const pauses: number[] = []
  const sending = sentBy(storage, (command, on) => (fails(command) ? Promise.reject(error()) : on(command)))
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds)
  }
  return { storage: { ...sending, pause }, pauses }
}

/** The same tables, whose database refuses requests by an error of this name. */
export const refusing = (storage: Storage, name: string, isRefused: (command: object) => boolean) =>
  failing(storage, () => Object.assign(new Error(name), { name }), isRefused)

/** The same tables, whose database refuses requests as it does when it is asked too much. */
export const throttled = (storage: Storage, isRefused: () => boolean) =>
  refusing(storage, 'ThrottlingException', isRefused)

/**
 * The same tables, whose first transactions are cancelled.
 * @param codes the reasons, one for each action; undefined: a reason without a code
 */
export function cancelling(storage: Storage, times: number, ...codes: (string | undefined)[]) {
  let left = times
  const CancellationReasons = codes.map((Code) => (Code === undefined ? {} : { Code }))
  return failing(
    storage,
    () => new TransactionCanceledException({ message: 'no', $metadata: {}, CancellationReasons }),
    (command) => command instanceof TransactWriteCommand && left-- > 0,
  )
}
