import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { printableLines, quoted } from '@embed-access/core/catalog/quoted.ts'
import type { connect, Storage } from '@embed-access/core/storage/storage.ts'

/** Where text goes. On a terminal a line may be drawn again. */
export type Output = {
  write(text: string): unknown
  isTTY?: boolean | undefined
  /** How wide the terminal is. 0 if it does not know. */
  columns?: number
  /** The clock that paces lines of progress, in milliseconds. By default that of the process. */
  now?(): number
}

/** What surrounds a command: a process, or what a test gives. */
export type Terminal = {
  in: Readable & { isTTY?: boolean }
  out: Writable & Output
  err: Output
  env: NodeJS.ProcessEnv
  now(): number
  pause?: Storage['pause']
  connect?: typeof connect
  /** 0: done. 1: something is wrong, or differs. 2: the arguments can't be used. */
  exitCode: number
  /** Cleans up if a signal or an unwritable output ends the command, and says how to go on. */
  interrupted?: (() => string | undefined) | undefined
  /** Whether the command itself ends the process at a signal. */
  endsItself?: boolean
  /** Says how to go on once the command has ended, whether it failed or not. */
  afterwards?: (() => string | undefined) | undefined
}

/** The signals that end a command. A terminal that closes sends SIGHUP. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Writes a text of one or several lines, without the characters that a terminal would obey. */
export const linesTo = (output: Output) => (text: string) =>
  void output.write(printableLines(`${text}\n`))

export function sayItReads({ in: input, err }: Pick<Terminal, 'in' | 'err'>): void {
  if (input.isTTY) linesTo(err)('Reading standard input …')
}

/** The arguments, or what they name, can't be used. Nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Asks a person to type a word before the command does what cannot be undone.
 * @param what the command would do, as a sentence
 * @throws UsageError where there is no person
 */
export async function requireConsent(
  terminal: Terminal,
  what: string,
  word: string,
  yes = false,
): Promise<void> {
  if (yes) return
  if (!terminal.in.isTTY) throw new UsageError(`${what} Nothing was done. To do it, add --yes.`)
  terminal.err.write(`${printableLines(what)} Type ${word} to do it: `)
  const lines = createInterface({ input: terminal.in })
  const [answer = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  // This pauses standard input. Otherwise it would keep the process alive.
  lines.close()
  if (answer.trim() !== word) throw new Error('Nothing was done.')
}

/** Text of a request may be anything. As JSON it has nothing that a terminal would obey. */
export const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:/{}#@-]+$/.test(value) ? value : quoted(value)

/** An error of several attempts to connect has no message of its own. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}

/** The sentence about an error, by its code, name or message, for which `{message}` stands. */
export function reasonIn(reasons: Record<string, string>, error: unknown): string | undefined {
  const { code = '', name, message } = error as NodeJS.ErrnoException
  const reason = reasons[code] ?? reasons[name] ?? reasons[message]
  return reason?.replace('{message}', () => message)
}
