import { constants } from 'node:os'
import { Command, CommanderError, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { printableLines } from '@embed-access/core/catalog/quoted.ts'
import { nearest } from '@embed-access/core/nearest.ts'
import { stageRule } from '../stacks/names.ts'
import { endingSignals, linesTo, messageOf, type Terminal, UsageError } from './terminal.ts'

/** What the help of a verb says besides its options. */
export type Explanation = {
  examples: readonly string[]
  deletes?: string
  /** What else the exit code 1 means here, besides “not done”. */
  one?: string
  more?: string
}

/** Makes a command that does something: a verb of a noun, or a command by itself. */
export const verb = (name: string, about: string, help: Explanation) =>
  new Command(name).description(about).addHelpText('after', ({ command }) => textOf(help, command))

function textOf(
  { examples, deletes = 'nothing', one, more = '' }: Explanation,
  command: Pick<Command, 'createHelp' | 'configureOutput'>,
): string {
  const lines = examples.map((example) => `  ${example}\n`).join('')
  const facts =
    `Deletes: ${deletes}.\n` +
    `Exit codes: 0 done; 1 not done${one === undefined ? '' : `, or ${one}`}; ` +
    '2 the arguments are not right, and nothing was done.'
  const width = command.configureOutput().getOutHelpWidth?.() ?? 100
  const text = command.createHelp().boxWrap(`${facts}\n\n${more}`.trim(), width)
  return `\nExamples:\n${lines}\n${text}`
}

/** A command that has only verbs, such as `keys`. */
export const noun =
  (name: string, about: string, verbs: readonly Maker[], help: string) => (terminal: Terminal) => {
    const command = new Command(name).description(about).addHelpText('after', help)
    for (const make of verbs) command.addCommand(make(terminal) as Command)
    return command
  }

type Maker = (terminal: Terminal) => object

export const quietOption = new Option('--quiet', 'shows no progress')
export const yesOption = new Option('--yes', 'asks nothing')

export const matching =
  (pattern: RegExp, message: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text
    throw new InvalidArgumentError(message)
  }

export const stageFrom = matching(stageRule.pattern, `It ${stageRule.words}`)

export function wholeNumber(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw new InvalidArgumentError('It must be a whole number.')
}

/** Makes a command and its verbs write to a terminal, and throw instead of ending the process. */
function attached(
  command: Command,
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  args: readonly string[],
): Command {
  command
    .exitOverride()
    .configureHelp({
      optionTerm: ({ flags, mandatory }) => (mandatory ? `${flags} (required)` : flags),
    })
    .showHelpAfterError(`See ${fullNameOf(command)} --help.`)
    .configureOutput({
      writeOut: (text) => out.write(printableLines(text)),
      writeErr: (text) => err.write(printableLines(text)),
      outputError: (text, write) => {
        const known = command.options.flatMap(({ long }) => long ?? [])
        write(withoutValues(asSentence(misspelt(text, known, args) ?? text), command, args))
      },
      getOutHelpWidth: () => out.columns ?? 100,
      getErrHelpWidth: () => out.columns ?? 100,
    })
  refuseRepeatedAndEmpty(command)
  for (const each of command.commands) attached(each as Command, { out, err }, args)
  return command
}

/**
 * Refuses an option that is given twice. Otherwise only the last value would count, and
 * `sessions revoke` with two users would end the tokens of one. Also refuses an empty value: the
 * shell gives it for a variable that is not set.
 */
function refuseRepeatedAndEmpty(command: Command): void {
  const given = new Set<Option>()
  for (const option of command.options.filter(({ required, variadic }) => required && !variadic))
    command.on(`option:${option.name()}`, (value) => {
      if (value === '') command.error(`error: option '${option.flags}' has an empty value`)
      if (given.has(option)) command.error(`error: option '${option.flags}' was given twice`)
      given.add(option)
    })
}

/** Says that a required option is misspelt, not that it is missing. */
function misspelt(
  text: string,
  options: readonly string[],
  args: readonly string[],
): string | undefined {
  if (!text.startsWith('error: required option')) return undefined
  const flags = args.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/s, ''))
  const unknown = flags.find((flag) => !options.includes(flag))
  const near = unknown && nearest(unknown, options)
  return near && `error: unknown option '${unknown}'\n(Did you mean ${near}?)\n`
}

