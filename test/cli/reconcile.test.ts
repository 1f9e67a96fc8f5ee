import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import {
  acmeAccount,
  acmeDeployment,
  acmeTenant,
  folder,
  put,
  revised,
  without,
  workbook,
} from '../support/catalog.ts'
import { apply, exported, newTables } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { catalogOn, commanded, environmentOf, refusal } from './environment.ts'
import { gateToEngine } from './gate.ts'

const directory = temporaryDirectory()

const dump = join(directory, 'dump.ndjson')

/** Reconciles with a dump of these lines. */
async function reconciled(
  storage: Storage,
  lines: readonly (string | object)[],
  ...options: readonly string[]
) {
  await fileIn(directory, 'dump.ndjson', lines)
  return catalogOn(storage)('reconcile', dump, ...options)
}

const named = (revision: number, id: number, name: string, deploymentId = 1) =>
  revised(revision, folder(deploymentId, id, null, name))

test('reconcile says what differs, changes it with --apply, and deletes with --until', async () => {
  const storage = await newTables([
    named(1, 1, 'old'),
    named(5, 3, 'extra'),
    named(8, 4, 'made since'),
    named(5, 1, 'other', 2),
    without(named(9, 9, 'deleted')),
  ])
  const lines = [named(2, 1, 'new'), named(1, 2, 'missing')]
  const reconcile = (...options: string[]) =>
    reconciled(storage, lines, '--deployment', '1', ...options)

  const before = await exported(storage)
  const told = await reconcile()
  expect(told).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^.*"name":"new".*\n.*"name":"missing".*\n$/),
    said: 'missing 1, different 1, extra 2; left: newer here 0, same revision 0, made here 0\n',
  })
  expect(await exported(storage)).toEqual(before)

  const asJson = await reconcile('--json')
  expect(JSON.parse(asJson.output)).toEqual({
    ...{ missing: 1, different: 1, newer: 0, conflict: 0, extra: 2, madeHere: 0 },
    ...{ deletes: 0, conflicts: [] },
    changes: [expect.objectContaining({ revision: 2 }), expect.objectContaining({ revision: 1 })],
  })
  const applied = await reconcile('--apply', '--until', '5', '--max-deletes', '1')
  expect(applied.said.split('\n')[0]).toBe('Deletions: 1 of 3 (folder 1)')
  expect(applied.printed).toContain(
    '{"kind":"folder","op":"delete","revision":6,"data":{"deploymentId":1,"id":3}}',
  )
  expect(applied.printed).toContain('applied 3, skipped 0, refused 0, failed 0')
  const names = (await exported(storage)).map(
    (line) => (JSON.parse(line) as { data: { name?: string } }).data.name,
  )
  expect(names.sort()).toEqual(['made since', 'missing', 'new', 'other', undefined, undefined])
})

test('reconcile writes nothing if the dump is empty or one of its lines is not valid', async () => {
  const storage = await newTables([named(1, 1, 'one'), named(1, 2, 'two'), named(1, 3, 'three')])
  const before = await exported(storage)
  const reconcile = async (...lines: string[]) => {
    const options = ['--deployment', '1', '--until', '100', '--apply']
    const { code, printed } = await reconciled(storage, lines, ...options)
    return { code, lines: printed.replaceAll(dump, 'FILE').trim().split('\n') }
  }
  const changed = JSON.stringify(named(2, 1, 'changed'))
  const misspelt = JSON.stringify(named(1, 3, 'three')).replace('name', 'nmae')
  const ofAnother = JSON.stringify(workbook(2, 1, { shade: 'red' }))
  const end = 'Nothing was compared, and nothing is written.'
  for (const [lines, ...said] of [
    [
      [changed, JSON.stringify(named(1, 2, 'two')).slice(0, -9)],
      'line 2: is not JSON: it ends too early',
      `FILE has 1 line that cannot be compared. ${end}`,
    ],
    [
      [
        changed,
        '',
        '{"kind":"folder"}',
        misspelt,
        ofAnother,
        JSON.stringify(named(1, 2, 'two', -1)),
      ],
      'line 3: /data is required',
      'line 4: /data/name is required',
      'line 4: /data/nmae is not a known field; the nearest one is name',
      'line 5: /data/shade is not a known field. It was left out',
      'line 6: /data/deploymentId must be an integer of at least 0',
      `FILE has 3 lines that cannot be compared. ${end}`,
    ],
    [
      [changed, changed, JSON.stringify(named(3, 1, 'changed'))],
      'line 3: is a second change of folder 1. Keep the newest',
      `FILE has 1 line that cannot be compared. ${end}`,
    ],
    [[''], `FILE has no change of deployment 1. ${end}`],
    [[JSON.stringify(named(1, 1, 'one', 2))], `FILE has no change of deployment 1. ${end}`],
    [
      [JSON.stringify(named(1, 2, 'two'), null, 2)],
      expect.stringMatching(
        /^FILE must have one change per line, and this looks like JSON on several lines\./,
      ),
    ],
  ] as const) {
    expect(await reconcile(...lines)).toEqual({ code: 2, lines: said })
  }
  expect(await reconciled(storage, [''])).toMatchObject(
    refusal(/ has no change\. Nothing was compared/, 2),
  )
  expect(await exported(storage)).toEqual(before)
})

