import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { command } from '../../cli/command.ts'

const help = `Usage: npm run mutants -- PATH …

Makes a small mistake in each place of files or folders of core, one at a time, and says which mistakes no test of their noun
noticed, nor the tests of every operation. Installs Stryker first, which is no dependency of this project. It changes the files and puts them back: do not edit meanwhile.
What has not changed since the last run is not tried again.

  npm run mutants -- core/access core/sessions/redeem.ts
`

const version = '10.1.1'
const ofEveryOperation = ['guards', 'isolation', 'verdicts'].map((name) => `test/operations/${name}.test.ts`)
const cache = 'node_modules/.cache/mutants'

await command(async () => {
  const paths = process.argv.slice(2)
  if (paths.length === 0 || paths.includes('--help')) {
    process.stdout.write(help)
    return
  }
  install()
  await mkdir(cache, { recursive: true })
  await writeFile(`${cache}/stryker.json`, JSON.stringify(configuration(paths), undefined, 2))
  const nouns = new Set(paths.map((path) => path.split('/')[1]))
  const tests = [...nouns].map((noun) => `test/${noun}/*.test.ts`)
  const env = { ...process.env, TESTS_AGAINST_MUTANTS: JSON.stringify([...tests, ...ofEveryOperation]) }
  process.exitCode = spawnSync('stryker', ['run', `${cache}/stryker.json`], { stdio: 'inherit', env }).status ?? 1
})

function install(): void {
  try {
    const { version: installed } = JSON.parse(
      execFileSync('npm', ['pkg', 'get', 'version', '--json'], {
        cwd: 'node_modules/@stryker-mutator/core',
      }).toString(),
    )
    if (installed === version) return
  } catch {
    // It is not there yet.
  }
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`)
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...packages], { stdio: 'inherit' })
}

function configuration(paths: readonly string[]): object {
  return {
    mutate: paths.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.ts` : path)),
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.ts' },
    // In a copy, node_modules would lead back to the core that has no mutants.
    inPlace: true,
    // TypeScript 7 has no interface for Stryker to read its configuration by.
    tsconfigFile: 'none',
    // What runs once as a file is loaded, such as schemas, would take all tests for each mutant.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 60_000,
    incremental: true,
    incrementalFile: `${cache}/results.json`,
    tempDirName: `${cache}/temporary`,
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, logTests: false },
  }
}
