import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { endingSignals } from '../../cli/terminal.ts'

const engineProcess = fileURLToPath(new URL('../../local/engine-process.ts', import.meta.url))

test.each(endingSignals)('%s to the process that watches the engine ends both', async (signal) => {
  const engine = 'console.error(process.pid); setInterval(() => {}, 1000)'
  const args = [engineProcess, process.execPath, '--eval', engine]
  const watching = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  const [pid] = await once(watching.stderr.setEncoding('utf8'), 'data')
  onTestFinished(() => {
    watching.kill('SIGKILL')
    if (watching.stderr.readableEnded) return
    process.kill(Number(pid), 'SIGKILL')
  })
  watching.kill(signal)
  // It ends when neither of the two can write any more.
  expect(await text(watching.stderr)).toBe('')
  expect(watching.exitCode ?? (await once(watching, 'exit'))[0]).toBe(1)
})
