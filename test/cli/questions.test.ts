import { expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, put, share, workbook } from '../support/catalog.ts'
import { run } from '../support/command.ts'
import { apply, newTables } from '../support/database.ts'
import { environmentOf } from './environment.ts'

test('npm run catalog -- check and -- explain answer in sentences', async () => {
  const storage = await newTables()
  await apply(storage, [
    put('account', { id: 'acme', name: 'Acme' }),
    put('deployment', { accountId: 'acme', id: 1, name: 'First' }),
    put('deployment', { accountId: 'acme', id: 2, name: 'Second' }),
    workbook(1, 5),
    workbook(1, 6),
    workbook(2, 6),
    share(1, 'workbook', 5, embedTenant('north')),
  ])
  const ask = (...args: string[]) => run(['cli/catalog.ts', ...args], environmentOf(storage.tables)).ended
  expect(await ask('check', '--deployment', '1')).toEqual({ code: 0, printed: 'Nothing is wrong in deployment 1.\n' })
  const explained = await ask('explain', '--tenant', 'North', '--workbook', '5')
  expect(explained).toMatchObject({
    code: 0,
    printed: expect.stringContaining('Workbook 5 is shared with embed tenant "north".'),
  })
  expect(explained.printed.endsWith('So embed tenant "north" sees workbook 5.\n')).toBe(true)
  expect((await ask('explain', '--tenant', 'north', '--workbook', '6')).printed).toMatch(
    /Give one of them: (1, 2|2, 1)\./,
  )
  const second = await ask('explain', '--tenant', 'north', '--workbook', '6', '--deployment', '2')
  expect(second.printed.endsWith('So embed tenant "north" does not see workbook 6.\n')).toBe(true)

  await apply(storage, [share(1, 'workbook', 77, allEmbedUsers)])
  expect(await ask('check', '--deployment', '1')).toEqual({
    code: 1,
    printed:
      'The share of workbook 77 with all embed users refers to a workbook that is not there. It counts for nothing.\n',
  })
})