test('reconcile takes only a file, since it reads the dump twice', async () => {
  const catalog = catalogOn(await newTables())
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const [path, what] of [
    ['-', 'Standard input'],
    [pipe, pipe],
    [directory, directory],
  ] as const) {
    const said = `${what} cannot be read twice. Give the path of a file.\n`
    expect(await catalog('reconcile', path, '--apply')).toMatchObject({ code: 2, said })
  }
  const none = join(directory, 'none.ndjson')
  expect(await catalog('reconcile', none)).toMatchObject(refusal(/there is no such file/))
})

test('reconcile writes nothing if the dump grows while it is read', async () => {
  const all = Array.from({ length: 30 }, (_, id) => named(1, id, `f ${id}`))
  const storage = await newTables(all)
  const before = await exported(storage)
  const dump = await fileIn(directory, 'growing.ndjson', [...all.slice(0, 29), ''])
  const gate = await gateToEngine((operation) => {
    if (operation === 'Scan') appendFileSync(dump, `${JSON.stringify(all[29])}\n`)
    return 'passes'
  })
  const words = ['reconcile', dump, '--until', '100', '--apply']
  const env = environmentOf(storage.tables, gate)
  const said = `${dump} changes while it is read. Nothing is written.`
  expect(await commanded('catalog', words, { env })).toMatchObject(refusal(said, 2))
  expect(await exported(storage)).toEqual(before)
})

const deployment = revised(1, acmeDeployment(1))
const folders = Array.from({ length: 29 }, (_, id) => named(1, id, `f ${id}`))

test('reconcile deletes more than a tenth only if told to', async () => {
  const whole = [deployment, ...folders]
  const storage = await newTables(whole)
  const before = await exported(storage)
  const reconcile = (lines: readonly object[], ...options: readonly string[]) =>
    reconciled(storage, lines, '--deployment', '1', '--until', '100', ...options)
  const renamed = named(2, 28, 'renamed')
  const withoutFour = [renamed, ...whole.slice(0, -1).toSpliced(2, 4)]
  const tooMany =
    'These are more than 3. Nothing is written. If they are right, add --max-deletes 4, or --yes.\n'
  for (const [lines, options, code, said] of [
    [withoutFour, ['--apply'], 2, `Deletions: 4 of 30 (folder 4)\n${tooMany}`],
    [withoutFour, ['--apply', '--max-deletes', '3'], 2, tooMany],
    [whole.slice(0, 10), [], 1, 'Deletions: 20 of 30 (folder 20)\n'],
  ] as const) {
    const told = { code, said: expect.stringContaining(said) }
    expect(await reconcile(lines, ...options)).toMatchObject(told)
  }
  expect(await exported(storage)).toEqual(before)
  const ofFew = await reconcile([renamed, ...whole.slice(0, 26)], '--apply')
  expect(ofFew.said).toContain('applied 4, skipped 0')
  const ofMany = await reconcile(whole.slice(0, 2), '--apply', '--yes')
  expect(ofMany.said).toContain('applied 25, skipped 0')
})

test('reconcile deletes an account or a deployment only if told to', async () => {
  const owners = [revised(1, acmeAccount()), deployment]
  const storage = await newTables([...owners, ...folders])
  const before = await exported(storage)
  const reconcile = (lines: readonly object[], ...options: readonly string[]) =>
    reconciled(storage, lines, '--until', '100', '--apply', '--max-deletes', '30', ...options)
  for (const [index, name] of ['account "acme"', 'deployment 1'].entries()) {
    const lines = [...owners.toSpliced(index, 1), ...folders]
    const said = `The dump does not have ${name} itself. Nothing is written. To delete it, add`
    expect(await reconcile(lines)).toMatchObject({ code: 2, said: expect.stringContaining(said) })
  }
  expect(await exported(storage)).toEqual(before)
  expect((await reconcile(folders, '--yes')).said).toContain('applied 2, skipped 0')
})

