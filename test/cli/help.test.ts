import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { commanded } from './environment.ts'

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
    (name) => name !== 'start' && !commands.some(([command]) => command === name),
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
    .filter(([name]) => name !== 'example')
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
    const { ended } = run(['scripts/prove.ts', 'mutants', 'no-folder', `--workers=${workers}`])
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
  '': ['start', 'usage', 'smoke', 'completion'],
} as const

/** Those that delete, or make that something works no longer. */
const deleting =
  'catalog import|catalog purge|catalog reconcile|keys revoke|keys init|keys rotate|' +
  'keys remove|sessions revoke|catalog dead'

describe.each(Object.entries(verbs))('npx embed-access %s', (name, own) => {
  test('names its verbs with --help, -h and help', async () => {
    const asks = [
      [name, '--help'],
      [name, '-h'],
      ['help', name],
    ]
    for (const words of asks) {
      const { code, output, said } = await commanded('', words)
      const [, commands = ''] = /\nCommands:\n([\s\S]+?)(\n\n|$)/.exec(output) ?? []
      const named = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, verb]) => verb)
      const usage = expect.stringContaining(`Usage: ${`embed-access ${name}`.trim()} `)
      expect([code, output, said]).toEqual([0, usage, ''])
      expect(named).toEqual(expect.arrayContaining([...own, 'help']))
    }
  })

  for (const verb of own)
    test(`explains ${verb}: examples, exit codes and what it deletes`, async () => {
      const { code, output, said } = await commanded(name, [verb, '--help'])
      const full = `embed-access ${name} ${verb}`.replace('  ', ' ')
      expect([code, said]).toEqual([0, ''])
      expect(output).toMatch(new RegExp(`^Usage: ${full} `))
      expect(output).toContain(full)
      expect(output.replaceAll('\n', ' ')).toMatch(
        / Exit codes: 0 done; 1 .+; 2 the arguments are not right, and nothing was done\./,
      )
      const byHelp = await commanded('help', name === '' ? [verb] : [name, verb])
      expect(byHelp).toMatchObject({ code, output, said })
      const [, deletes = ''] = /\nDeletes: (.+)\./.exec(output) ?? []
      expect(deletes !== 'nothing').toBe(deleting.split('|').includes(`${name} ${verb}`))
    })
})

test.each(['bash', 'zsh'])('%s completes verbs and options of the command', async (shell) => {
  const { output } = await commanded('completion', [shell])
  const script = output.replace('autoload -U +X bashcompinit && bashcompinit\n', '')
  const completed = (...words: readonly string[]) =>
    execFileSync('bash', [
      '-c',
      `${script}\nCOMP_WORDS=(embed-access "$@"); COMP_CWORD=$#; _embed_access
       echo "\${COMPREPLY[*]}"`,
      '-',
      ...words,
    ])
      .toString()
      .trim()
  expect(completed('ca')).toBe('catalog')
  expect(completed('catalog', 're')).toBe('reconcile redrive')
  expect(completed('keys', 'create', '--dep')).toBe('--deployments')
  expect(completed('catalog', 'import', 'x', '--dry')).toBe('--dry-run')
  expect(completed('keys', 'create', '--may', 'revoke')).toBe('revoke-session')
  expect(completed('keys', 'create', '--may', 'revoke-session', '--acc')).toBe('--account')
})
