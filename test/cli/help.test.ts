import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { commanded, isCommand } from './environment.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

/** The commands of npm that run a file of this project, each with its file. The others run a tool with options of its own. */
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const file = /^(?:exec |npm run build -w client && )?node (\S+\.ts)$/.exec(script)?.[1]
  return file === undefined ? [] : [[name, file] as const]
})

test('The README names the commands that do not explain themselves', () => {
  const others = Object.keys(scripts).filter((name) => !commands.some(([command]) => command === name))
  expect(others).toEqual(['test', 'check', 'format', 'infra'])
  const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ')
  expect(readme).toContain(
    'Each explains itself with `-- --help`. Exceptions are the tests, `check`, `format` and `infra`, which run tools with options of their own.',
  )
})

// The example's code uses the built client, which a fresh clone does not have.
beforeAll(() => promisify(execFile)('npm', ['run', 'build', '--workspace', 'client']))

test.each(commands.filter(([name]) => !isCommand(name)))(
  'npm run %s explains itself with --help',
  async (name, file) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, '--help'])
    const called = name === 'start' ? 'npm start' : `npm run ${name}`
    expect([stdout.split('\n')[0], stderr]).toEqual([expect.stringMatching(`^Usage: ${called}(?: |$)`), ''])
  },
)

const verbs = {
  catalog: ['init', 'import', 'export', 'purge', 'check', 'explain', 'reconcile', 'send', 'dead', 'redrive'],
  keys: ['create', 'list', 'revoke', 'init', 'rotate', 'public', 'remove'],
  sessions: ['revoke', 'trace'],
  smoke: [],
} as const

/** Those that delete, or make that something works no longer. */
const deleting =
  'catalog import|catalog purge|catalog reconcile|keys revoke|keys init|keys rotate|keys remove|sessions revoke'

describe.each(Object.entries(verbs) as ['catalog', readonly string[]][])('npm run %s', (name, own) => {
  test('with --help names its verbs', async () => {
    const { code, output, said } = await commanded(name, ['--help'])
    const [, commands = ''] = /\nCommands:\n([\s\S]+?)\n\n/.exec(output) ?? []
    const named = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, verb]) => verb)
    expect([code, output, said]).toEqual([0, expect.stringContaining(`Usage: npm run ${name} -- `), ''])
    expect(named).toEqual(own)
  })

  for (const verb of own)
    test(`-- ${verb} --help has examples, exit codes and what it deletes`, async () => {
      const { code, output, said } = await commanded(name, [verb, '--help'])
      expect([code, said]).toEqual([0, ''])
      expect(output).toMatch(new RegExp(`^Usage: npm run ${name} -- ${verb} `))
      expect(output).toContain(`\nExamples:\n  npm run ${name} -- ${verb}`)
      expect(output).toMatch(/\nExit codes: 0 done; 1 .+; 2 the arguments are not right, and nothing was done\./)
      const [, deletes = ''] = /\nDeletes: (.+)\./.exec(output) ?? []
      expect(deletes !== 'nothing').toBe(deleting.split('|').includes(`${name} ${verb}`))
    })
})

/** What `npm run COMMAND -- …` prints, and its exit code, of a program that runs in this process. */
async function run(command: string, ...args: readonly string[]) {
  const file = scripts[command]?.replace(/^node /, '') as string
  const { argv } = process
  const printed = { stdout: '', stderr: '' }
  onTestFinished(() => {
    process.argv = argv
    process.exitCode = undefined
    vi.restoreAllMocks()
  })
  process.argv = [process.execPath, file, ...args]
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text)
      return true
    })
  }
  vi.resetModules()
  await import(/* @vite-ignore */ `../../${file}`)
  return { ...printed, code: process.exitCode ?? 0 }
}

const programs = {
  bench: ['pages', 'writes', 'cold', 'load', 'feed'],
  prove: ['browser', 'dynamodb-local', 'fuzz', 'mutants', 'newcomer', 'simulate', 'soak'],
}

describe.each(Object.entries(programs))('npm run %s', (command, names) => {
  test.each([['--help'], ['pagse'], ['toString'], []])('with %s says which programs there are', async (...args) => {
    const { stdout, stderr, code } = await run(command, ...args)
    const [said, nothing, expected] = args[0] === '--help' ? [stdout, stderr, 0] : [stderr, stdout, 2]
    expect([[...said.matchAll(/^ {2}(\S+) {3}/gm)].map(([, name]) => name), nothing, code]).toEqual([
      names,
      '',
      expected,
    ])
  })

  test.each(names)('-- %s explains itself with --help', async (name) => {
    const { stdout, stderr, code } = await run(command, name, '--help')
    const usage = expect.stringMatching(`^Usage: npm run ${command} -- ${name}(?: |$)`)
    expect([stdout.split('\n')[0], stderr, code]).toEqual([usage, '', 0])
  })
})

test.each(['x', '', '0', '1.5', '-1'])(
  'npm run prove -- mutants refuses a number of workers that is none: %j',
  async (workers) => {
    // No such folder, so that nothing is tried in any case.
    const { stdout, stderr, code } = await run('prove', 'mutants', 'no-folder', `--workers=${workers}`)
    expect([stdout, stderr, code]).toEqual(['', '--workers must be a whole number from 1 on.\n', 1])
  },
)
