import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { put } from '../support/catalog.ts'
import { run } from '../support/command.ts'
import { apply, newTables } from '../support/database.ts'
import { environmentOf } from './environment.ts'

/* What only a process shows: that the files run, their exit codes, and what they do when nobody reads on. */

test.each([
  ['catalog', ['check', '--deployment', '1'], 1, /Deployment 1 has not arrived/],
  ['keys', ['list', '--account', 'nope'], 1, /^There is no account nope\.\n$/],
  ['sessions', ['trace', 'short'], 2, /^The argument <jti> is invalid\. It must be the 22 characters/],
  ['smoke', ['here'], 2, /^The argument <url> is invalid\. It must be an address/],
] as const)('npm run %s ends the process with its exit code', async (name, args, code, printed) => {
  const storage = await newTables()
  const { ended } = run([`cli/${name}.ts`, ...args], environmentOf(storage.tables))
  expect(await ended).toEqual({ code, printed: expect.stringMatching(printed) })
})

test('An export whose reader has enough ends in silence', async () => {
  const storage = await newTables()
  await apply(
    storage,
    Array.from({ length: 120 }, (_, id) =>
      put('group', { accountId: 'acme', name: `g ${id}`, description: 'x'.repeat(2000) }),
    ),
  )
  const child = spawn(process.execPath, ['cli/catalog.ts', 'export'], {
    env: { ...process.env, ...environmentOf(storage.tables) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect([await text(child.stderr), (await closed)[0]]).toEqual(['', 0])
})