test('reconcile says why a change was not applied', async () => {
  const storage = await newTables()
  const ofAccount = (accountId: string) =>
    revised(1, put('deployment', { accountId, id: 1, name: 'One' }))
  await apply(storage, [ofAccount('acme')])
  const lines = [{ ...ofAccount('other'), revision: 2 }]
  expect(await reconciled(storage, lines, '--apply')).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      /^deployment 1: \/data\/accountId .*\n.*\napplied 0, skipped 0, refused 1, failed 0\n$/,
    ),
  })
})

test('reconcile ends with 0 if nothing differs, and else with 1', async () => {
  const storage = await newTables()
  const [one, two] = [named(7, 1, 'one'), named(7, 2, 'two')]
  await apply(storage, [one, two])
  for (const [lines, code] of [
    [[one, two], 0],
    [[named(6, 1, 'older'), two], 0],
    [[one], 1],
    [[one, two, named(1, 3, 'three')], 1],
    [[one, named(8, 2, 'newer')], 1],
  ] as const) {
    expect((await reconciled(storage, lines)).code).toBe(code)
  }
})

test('reconcile names what differs under the same revision', async () => {
  const storage = await newTables([named(7, 1, 'one'), named(7, 2, 'two')])
  const lines = [named(7, 1, 'one'), named(7, 2, 'other')]
  expect(await reconciled(storage, lines)).toMatchObject({
    code: 1,
    output: '',
    said: expect.stringContaining(
      'folder 2 differs under the same revision; send it with a higher one\n',
    ),
  })
  const { output } = await reconciled(storage, lines, '--json')
  expect(JSON.parse(output)).toMatchObject({ conflict: 1, conflicts: ['folder 2'], changes: [] })
})

test('reconcile deletes no API key of keys create or without a revision', async () => {
  const storage = await newTables()
  const ofPlatform = { accountId: 'acme', userId: 7, name: 'theirs', tokenHash: 'ab'.repeat(32) }
  const data = { id: 7, email: 'a@acme.example', roles: ['admin'], deploymentIds: 'all' }
  const person = revised(1, put('user', { accountId: 'acme', ...data }))
  const account = revised(1, acmeAccount())
  await apply(storage, [account, person, revised(4, put('apiKey', ofPlatform))])
  const unnumbered = { ...ofPlatform, name: 'unnumbered', tokenHash: 'cd'.repeat(32) }
  await apply(storage, [put('apiKey', unnumbered), without(acmeTenant('deleted'))])
  const env = environmentOf(storage.tables)
  const created = await commanded('keys', 'create --account acme --user 7 --name own', { env })
  expect(created).toMatchObject({ code: 0 })
  const keys = async () => {
    const { output } = await commanded('keys', 'list --account acme --json', { env })
    return (JSON.parse(output) as { keys: { name: string }[] }).keys.map(({ name }) => name)
  }
  expect((await keys()).toSorted()).toEqual(['own', 'theirs', 'unnumbered'])

  const options = ['--until', '1000', '--apply', '--yes']
  const { said } = await reconciled(storage, [account, person], ...options)
  expect(said).toContain('Deletions: 1 of 5 (apiKey 1)\n')
  expect(said).toContain('extra 1; left: newer here 0, same revision 0, made here 2\n')
  expect((await keys()).toSorted()).toEqual(['own', 'unnumbered'])
})

test('reconcile never prints behind its progress at a terminal', async () => {
  const storage = await newTables([named(7, 1, 'one'), named(1, 2, 'extra')])
  const dump = await fileIn(directory, 'drawn.ndjson', [named(7, 1, 'x'), named(1, 3, 'missing')])
  const terminal = { env: environmentOf(storage.tables), typed: '' }
  const { printed } = await commanded('catalog', ['reconcile', dump, '--until', '5'], terminal)
  expect(printed).toMatch(/items read\r[\s\S]*folder 1 differs[\s\S]*"missing"/)
  expect(printed).not.toMatch(/items read(?!\r)/)
})
