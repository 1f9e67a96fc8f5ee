import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { command } from '../../cli/command.ts'
import { type Folder, folders } from './folders.ts'

const help = `Usage: npm run prove -- mutants [FOLDER …] [options]

Makes small mistakes in the code by Stryker, one at a time, and lists those that no test notices. It takes the folders one
after the other, all if none is named, and ends with a table; with 1 if a folder's score is too low. The mistakes are made in
a copy of the project. What a test noticed before is not tried again until the code or the test changes.

  --again         tries everything again
  --workers N     how many processes try mistakes (default: as many as this machine has processors)
  --help          show this

Folders, each with the lowest score that passes:
${Object.entries(folders)
  .map(([name, { lowest }]) => `  ${name.padEnd(20)} ${lowest} %\n`)
  .join('')}`

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      again: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  if (!/^[1-9]\d*$/.test(values.workers)) throw new Error('--workers must be a whole number from 1 on.')
  const names = positionals.map((name) => name.replace(/\/$/, ''))
  for (const name of names) {
    if (!Object.hasOwn(folders, name))
      throw new Error(`${name} is none of the folders: ${Object.keys(folders).join(', ')}`)
  }
  const rows: string[] = []
  for (const name of names.length > 0 ? names : Object.keys(folders)) {
    rows.push(await tryFolder(name, folders[name] as Folder, values.again, Number(values.workers)))
  }
  process.stdout.write(
    `\n| folder | mistakes | noticed | not noticed | excused | minutes |\n|---|---|---|---|---|---|\n${rows.join('')}`,
  )
})

/** Tries the mistakes of a folder, lists those that nobody noticed, and gives a row of the table. */
async function tryFolder(name: string, { files, tests, lowest }: Folder, again: boolean, concurrency: number) {
  const begun = performance.now()
  process.env.MUTANTS_TESTS = tests.join(' ')
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Tests that set the time zone need a process.
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false, pool: 'forks' },
    // What a module does as it is loaded: all tests would have to be asked, each time from the beginning.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `node_modules/.cache/stryker/${name.replaceAll('/', '-')}.json`,
    force: again,
    concurrency,
    // A slow machine is no mistake that was noticed.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 30,
    thresholds: { high: lowest, low: lowest, break: lowest },
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false, skipFull: true },
    allowConsoleColors: false,
    tempDirName: '.stryker-tmp',
    // TypeScript 7 has no interface by which Stryker could read it.
    tsconfigFile: 'none',
  }).runMutationTest()
  const count = (...statuses: readonly string[]) => results.filter(({ status }) => statuses.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const unnoticed = count('Survived', 'NoCoverage')
  const score = ((100 * noticed) / (noticed + unnoticed)).toFixed(1)
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  const cells = [name, noticed + unnoticed, `${noticed} (${score} %)`, unnoticed, count('Ignored'), minutes]
  return `| ${cells.join(' | ')} |\n`
}