const fullNameOf = (command: Command): string =>
  command.parent ? `${fullNameOf(command.parent as Command)} ${command.name()}` : command.name()

const asSentence = (text: string): string => {
  const plain = text.replace(/^error: /, '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/**
 * Somebody may have typed a key in the wrong place. So the message repeats no value after the first
 * two words.
 */
function withoutValues(text: string, command: Command, args: readonly string[]): string {
  const takesValue = (word = '') =>
    command.options.some(({ long, required }) => long === word && required)
  const values: string[] = []
  for (const [at, word] of args.entries()) {
    const isFlag = word.startsWith('-') && !takesValue(args[at - 1])
    const value = isFlag ? word.replace(/^[^=]*=?/, '') : word
    if (at >= 2 && value !== '') values.push(value)
  }
  // A shorter one may be a part of a longer one.
  values.sort((a, b) => b.length - a.length)
  let shown = withoutSecrets(text)
  for (const value of values) {
    for (const before of ["'", '=', ': ', ', ']) {
      for (const after of ["'", ',', '.']) {
        shown = shown.replaceAll(`${before}${value}${after}`, `${before}…${after}`)
      }
    }
  }
  return shown
}

/**
 * Hides keys, tokens and session ids in a text. A short name before a slash is a directory, not a
 * key.
 */
export const withoutSecrets = (text: string): string =>
  text.replaceAll(
    /(?<![A-Za-z0-9])(?:sk-(?![\w.-]{0,20}\/)|eyJ)[^\s']*|(?<![\w-])[\w-]{43}(?![\w-])/g,
    '…',
  )

/** Runs a command on a terminal. @returns its exit code */
export async function run(
  make: Maker,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const say = linesTo(terminal.err)
  try {
    const [first, ...others] = args
    const words = first === 'help' ? others : args
    const command = attached(make(terminal) as Command, terminal, words)
    if (first === 'help') helpFor(command, words)
    await command.parseAsync(words, { from: 'user' })
    return terminal.exitCode
  } catch (error) {
    const isArgument = error instanceof InvalidArgumentError
    // Commander has already printed its own refusals.
    if (error instanceof CommanderError && !isArgument) return error.exitCode === 0 ? 0 : 2
    say(withoutSecrets(messageOf(error)))
    return isArgument || error instanceof UsageError ? 2 : 1
  } finally {
    const said = terminal.afterwards?.()
    if (said !== undefined) say(said)
  }
}

function helpFor(command: Command, [name, ...below]: readonly string[]): never {
  if (name === undefined) command.help()
  const named = command.commands.find((each) => each.name() === name)
  return named ? helpFor(named as Command, below) : command.error(`Unknown command '${name}'`)
}

export async function runForProcess(make: Maker): Promise<void> {
  const { stdin, stdout, stderr, env, argv } = process
  const terminal: Terminal = {
    in: stdin,
    out: stdout,
    err: stderr,
    env,
    now: Date.now,
    exitCode: 0,
  }
  const sayInterrupted = (before = '') => {
    const said = terminal.interrupted?.()
    if (said !== undefined) linesTo(stderr)(before + said)
  }
  for (const signal of endingSignals) {
    process.once(signal, () => {
      if (terminal.endsItself) return
      sayInterrupted(stderr.isTTY ? '\n' : '')
      process.exit(128 + constants.signals[signal])
    })
  }
  const failed = (name: string) => (error: NodeJS.ErrnoException) => {
    if (name === 'output') sayInterrupted()
    if (error.code === 'EPIPE') {
      // The reader, such as head, has gone. The outcome is not known, so it ends as by SIGPIPE.
      if (name === 'output') process.exit(141)
      return
    }
    linesTo(stderr)(`Standard ${name} cannot be written (${error.code}).`)
    process.exit(1)
  }
  stdout.on('error', failed('output'))
  stderr.on('error', failed('error'))
  process.exitCode = await run(make, argv.slice(2), terminal)
}
