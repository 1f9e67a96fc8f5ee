import type { Storage } from './storage.ts'

/**
 * The same storage, whose calls end when the signal does. After that it makes no call.
 * @example const page = await listPage(untilAborted(storage, signal), list, request)
 */
export function untilAborted(storage: Storage, signal: AbortSignal): Storage {
  const send = async (command: never, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    signal.throwIfAborted()
    return storage.client.send(command, { abortSignal: abortSignal ? AbortSignal.any([signal, abortSignal]) : signal })
  }
  return { ...storage, client: Object.assign(Object.create(storage.client), { send }) }
}
