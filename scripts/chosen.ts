import { printableLines } from '@embed-access/core/catalog/quoted.ts'
import { linesTo, messageOf } from '../cli/terminal.ts'

/** A program reads its arguments from `process.argv`. One without `help` handles --help. */
type Program = { readonly help?: string; readonly run: () => unknown }

/** By name. */
type Programs = Record<string, readonly [does: string, load: () => Promise<Program>]>

/**
 * Runs the program that the first argument names, with the arguments after it. If the program
 * throws, its message goes to stderr, and the exit code is 1. Without a program the code is 2.
 */
export async function startChosen(command: string, programs: Programs): Promise<void> {
  const [name = ''] = process.argv.splice(2, 1)
  const program = Object.hasOwn(programs, name) && programs[name]
  if (program) return start(program[1])
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

async function start(load: () => Promise<Program>): Promise<void> {
  try {
    const { help, run } = await load()
    if (help && process.argv.includes('--help')) process.stdout.write(help)
    else await run()
  } catch (error) {
    linesTo(process.stderr)(messageOf(error))
    process.exitCode = 1
  }
}
