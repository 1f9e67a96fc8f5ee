import { expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, put, share, workbook } from '../support/catalog.ts'
import { apply, newTables } from '../support/database.ts'
import { catalogOn } from './environment.ts'

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
  const ask = catalogOn(storage)
  expect(await ask('check', '--deployment', '1')).toMatchObject({
    code: 0,
    printed: 'Nothing is wrong in deployment 1.\n',
  })
  const explained = await ask('explain', '--tenant', 'North', '--workbook', '5')
  expect(explained).toMatchObject({
    code: 0,
    printed: expect.stringContaining('Workbook 5 is shared with embed tenant "north".'),
  })
  expect(explained.printed.endsWith('So embed tenant "north" sees workbook 5.\n')).toBe(true)
  expect((await ask('explain', '--tenant', 'north', '--workbook', '6')).printed).toMatch(
    /Give one of them with --deployment: (1, 2|2, 1)\./,
  )
  const second = await ask('explain', '--tenant', 'north', '--workbook', '6', '--deployment', '2')
  expect(second.printed.endsWith('So embed tenant "north" does not see workbook 6.\n')).toBe(true)

  await apply(storage, [share(1, 'workbook', 77, allEmbedUsers)])
  expect(await ask('check', '--deployment', '1')).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/^Share .* refers to workbook 77, which is not there\. It counts for nothing\.\n$/),
  })
  const checked = await ask('check', '--deployment', '1', '--json')
  expect([checked.code, JSON.parse(checked.output)]).toEqual([
    1,
    { deploymentId: 1, problems: [expect.stringMatching(/^Share /)] },
  ])
  expect(JSON.parse((await ask('explain', '--tenant', 'North', '--workbook', '5', '--json')).output)).toEqual({
    deploymentId: 1,
    embedTenantName: 'north',
    workbookId: 5,
    isSeen: true,
    path: [
      {
        type: 'workbook',
        id: 5,
        name: 'Workbook 5',
        shares: [
          { grantee: embedTenant('north'), state: 'shared' },
          { grantee: allEmbedUsers, state: 'notShared' },
        ],
      },
    ],
    end: null,
    things: [
      { type: 'deployment', id: 1, state: 'there' },
      { type: 'account', id: 'acme', state: 'there' },
      { type: 'embedTenant', id: 'north', state: 'there' },
      { type: 'workbook', id: 5, state: 'there' },
    ],
  })
})
