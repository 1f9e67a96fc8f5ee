import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { put, without } from '../support/catalog.ts'
import { run } from '../support/command.ts'
import { apply, newTables } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { catalogOn, environmentOf } from './environment.ts'
import { gateToEngine } from './gate.ts'

/*
 * What only a process shows: that the files run, their exit codes, and what they do when nobody
 * reads on.
 */

test.each([
  [
    'cli/embed-access.ts catalog',
    ['check', '--deployment', '1'],
    1,
    /Deployment 1 has not arrived/,
  ],
  // The catalog's contract has it as npm run catalog.
  ['--run catalog --', ['check', '--deployment', '2'], 1, /Deployment 2 has not arrived/],
  ['cli/embed-access.ts keys', ['list', '--account', 'nope'], 1, /^There is no account nope\.\n$/],
  [
    'cli/embed-access.ts sessions',
    ['trace', 'short'],
    2,
    /is invalid for argument 'jti'\. It must be the 22 characters/,
  ],
  [
    'cli/embed-access.ts smoke',
    ['here'],
    2,
    /is invalid for argument 'url'\. It must be an address/,
  ],
] as const)('node %s ends the process with its exit code', async (command, args, code, printed) => {
  const storage = await newTables()
  const { ended } = run([...command.split(' '), ...args], environmentOf(storage.tables))
  expect(await ended).toEqual({ code, printed: expect.stringMatching(printed) })
})

test('An export whose reader has enough ends in silence', async () => {
  const storage = await newTables()
  const group = (id: number) =>
    put('group', { accountId: 'acme', name: `g ${id}`, description: 'x'.repeat(2000) })
  await apply(
    storage,
    Array.from({ length: 120 }, (_, id) => group(id)),
  )
  const child = spawn(process.execPath, ['cli/embed-access.ts', 'catalog', 'export'], {
    env: { ...process.env, ...environmentOf(storage.tables) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect([await text(child.stderr), (await closed)[0]]).toEqual(['', 0])
})

const change = JSON.stringify(put('account', { id: 'acme', name: 'Acme' }))

const directory = temporaryDirectory()
beforeAll(() => fileIn(directory, 'changes.ndjson', [change]))

/** What each waits for when Ctrl-C comes, and what it has printed then. `~` is the directory. */
test.each([
  [
    'import ~/changes.ndjson',
    'PutItem',
    'Continue with: npx embed-access catalog import ~/changes.ndjson --resume\n',
  ],
  ['purge --yes', 'TransactWriteItems', 'account gone: 1\nGo on with the same command.\n'],
  ['reconcile ~/changes.ndjson --apply', 'PutItem', `${change}\nGo on with the same command.\n`],
  ['export ~/all.ndjson', 'Scan', '~/all.ndjson was not written.\n'],
  ['export ~/all.ndjson.gz', 'Scan', '~/all.ndjson.gz was not written.\n'],
  ['send ~/changes.ndjson', '', 'Send the file again: changes may come twice.\n'],
  ['check --deployment 1', 'Scan', ''],
])('catalog %s ends at Ctrl-C with 130, and says how to go on', async (args, action, said) => {
  const storage = await newTables()
  const gone = put('account', { id: 'gone', name: 'Gone' })
  await apply(storage, [gone, put('group', { accountId: 'gone', name: 'g' }), without(gone)])
  const waits = Promise.withResolvers<void>()
  const gate = await gateToEngine((each) => {
    if (each !== action) return 'passes'
    waits.resolve()
    return 'held'
  })
  const inDirectory = (text: string) => text.replaceAll('~', directory)
  const { child, ended } = run(
    ['cli/embed-access.ts', 'catalog', ...inDirectory(args).split(' ')],
    {
      ...environmentOf(storage.tables),
      DYNAMODB_ENDPOINT: gate,
      CATALOG_QUEUE_URL: `${gate}/_local/catalog-changes`,
    },
  )
  await Promise.race([waits.promise, ended])
  child.kill('SIGINT')
  expect(await ended).toEqual({ code: 130, printed: inDirectory(said) })
  await rm(join(directory, 'changes.ndjson.import-state'), { force: !args.startsWith('import') })
  expect(await readdir(directory)).toEqual(['changes.ndjson'])
})

test('Ctrl-C says nothing where there is nothing to go on with', async () => {
  const storage = await newTables()
  const file = join(directory, 'changes.ndjson')
  for (const verb of ['import', 'reconcile']) {
    expect((await catalogOn(storage)(verb, file)).interrupted()).toBeUndefined()
  }
})
