import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folder } from '../support/catalog.ts'
import { run } from '../support/command.ts'
import { apply, exported, newTables } from '../support/database.ts'
import { environmentOf } from './environment.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embed-access-'))
})
afterAll(() => rm(directory, { recursive: true }))

const revised = (revision: number, id: number, name: string, deploymentId = 1) => ({
  ...folder(deploymentId, id, null, name),
  revision,
})

test('reconcile says what differs, and changes it only with --apply; what is extra goes only with --until', async () => {
  const storage = await newTables()
  await apply(storage, [
    revised(1, 1, 'old'),
    revised(5, 3, 'extra'),
    revised(8, 4, 'made since'),
    revised(5, 1, 'other', 2),
  ])
  const dump = join(directory, 'dump.ndjson')
  await writeFile(
    dump,
    `${[revised(2, 1, 'new'), revised(1, 2, 'missing')].map((each) => JSON.stringify(each)).join('\n')}\n`,
  )
  const reconcile = (...options: string[]) =>
    run(['cli/catalog.ts', 'reconcile', dump, '--deployment', '1', ...options], environmentOf(storage.tables)).ended

  const before = await exported(storage)
  const told = await reconcile()
  expect(told.code).toBe(1)
  expect(told.printed).toContain('"name":"new"')
  expect(told.printed).toContain('"name":"missing"')
  expect(told.printed).toContain('missing 1, different 1, extra 2; left: newer here 0')
  expect(told.printed).not.toContain('"delete"')
  expect(await exported(storage)).toEqual(before)

  const applied = await reconcile('--apply', '--until', '5')
  expect(applied.printed).toContain('{"kind":"folder","op":"delete","revision":6,"data":{"deploymentId":1,"id":3}}')
  expect(applied.printed).toContain('applied 3, skipped 0, refused 0, failed 0')
  const names = (await exported(storage)).map((line) => (JSON.parse(line) as { data: { name?: string } }).data.name)
  expect(names.sort()).toEqual(['made since', 'missing', 'new', 'other', undefined])
  expect((await reconcile('--until', 'x')).printed).toContain('--until needs a whole number')
  expect((await reconcile('--resume')).printed).toContain('reconcile does not take --resume')
})

test('reconcile deletes and writes nothing if a line of the dump is not valid, or the dump has nothing', async () => {
  const storage = await newTables()
  await apply(storage, [revised(1, 1, 'one'), revised(1, 2, 'two'), revised(1, 3, 'three')])
  const before = await exported(storage)
  const reconcile = async (...lines: string[]) => {
    const dump = join(directory, 'bad.ndjson')
    await writeFile(dump, lines.join('\n'))
    const options = ['--deployment', '1', '--until', '100', '--apply']
    const { code, printed } = await run(
      ['cli/catalog.ts', 'reconcile', dump, ...options],
      environmentOf(storage.tables),
    ).ended
    return { code, lines: printed.replaceAll(dump, 'FILE').trim().split('\n') }
  }
  const changed = JSON.stringify(revised(2, 1, 'changed'))
  const end = 'Nothing was compared, and nothing is written.'
  expect(await reconcile(changed, JSON.stringify(revised(1, 2, 'two')).slice(0, -9))).toEqual({
    code: 2,
    lines: ['line 2: is not JSON in UTF-8, or nests too deep', `FILE has 1 line without a valid change. ${end}`],
  })
  const misspelt = JSON.stringify(revised(1, 3, 'three')).replace('name', 'nmae')
  expect(await reconcile(changed, '', '{"kind":"folder"}', misspelt)).toEqual({
    code: 2,
    lines: [
      'line 3: /data is required',
      'line 4: /data/name is required',
      'line 4: /data/nmae is not a known field; the nearest one is name',
      `FILE has 2 lines without a valid change. ${end}`,
    ],
  })
  expect(await reconcile('')).toEqual({ code: 2, lines: [`FILE has no change of deployment 1. ${end}`] })
  expect(await exported(storage)).toEqual(before)
})
