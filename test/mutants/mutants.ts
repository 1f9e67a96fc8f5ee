import { availableParallelism } from 'node:os'
import { Argument, Command } from '@commander-js/extra-typings'
import { type Folder, folders } from './folders.ts'

const scores = Object.entries(folders).map(
  ([name, { lowest }]) => `  ${name.padEnd(20)} ${lowest} %\n`,
)

const program = new Command('npm run prove -- mutants')
  .configureOutput({ getOutHelpWidth: () => 100 })
  .description(
    'Makes small mistakes in the code by Stryker, one at a time, and lists those that no test ' +
      'notices. It takes one folder after the other, and ends with a table. It ends with 1 if ' +
      'the score of a folder is too low. It works in a copy of the project. What a test noticed ' +
      'before is not tried again until the code or the test changes.',
  )
  .addArgument(
    new Argument('[folders...]').choices(Object.keys(folders)).default(Object.keys(folders), 'all'),
  )
  .option('--again', 'tries everything again', false)
  .option(
    '--workers <number>',
    'how many processes try mistakes',
    fromOneOn,
    availableParallelism(),
  )
  .addHelpText('after', `\nFolders, each with the lowest score that passes:\n${scores.join('')}`)

export async function run(): Promise<void> {
  const { workers, again } = program.parse().opts()
  const rows: string[] = []
  for (const name of program.processedArgs[0])
    rows.push(await tryFolder(name, folders[name] as Folder, again, workers))
  process.stdout.write(
    '\n| folder | mistakes | noticed | not noticed | excused | minutes |\n' +
      `|---|---|---|---|---|---|\n${rows.join('')}`,
  )
}

function fromOneOn(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error('--workers must be a whole number from 1 on.')
  return Number(text)
}

/**
 * Tries the mistakes of a folder, lists those that nobody noticed, and gives a row of the table.
 */
async function tryFolder(
  name: string,
  { files, tests, lowest }: Folder,
  again: boolean,
  concurrency: number,
) {
  const begun = performance.now()
  process.env.MUTANTS_TESTS = tests.join(' ')
  // The help and a refusal do not wait until it is loaded.
  const { Stryker } = await import('@stryker-mutator/core')
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Tests that set the time zone need a process.
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false, pool: 'forks' },
    // What a module does as it is loaded: all tests would have to be asked, each time from the
    // beginning.
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
    // Nothing checks types here, and a test compares generated sources with what is committed.
    disableTypeChecks: false,
    // TypeScript 7 has no interface by which Stryker could read it.
    tsconfigFile: 'none',
  }).runMutationTest()
  const count = (...statuses: readonly string[]) =>
    results.filter(({ status }) => statuses.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  const unnoticed = count('Survived', 'NoCoverage')
  const score = ((100 * noticed) / (noticed + unnoticed)).toFixed(1)
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  const cells = [
    name,
    noticed + unnoticed,
    `${noticed} (${score} %)`,
    unnoticed,
    count('Ignored'),
    minutes,
  ]
  return `| ${cells.join(' | ')} |\n`
}
