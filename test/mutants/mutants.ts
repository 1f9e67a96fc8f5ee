import { hash } from 'node:crypto'
import { globSync, mkdirSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { command } from '../../cli/command.ts'
import { thoseThatCompile } from './compiles.ts'
import { install, instrument, version } from './instrument.ts'
import { keepNoticed, noticedBefore } from './noticed-before.ts'
import { observe } from './observe.ts'
import type { Mutant, Outcome } from './plan.ts'
import { report } from './report.ts'
import { work } from './work.ts'

const help = `Usage: npm run mutants -- PATH … [--tests GLOB …] [--seconds N] [--sample N] [--again]

Makes a small mistake in each place of files or folders of core, one at a time, and says which mistakes no test noticed.
Mistakes that the compiler refuses are left out. It ends with 1 if a mistake is neither noticed nor listed in
test/mutants/survivors.json with a reason. It installs Stryker's instrumenter ${version} first, which is no dependency of this
project. No file of the project changes.

A mistake that a test noticed before is not tried again until the file or the file of the test changes.

  --tests GLOB   the files of tests, instead of those that belong to the noun
  --seconds N    how long the tests take that are asked about one mistake; 10 if left out
  --sample N     tries so many of all mistakes, always the same ones, and says how far the share may be off
  --again        tries everything again

  npm run mutants -- core/access core/sessions/redeem.ts
`

const folder = resolve('node_modules/.cache/mutants')

const operations = 'test/operations/{isolation,refused-reads,trips}.test.ts'
const contract = 'test/contract/{document,catalog}.test.ts'
const keys = 'test/storage/stored-keys.test.ts'
const testsOf: Readonly<Record<string, readonly string[]>> = {
  access: ['test/{access,sessions}/*.test.ts', operations, 'test/gateway/authorizer.test.ts', keys],
  sessions: ['test/{sessions,access,embed-tenants}/*.test.ts', 'test/faults/*.test.ts', operations, contract, keys],
  workbooks: ['test/workbooks/*.test.ts', operations, keys],
  catalog: [
    'test/{catalog,embed-tenants,notifications,dbt-syncs}/*.test.ts',
    'test/feed/catalog-sync.test.ts',
    contract,
    keys,
  ],
}

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tests: { type: 'string', multiple: true },
      seconds: { type: 'string', default: '10' },
      sample: { type: 'string' },
      again: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.length === 0) {
    process.stdout.write(help)
    return
  }
  install()
  mkdirSync(folder, { recursive: true })
  const files = positionals
    .flatMap((path) => (statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`) : [path]))
    .toSorted()
  const { instrumented, mutants: all } = await instrument(files.map((file) => resolve(file)))
  const compiled = thoseThatCompile(all, folder)
  const mutants = values.sample === undefined ? compiled : sampleOf(compiled, Number(values.sample))
  const before = values.again ? new Map<string, Outcome>() : noticedBefore(mutants, folder)
  const left = mutants.flatMap(({ id }) => (before.has(id) ? [] : [id]))
  say(`${all.length} mistakes. The compiler refuses ${all.length - compiled.length}. ${left.length} are to try.`)

  const nouns = new Set(files.map((file) => relative('core', file).split('/')[0] as string))
  const globs = values.tests ?? [...nouns].flatMap((noun) => testsOf[noun] ?? [`test/${noun}/*.test.ts`])
  const testFiles = [...new Set(globSync(globs))].map((file) => resolve(file))
  const plan = { folder, instrumented, mutants: compiled, left, testFiles, patience: 1000 * Number(values.seconds) }
  const observed = left.length === 0 ? [] : await observe(plan)
  const broken = observed.filter(({ passed }) => !passed).map(({ file }) => relative('.', file))
  if (broken.length > 0) throw new Error(`These tests fail without any mistake: ${broken.join(', ')}`)
  say('The tests have shown what they reach.')
  const outcomes = left.length === 0 ? [] : await work<Outcome>({ ...plan, observed })
  const noticed = new Map([...before, ...outcomes.map((outcome) => [outcome.id, outcome] as const)])
  keepNoticed(mutants, noticed, folder)
  process.exitCode = report(mutants, noticed, compiled.length) ? 0 : 1
})

/** The same mutants each time, as long as the files do not change. */
function sampleOf(mutants: readonly Mutant[], count: number): Mutant[] {
  const order = ({ file, start, replacement }: Mutant) =>
    hash('sha256', `${relative('.', file)} ${start} ${replacement}`, 'hex')
  return mutants.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, count)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
