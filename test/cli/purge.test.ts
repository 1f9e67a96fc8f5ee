import { expect, test } from 'vitest'
import { acmeDeployment, folder, put, without, workbook } from '../support/catalog.ts'
import { apply, exported, newTables } from '../support/database.ts'
import { catalogOn, commanded, environmentOf } from './environment.ts'

test('catalog purge counts what it would remove, and removes it when told', async () => {
  const storage = await newTables()
  const env = environmentOf(storage.tables)
  const purge = (...args: string[]) => catalogOn(storage)('purge', ...args)
  const typing = (typed: string) => commanded('catalog', ['purge'], { env, typed })
  await apply(storage, [
    put('account', { id: 'gone', name: 'Gone' }),
    put('group', { accountId: 'gone', name: 'g' }),
    acmeDeployment(1),
    folder(1, 1, null),
    workbook(1, 2),
    workbook(2, 3),
  ])
  await apply(storage, [
    without(put('deployment', { id: 1 })),
    without(put('account', { id: 'gone' })),
  ])
  const before = await exported(storage)
  const remains = ['account gone: 1', 'deployment 1: 2']
  const sorted = (text: string) => text.trim().split('\n').toSorted()
  const dry = await purge('--dry-run')
  expect([dry.code, sorted(dry.output)]).toEqual([0, [...remains, 'would remove 3']])
  const said = 'This removes 3 items for good. Nothing was done. To do it, add --yes.\n'
  expect(await purge()).toMatchObject({ code: 2, said })
  expect(await typing('yes\n')).toMatchObject({
    code: 1,
    said: expect.stringContaining('Nothing was done.'),
  })
  expect(await typing('')).toMatchObject({ code: 1 })
  expect(await exported(storage)).toEqual(before)

  const done = await typing('purge\n')
  expect([done.code, sorted(done.output)]).toEqual([0, [...remains, 'removed 3']])
  const kinds = (await exported(storage)).map((line) => JSON.parse(line).kind)
  expect(kinds.toSorted()).toEqual(['account', 'deployment', 'workbook'])
  expect(await purge('--yes')).toMatchObject({ code: 0, printed: 'removed 0\n' })
})
