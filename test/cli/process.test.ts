import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { acmeAccount, acmeGroup, people } from '../support/catalog.ts'
import { run, withoutLimits } from '../support/command.ts'
import { apply, newTables } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { catalogOn, commanded, environmentOf, tablesToPurge } from './environment.ts'
import { gateToEngine } from './gate.ts'

/*
 * What only a process shows: that the files run, their exit codes, and what they do when nobody
 * reads on.
 */

test.each([
  // The catalog's contract has it as npm run catalog. Node ends with 1 whatever it runs ends with.
  ['--run catalog', 1],
  ['cli/embed-access.ts catalog', 2],
])('node %s ends the process with its exit code', async (command, code) => {
  const printed = expect.stringContaining('Unknown command')
  expect(await run([...command.split(' '), '--', 'frobnicate']).ended).toEqual({ code, printed })
})

/** A command as a shell runs it. Its output is a pipe, or goes to a file. */
function piped(command: string, { tables }: Storage, output: 'pipe' | number = 'pipe') {
  const words = [...withoutLimits, 'cli/embed-access.ts', ...command.split(' ')]
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environmentOf(tables) },
    stdio: ['ignore', output, 'pipe'],
  })
  return { child, code: once(child, 'close').then(([code]) => code as number) }
}

test('An export whose reader has enough ends as SIGPIPE would end it', async () => {
  const storage = await newTables()
  const group = (id: number) => acmeGroup(`g ${id}`, { description: 'x'.repeat(2000) })
  await apply(
    storage,
    Array.from({ length: 120 }, (_, id) => group(id)),
  )
  const { child, code } = piped('catalog export --quiet', storage)
  await once(child.stdout as Readable, 'data')
  child.stdout?.destroy()
  expect([await text(child.stderr as Readable), await code]).toEqual(['', 141])
})

test('A key that nobody could read is not said to be on the output', async () => {
  const storage = await newTables(people)
  const unread = piped('keys create --account acme --user 1', storage)
  unread.child.stdout?.destroy()
  const said = await text(unread.child.stderr as Readable)
  expect([said, await unread.code]).toEqual([expect.stringMatching(/^The key may be lost\./), 141])
  const [, hash = ''] = /keys revoke ([0-9a-f]{12})\n$/.exec(said) ?? []
  const env = environmentOf(storage.tables)
  expect(await commanded('keys', ['revoke', hash], { env })).toMatchObject({ code: 0 })
})

test('A command says that its output cannot be written', async ({ skip }) => {
  skip(!existsSync('/dev/full'), 'There is no /dev/full here.')
  const full = piped('catalog --help', await newTables(), openSync('/dev/full', 'w'))
  expect([await text(full.child.stderr as Readable), await full.code]).toEqual([
    'Standard output cannot be written (ENOSPC).\n',
    1,
  ])
})

test('A standard input that is a directory has no lines', async ({ skip }) => {
  skip(process.platform === 'win32', 'Windows opens no directory.')
  const input = openSync('cli', 'r')
  const args = ['cli/embed-access.ts', 'catalog', 'import', '-', '--dry-run']
  const { stderr } = spawn(process.execPath, args, { stdio: [input, 'ignore', 'pipe'] })
  expect(await text(stderr as Readable)).toBe('standard input has no changes.\n')
})

test('A command ends well where nobody reads what it says besides', async () => {
  const storage = await newTables([acmeAccount()])
  const { child, code } = piped('catalog export', storage)
  child.stderr?.destroy()
  expect([await text(child.stdout as Readable), await code]).toEqual([
    expect.stringContaining('Acme'),
    0,
  ])
})

const change = JSON.stringify(acmeAccount())

const directory = temporaryDirectory()
beforeAll(() => fileIn(directory, 'changes.ndjson', [change]))

const resume = 'Continue with: npx embed-access catalog import ~/changes.ndjson --resume\n'

const ofHyphens = temporaryDirectory()

test('A command to go on with takes no name of a file for an option', async () => {
  // The gzip data ends too early.
  await fileIn(ofHyphens, '-h', gzipSync(change).subarray(0, -4))
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(ofHyphens)
  const { said } = await catalogOn(await newTables())('import', '--', '-h')
  expect(said).toMatch(/ catalog import \.\/-h --resume\n$/)
})

/** The signal, what each waits for when it comes, and what is printed. `~` is the directory. */
test.each([
  ['import ~/changes.ndjson', 'SIGTERM', 'PutItem', resume],
  ['export ~/all.ndjson.gz', 'SIGHUP', 'Scan', '~/all.ndjson.gz was not written.\n'],
  ['check --deployment 1', 'SIGINT', 'Scan', ''],
] as const)('catalog %s says at %s how to go on', async (args, signal, action, said) => {
  const storage = await tablesToPurge()
  const waits = Promise.withResolvers<void>()
  const gate = await gateToEngine((each) => {
    if (each !== action) return 'passes'
    waits.resolve()
    return 'held'
  })
  const inDirectory = (text: string) => text.replaceAll('~', directory)
  const { child, ended } = run(
    // Nothing is printed before the signal, however slow the machine is.
    [...withoutLimits, ...`cli/embed-access.ts catalog ${inDirectory(args)} --quiet`.split(' ')],
    environmentOf(storage.tables, gate),
  )
  await Promise.race([waits.promise, ended])
  child.kill(signal)
  expect(await ended).toEqual({ code: 128 + constants.signals[signal], printed: inDirectory(said) })
  await rm(join(directory, 'changes.ndjson.import-state'), { force: !args.startsWith('import') })
  expect(await readdir(directory)).toEqual(['changes.ndjson'])
})

const changes = join(directory, 'changes.ndjson')

test.each([
  ['purge --yes', 'TransactWriteItems', 'Go on with the same command.'],
  ['reconcile ~ --apply', 'PutItem', 'Go on with the same command.'],
  ['send ~', '', 'Send the file again: changes may come twice.'],
])('catalog %s knows how to go on before it is at %s', async (args, action, said) => {
  const gate = await gateToEngine((each) => (each === action ? 'refused' : 'passes'))
  const env = {
    ...environmentOf((await tablesToPurge()).tables, gate),
    CATALOG_QUEUE_URL: `${gate}/_local/catalog-changes`,
  }
  const { code, interrupted } = await commanded('catalog', args.replace('~', changes), { env })
  expect([code, interrupted()]).toEqual([1, said])
})

test('Ctrl-C says nothing where there is nothing to go on with', async () => {
  const storage = await newTables()
  for (const verb of ['import', 'reconcile']) {
    expect((await catalogOn(storage)(verb, changes)).interrupted()).toBeUndefined()
  }
})
