import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
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

/** Of a command that this process can run, without another process. */
async function helpOf(name: string, file: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  if (!isCommand(name)) return promisify(execFile)(process.execPath, [file, '--help'])
  const { output, said } = await commanded(name, ['--help'])
  return { stdout: output, stderr: said }
}

test.each(commands)('npm run %s explains itself with --help', async (name, file) => {
  const { stdout, stderr } = await helpOf(name, file)
  const called = name === 'start' ? 'npm start' : `npm run ${name}`
  expect([stdout.split('\n')[0], stderr]).toEqual([expect.stringMatching(`^Usage: ${called}(?: |$)`), ''])
})
