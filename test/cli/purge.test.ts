import { expect, test } from 'vitest'
import { folder, workbook } from '../support/catalog.ts'
import { run } from '../support/command.ts'
import { apply, exported, newTables } from '../support/database.ts'
import { environmentOf } from './environment.ts'

test('npm run catalog -- purge says how much it removed', async () => {
  const storage = await newTables()
  const purge = () => run(['cli/catalog.ts', 'purge'], environmentOf(storage.tables)).ended
  await apply(storage, [
    { kind: 'deployment', data: { accountId: 'acme', id: 1, name: 'First' } },
    folder(1, 1, null),
    workbook(1, 2),
    workbook(2, 3),
  ])
  await apply(storage, [{ kind: 'deployment', op: 'delete', data: { id: 1 } }])
  expect(await purge()).toEqual({ code: 0, printed: 'removed 2\n' })
  expect((await exported(storage)).map((line) => JSON.parse(line).kind).toSorted()).toEqual(['deployment', 'workbook'])
  expect((await purge()).printed).toBe('removed 0\n')
})
