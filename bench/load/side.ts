import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own, to which requests are sent. */
export type Side = {
  readonly name: string
  readonly url: string
  /** What the process has used of the CPU since it began, in milliseconds. */
  cpuMs(): Promise<number>
  /** What it holds after a collection of garbage. */
  memory(): Promise<Memory>
  stop(): void
}

/** In MB. */
export type Memory = { readonly rss: number; readonly heap: number }

/**
 * Starts a server of this folder. It ends with this process.
 * @param given what {@link serveSide} hands to it
 */
export async function startSide(name: string, file: string, given: object): Promise<Side> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
    // Its lines of log go nowhere, but it writes them.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The server "${name}" ended.`)
  })
  ended.catch(() => {})
  const answer = async (question: unknown): Promise<unknown> => {
    const answered = once(child, 'message')
    // Where there is no child any more, its end says so.
    child.send(question as object, () => {})
    const [message] = await Promise.race([answered, ended])
    return message
  }
  const { port } = (await answer(given)) as { port: number }
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    cpuMs: async () => (await answer('cpu')) as number,
    memory: async () => (await answer('memory')) as Memory,
    stop: () => child.disconnect(),
  }
}
