import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

/** What `npm run COMMAND -- …` prints to stdout and stderr, and its exit code, of a program that runs in this process. */
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
  test('with --help says which programs there are', async () => {
    const { stdout, stderr, code } = await run(command, '--help')
    expect([[...stdout.matchAll(/^ {2}(\S+) {3}/gm)].map(([, name]) => name), stderr, code]).toEqual([names, '', 0])
  })

  test.each([['pagse'], ['toString'], []])('with %s says which there are, and ends with 2', async (...args) => {
    const { stdout, stderr, code } = await run(command, ...args)
    expect([stdout, code]).toEqual(['', 2])
    for (const name of names) expect(stderr).toMatch(new RegExp(`^  ${name} `, 'm'))
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
