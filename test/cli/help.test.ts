import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { commanded, isCommand } from './environment.ts'

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

test('The README names the commands that do not explain themselves', () => {
  const others = Object.keys(scripts).filter(
    (name) => !commands.some(([command]) => command === name),
  )
  expect(others).toEqual(['test', 'check', 'format', 'infra'])
  const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ')
  expect(readme).toContain(
    'Each explains itself with `-- --help`. Exceptions are the tests, `check`, `format` ' +
      'and `infra`, which run tools with options of their own.',
  )
})

// The example's code uses the built client, which a fresh clone does not have.
beforeAll(() => promisify(execFile)('npm', ['run', 'build', '--workspace', 'client']))

const programs = {
  'bench/bench.ts': ['pages', 'writes', 'cold', 'load', 'feed'],
  'test/prove.ts': ['browser', 'dynamodb-local', 'fuzz', 'mutants', 'newcomer', 'simulate', 'soak'],
}

test.each([
  ...commands
    .filter(([name]) => !isCommand(name))
    .map(([name, file]) => [name === 'start' ? name : `run ${name}`, file]),
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

describe.each(Object.entries(programs))('%s', (file, names) => {
  test.each([
    [0, /^Usage: /, ['--help']],
    [2, /^There is no pagse\./, ['pagse']],
    [2, /^There is no toString\./, ['toString']],
    [2, /^A name is missing\./, []],
  ])('ends with %i, says %s and which programs there are, with %j', async (ending, said, args) => {
    const { code, printed } = await run([file, ...args]).ended
    expect([code, printed]).toEqual([ending, expect.stringMatching(said)])
    expect([...printed.matchAll(/^ {2}(\S+) {3}/gm)].map(([, name]) => name)).toEqual(names)
  })
})

test.each(['x', '0', '1.5'])(
  'npm run prove -- mutants refuses a number of workers that is none: %s',
  async (workers) => {
    // No such folder, so that nothing is tried in any case.
    const { ended } = run(['test/prove.ts', 'mutants', 'no-folder', `--workers=${workers}`])
    expect(await ended).toEqual({
      code: 1,
      printed: '--workers must be a whole number from 1 on.\n',
    })
  },
)

const verbs = {
  catalog: [
    'init',
    'import',
    'export',
    'purge',
    'check',
    'explain',
    'reconcile',
    'send',
    'dead',
    'redrive',
  ],
  keys: ['create', 'list', 'revoke', 'init', 'rotate', 'public', 'remove'],
  sessions: ['revoke', 'trace'],
  smoke: [],
} as const

/** Those that delete, or make that something works no longer. */
const deleting =
  'catalog import|catalog purge|catalog reconcile|keys revoke|keys init|keys rotate|keys ' +
  'remove|sessions revoke'

describe.each(Object.entries(verbs) as ['catalog', readonly string[]][])(
  'npm run %s',
  (name, own) => {
    test('with --help names its verbs', async () => {
      const { code, output, said } = await commanded(name, ['--help'])
      const [, commands = ''] = /\nCommands:\n([\s\S]+?)\n\n/.exec(output) ?? []
      const named = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, verb]) => verb)
      expect([code, output, said]).toEqual([
        0,
        expect.stringContaining(`Usage: npm run ${name} -- `),
        '',
      ])
      expect(named).toEqual(own)
    })

    for (const verb of own)
      test(`-- ${verb} --help has examples, exit codes and what it deletes`, async () => {
        const { code, output, said } = await commanded(name, [verb, '--help'])
        expect([code, said]).toEqual([0, ''])
        expect(output).toMatch(new RegExp(`^Usage: npm run ${name} -- ${verb} `))
        expect(output).toContain(`\nExamples:\n  npm run ${name} -- ${verb}`)
        expect(output).toMatch(
          /\nExit codes: 0 done; 1 .+; 2 the arguments are not right, and nothing was done\./,
        )
        const [, deletes = ''] = /\nDeletes: (.+)\./.exec(output) ?? []
        expect(deletes !== 'nothing').toBe(deleting.split('|').includes(`${name} ${verb}`))
      })
  },
)
