import { realpathSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Command, CommanderError, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { printableLines } from '@embed-access/core/catalog/quoted.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

/** Where text goes. On a terminal a line may be drawn again. */
export type Output = { write(text: string): unknown; readonly isTTY?: boolean | undefined }

/** What a command has of its surroundings: those of the process, or those that a test gives. */
export type Terminal = {
  readonly in: Readable & { readonly isTTY?: boolean }
  readonly out: Writable & Output
  readonly err: Output
  readonly env: NodeJS.ProcessEnv
  /** The time, in milliseconds since the epoch. */
  now(): number
  /** How it waits for the database, in milliseconds. */
  readonly pause?: Storage['pause']
  /**
   * 0: done. 1: something is wrong, or differs. 2: the arguments can't be used, and nothing was
   * done.
   */
  exitCode: number
  /** Cleans up where Ctrl-C ends the command, and says how to go on. */
  interrupted?: (() => string | undefined) | undefined
  /** Says how to go on once the command has ended, whether it failed or not. */
  afterwards?: (() => string | undefined) | undefined
}

/** Whatever a line says, a terminal obeys nothing of it. */
export const linesTo =
  (output: Output) =>
  (...lines: readonly string[]) =>
    void output.write(printableLines(lines.map((line) => `${line}\n`).join('')))

/** The arguments, or what they name, can't be used. Nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command that npm runs, without its verbs. What it refuses, it refuses in a sentence. */
export const program = (name: string, { out, err }: Terminal) =>
  new Command(`npm run ${name} --`)
    .exitOverride()
    .helpOption('--help', 'shows this')
    .helpCommand(false)
    .showHelpAfterError(`See npm run ${name} -- --help.`)
    .configureOutput({
      writeOut: (text) => out.write(printableLines(text)),
      writeErr: (text) => err.write(printableLines(text)),
      outputError: (text, write) => write(withoutKeys(asSentence(text))),
      getOutHelpWidth: () => 110,
      getErrHelpWidth: () => 110,
    })

/** A key that was given in the wrong place is not repeated. */
const withoutKeys = (text: string): string => text.replaceAll(/(?<![A-Za-z0-9])sk-[\w-]+/g, 'sk-…')

/** Without the values of arguments and options, which may be secrets. */
function asSentence(text: string): string {
  const plain = text
    .replace(/^error: /, '')
    .replace(/'(--?[\w-]+)=.*'/s, "'$1'")
    .replace(/(<\w+>') argument '.*' is invalid\./s, '$1 is invalid.')
    .replace(/^(too many arguments .* but got \d+): .*\.$/ms, '$1.')
    .replace(
      /^command-argument value '.*' is invalid for argument '(\w+)'\./s,
      'The argument <$1> is invalid.',
    )
  const unknown = /^unknown command '(.*)'([\s\S]*)$/.exec(plain)
  return unknown
    ? `${unknown[1]} is no command.${unknown[2]}`
    : plain.charAt(0).toUpperCase() + plain.slice(1)
}

export type Explanation = {
  readonly examples: readonly string[]
  readonly deletes?: string
  /** What the exit code 1 means here. */
  readonly one?: string
  readonly more?: string
}

export const more = ({
  examples,
  deletes = 'nothing',
  one = 'not done',
  more = '',
}: Explanation): string => `
Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Deletes: ${deletes}.
Exit codes: 0 done; 1 ${one}; 2 the arguments are not right, and nothing was done.${more && `\n\n${more}`}`

export function wholeNumber(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw new InvalidArgumentError('It must be a whole number.')
}

export const yesOption = new Option('--yes', 'asks nothing')

/**
 * Asks a person to type a word before something is done that can't be undone.
 * @param what would be done, as a sentence
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
  for await (const answer of createInterface({ input: terminal.in })) {
    if (answer.trim() === word) return
    break
  }
  throw new Error('Nothing was done.')
}

type Program = {
  parseAsync(args: readonly string[], from: { readonly from: 'user' }): Promise<unknown>
}

/** Runs a command on a terminal. @returns its exit code */
export async function run(
  make: (terminal: Terminal) => Program,
  args: readonly string[],
  terminal: Terminal,
) {
  const say = linesTo(terminal.err)
  try {
    await make(terminal).parseAsync(args, { from: 'user' })
    return terminal.exitCode
  } catch (error) {
    const isArgument = error instanceof InvalidArgumentError
    // What commander refuses, it has said.
    if (error instanceof CommanderError && !isArgument) return error.exitCode === 0 ? 0 : 2
    say(withoutKeys(messageOf(error)))
    return isArgument || error instanceof UsageError ? 2 : 1
  } finally {
    const said = terminal.afterwards?.()
    if (said !== undefined) say(said)
  }
}

/**
 * Runs a command for the process, if it is the process's own file and not imported.
 * @param meta of the command's file
 */
export async function main(meta: ImportMeta, make: (terminal: Terminal) => Program): Promise<void> {
  const [, file, ...args] = process.argv
  if (file === undefined || realpathSync(file) !== fileURLToPath(meta.url)) return
  const { stdin, stdout, stderr, env } = process
  const terminal: Terminal = {
    in: stdin,
    out: stdout,
    err: stderr,
    env,
    now: Date.now,
    exitCode: 0,
  }
  process.once('SIGINT', () => {
    const said = terminal.interrupted?.()
    if (said !== undefined) linesTo(stderr)(`${stderr.isTTY ? '\n' : ''}${said}`)
    process.exit(130)
  })
  // Whoever read the output, such as head, has enough of it.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  process.exitCode = await run(make, args, terminal)
}

/**
 * Runs a command of the terminal. If it throws, the message goes to stderr, and the exit code is 1.
 */
export async function command(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    linesTo(process.stderr)(messageOf(error))
    process.exitCode = 1
  }
}

/** An error of several attempts to connect has no message of its own. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}
