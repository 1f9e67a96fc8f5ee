import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, type TestContext, test } from 'vitest'
import { withoutLimits } from '../support/command.ts'
import { slow } from '../support/time.ts'
import { environmentOf, tablesToPurge } from './environment.ts'

/* Commands that ask, at a real terminal: only there a command that goes on reading never ends. */

describe('At a terminal', slow, () => {
  beforeEach((context: TestContext) => {
    const { status } = spawnSync('python3', ['-c', 'import pty'])
    if (status !== 0) context.skip('There is no Python here, which makes the terminal.')
  })

  test.each([
    ['purge', 0, /Type purge to do it: [\s\S]*removed 1\b/],
    ['\x04', 1, /Nothing was done\./],
    ['\x03', 130, /Type purge to do it: \^C\s*$/],
  ])('catalog purge ends after the answer %j, with %i', async (answer, code, said) => {
    const { tables } = await tablesToPurge()
    expect(await answered('catalog purge', answer, environmentOf(tables))).toEqual({
      code,
      shown: expect.stringMatching(said),
    })
  })
})

/** Runs a command at a pseudo-terminal, and types the answer as soon as it asks. */
const terminal = `
import os, pty, sys
typed = []
def read(fd):
    data = os.read(fd, 1024)
    if b' to do it: ' in data and not typed:
        typed.append(True)
        os.write(fd, sys.argv[1].encode() + (b'' if sys.argv[1] in '\\x03\\x04' else b'\\n'))
    return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read)))
`

async function answered(command: string, answer: string, env: Readonly<Record<string, string>>) {
  const own = ['cli/embed-access.ts', ...command.split(' ')]
  const words = [process.execPath, ...withoutLimits, ...own]
  const child = spawn('python3', ['-c', terminal, answer, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const shown = await text(child.stdout)
  const [code] = await ended
  return { code, shown }
}
