import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
}

/**
 * The commands of npm that run a file of this project, each with its file. The others run a tool
 * with options of its own.
 */
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const file = /^(?:exec |npm run build -w client && )?node (\S+\.ts)$/.exec(script)?.[1]
  return file === undefined ? [] : [[name, file] as const]
})

test('CONTRIBUTING.md names the commands of npm that do not explain themselves', () => {
  const others = Object.keys(scripts).filter(
    (name) =>
      !scripts[name]?.includes('cli/embed-access.ts') &&
      !commands.some(([command]) => command === name),
  )
  expect(others).toEqual(['test', 'check', 'format', 'infra'])
  const page = readFileSync('CONTRIBUTING.md', 'utf8').replaceAll(/\s+/g, ' ')
  expect(page).toContain(
    'Each explains itself with `-- --help`. Exceptions are the tests, `check`, `format` ' +
      'and `infra`, which run tools with options of their own.',
  )
})

const programs = {
  'bench/bench.ts': ['pages', 'writes', 'cold', 'load', 'feed', 'usage'],
  'scripts/prove.ts': [
    'aws',
    'browser',
    'clients',
    'dynamodb-local',
    'fuzz',
    'lambda',
    'mutants',
    'newcomer',
    'published',
    'simulate',
    'soak',
  ],
}

test.each([
  ...commands
    // test/examples asks this one: it uses the built client, which a fresh clone does not have.
    .filter(([name, file]) => name !== 'example' && !(file in programs))
    .map(([name, file]) => [`run ${name}`, file]),
  ...Object.entries(programs).flatMap(([file, names]) =>
    names.map((name) => [`run ${file.replace(/.*\/|\.ts/g, '')} -- ${name}`, file, name]),
  ),
] as [string, string, ...string[]][])(
  'npm %s explains itself with --help',
  async (called, file, ...name) => {
    const printed = expect.stringMatching(`^Usage: npm ${called}[ \n]`)
    expect(await run([file, ...name, '--help']).ended).toEqual({ code: 0, printed })
  },
)

test.each([
  ['--lines', '10', 'a multiple of 1000'],
  ['--lines', 'x', 'a multiple of 1000'],
  ['--users', '0', 'a whole number above 0'],
])('npm run bench -- usage does not take %s %s, but %s', async (option, number, what) => {
  const printed = `${option} takes ${what}.\n`
  const { ended } = run(['bench/bench.ts', 'usage', option, number])
  expect(await ended).toEqual({ code: 1, printed })
})

// Both begin with scripts/chosen.ts.
test.each([
  ['bench/bench.ts', 0, /^Usage: npm run bench -- NAME /, ['--help']],
  ['scripts/prove.ts', 0, /^Usage: npm run prove -- NAME /, ['--help']],
  ['scripts/prove.ts', 2, /^error: unknown command 'lamda'\n\(Did you mean lambda\?\)/, ['lamda']],
  ['scripts/prove.ts', 2, /^error: unknown command 'toString'/, ['toString']],
  ['scripts/prove.ts', 2, /^Usage: npm run prove -- NAME /, []],
] as const)(
  '%s ends with %i, says %s and which programs there are, with %j',
  async (file, ending, said, args) => {
    const { code, printed } = await run([file, ...args]).ended
    expect([code, printed]).toEqual([ending, expect.stringMatching(said)])
    const named = [...printed.matchAll(/^ {2}([\w-]+) {2}/gm)].map(([, name]) => name)
    expect(named).toEqual(programs[file])
  },
)

test('npm run prove -- mutants refuses a number of workers that is none', async () => {
  // No such folder, so that nothing is tried in any case.
  const { ended } = run(['scripts/prove.ts', 'mutants', 'no-folder', '--workers=0.5'])
  const printed = '--workers must be a whole number from 1 on.\n'
  expect(await ended).toEqual({ code: 1, printed })
})

const cwd = temporaryDirectory()

test('npm run openapi -- --check ends with 1 where a file is old, and writes none', () => {
  const script = [resolve('scripts/openapi.ts'), '--check']
  const { status, stdout } = spawnSync(process.execPath, script, { cwd, encoding: 'utf8' })
  expect([status, stdout.split('\n')[0]]).toEqual([1, 'docs/openapi.json is out of date'])
  expect(readdirSync(cwd)).toEqual([])
})
