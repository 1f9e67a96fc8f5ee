import { Command } from '@commander-js/extra-typings'
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
  const all = new Command(`${command} --`)
    .usage('NAME [options]')
    .helpCommand(false)
    .addHelpText('after', `\nEach explains itself: ${command} -- NAME --help`)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode && 2))
  for (const [name, [does, load]] of Object.entries(programs)) {
    all
      .command(name)
      .description(does)
      // The program reads its own options.
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => start(load))
  }
  await all.parseAsync()
}

async function start(load: () => Promise<Program>): Promise<void> {
  process.argv.splice(2, 1)
  try {
    const { help, run } = await load()
    if (help && process.argv.includes('--help')) process.stdout.write(help)
    else await run()
  } catch (error) {
    linesTo(process.stderr)(messageOf(error))
    process.exitCode = 1
  }
}
