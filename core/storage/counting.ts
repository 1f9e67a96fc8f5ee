import type { Storage } from './storage.ts'

/**
 * The same storage, which tells of each call. A call counts once, however often the SDK tries it.
 * @example const storage = counting(runtime.storage, () => { calls += 1 })
 */
export function counting(storage: Storage, onCall: () => void): Storage {
  const send = (command: never, options: never) => {
    onCall()
    return storage.client.send(command, options)
  }
  return { ...storage, client: Object.assign(Object.create(storage.client), { send }) }
}
