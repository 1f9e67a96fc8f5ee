import type { Storage } from '@embed-access/core/storage/storage.ts'

export type WrittenKey = { readonly pk: string; readonly sk?: string }

/** Storage that asks before each write, one write after the other; a write that is refused is not made. */
export function askingBefore(
  ask: (key: WrittenKey, writes: number) => void | Promise<void>,
  { client, ...rest }: Storage,
): Storage {
  let writes = 0
  let turn: Promise<void> = Promise.resolve()
  const send = async (command: Parameters<typeof client.send>[0]) => {
    const key = writtenKey(command.input as Written)
    if (key) {
      turn = turn.then(() => ask(key, writes++))
      await turn
    }
    return client.send(command)
  }
  return { client: { send } as unknown as Storage['client'], ...rest }
}

/** Named so that a test can tell it from a failure of the code. */
export class Stopped extends Error {}

/** Storage that a process uses until it is stopped, after so many writes, and what it has written until then. */
export function stoppingAfter(allowed: number, storage: Storage): { storage: Storage; written: WrittenKey[] } {
  const written: WrittenKey[] = []
  const stop = (key: WrittenKey, writes: number) => {
    if (writes >= allowed) throw new Stopped()
    written.push(key)
  }
  return { storage: askingBefore(stop, storage), written }
}

type Written = { readonly Item?: WrittenKey; readonly Key?: WrittenKey }

/** Puts, updates and deletes name one item; reading here goes by batch and by query. */
const writtenKey = ({ Item, Key }: Written): WrittenKey | undefined => Item ?? Key
