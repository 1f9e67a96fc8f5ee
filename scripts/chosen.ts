import { printableLines } from '@embed-access/core/catalog/quoted.ts'
import { linesTo, messageOf } from '../cli/terminal.ts'

/** By name. A program reads its arguments from `process.argv`. */
export type Programs = Record<string, readonly [does: string, start: () => Promise<unknown>]>

/**
 * Starts the program that the first argument names, with the arguments after it. Without one the
 * exit code is 2.
 */
export async function startChosen(command: string, programs: Programs): Promise<void> {
  const [name = ''] = process.argv.splice(2, 1)
  const program = Object.hasOwn(programs, name) && programs[name]
  if (program) return void (await program[1]())
  const width = Math.max(...Object.keys(programs).map((each) => each.length))
  const list = Object.entries(programs).map(
    ([each, [does]]) => `  ${each.padEnd(width)}   ${does}\n`,
  )
  const help =
    `Usage: ${command} -- NAME [options]\n\n${list.join('')}\n` +
    `Each explains itself: ${command} -- NAME --help\n`
  if (name === '--help') {
    process.stdout.write(help)
    return
  }
  const what = name === '' ? 'A name is missing.' : `There is no ${name}.`
  process.stderr.write(printableLines(`${what}\n\n${help}`))
  process.exitCode = 2
}

/** Runs a program. If it throws, the message goes to stderr, and the exit code is 1. */
export async function command(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    linesTo(process.stderr)(messageOf(error))
    process.exitCode = 1
  }
}
