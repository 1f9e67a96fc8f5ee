import type { Storage } from './storage.ts'

/**
 * The same storage, whose calls end when the signal does. After that it makes no call, and gives no answer.
 * @example const page = await listPage(untilAborted(storage, signal), list, request)
 */
export function untilAborted(storage: Storage, signal: AbortSignal): Storage {
  const send = async (command: never, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    signal.throwIfAborted()
    const ends = abortSignal ? AbortSignal.any([signal, abortSignal]) : signal
    const answer = await storage.client.send(command, { abortSignal: ends })
    signal.throwIfAborted()
    return answer
  }
  return { ...storage, client: Object.assign(Object.create(storage.client), { send }) }
}
