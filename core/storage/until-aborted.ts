import { sendingThrough } from './sending-through.ts'
import type { Storage } from './storage.ts'

/** The same storage, whose calls end when the signal aborts. After that it makes no call and gives no answer. */
export const untilAborted = (storage: Storage, signal: AbortSignal): Storage =>
  sendingThrough(storage, async (command, { abortSignal } = {}) => {
    signal.throwIfAborted()
    const ends = abortSignal ? AbortSignal.any([signal, abortSignal]) : signal
    const answer = await storage.client.send(command, { abortSignal: ends })
    signal.throwIfAborted()
    return answer
  })
