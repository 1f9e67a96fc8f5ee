import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, put, share, workbook } from '../support/catalog.ts'
import { apply, newTables } from '../support/database.ts'
import { commanded, environmentOf } from './environment.ts'

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
  const ask = (...args: string[]) => commanded('catalog', args, { env: environmentOf(storage.tables) })
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
    printed:
      'The share of workbook 77 with all embed users refers to a workbook that is not there. It counts for nothing.\n',
  })
  const checked = await ask('check', '--deployment', '1', '--json')
  expect([checked.code, JSON.parse(checked.output)]).toEqual([
    1,
    { deploymentId: 1, problems: [expect.stringMatching(/^The share of workbook 77 /)] },
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

test('check says what the documents of workbooks and notifications contradict', async () => {
  const storage = await newTables()
  const env = environmentOf(storage.tables)
  const demo = (await readFile('local/demo/catalog.ndjson', 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const published = demo.find(({ kind, data }) => kind === 'workbook' && data.publishedDashboard)
  const { publishedDashboard: dashboard } = published.data
  const publishing = (id: number, own: object) =>
    workbook(1, id, { publishedDashboard: { ...dashboard, deploymentId: 1, workbookId: id, ...own } })
  const notification = (id: number, own: object) =>
    put('notification', { deploymentId: 1, id, createdAt: '2026-01-01', ...own })
  await apply(storage, [
    put('account', { id: 'acme', name: 'Acme' }),
    put('deployment', { accountId: 'acme', id: 1, name: 'First' }),
    publishing(1, { id: 51, publicId: 'one' }),
    publishing(2, { id: 52, publicId: 'two', workbookId: 1 }),
    publishing(3, { id: 53, publicId: 'three', deploymentId: 9 }),
    publishing(4, { id: 54, publicId: 'one' }),
    notification(1, { dashboardId: 51, cronExpression: '*/5 0-6,22 L * MON-FRI', timezone: 'Europe/Oslo' }),
    notification(2, { dashboardId: 99, timezone: 'Europe/Olso' }),
    ...['61 * * * *', '0 9 * *', '0 9 * * 8', '0 9-6 * * *', 'every day at nine', '0 9 * * * * * *', '*/0 * * * *'].map(
      (cronExpression, index) => notification(10 + index, { cronExpression }),
    ),
  ])
  const { code, output } = await commanded('catalog', ['check', '--deployment', '1'], { env })
  const invalid = (id: number, cron: string) => `Notification ${id} has a cron expression that can't be: "${cron}".`
  expect(code).toBe(1)
  expect(new Set(output.trim().split('\n'))).toEqual(
    new Set([
      'Dashboard 52 of workbook 2 says that it is of workbook 1 of deployment 1.',
      'Dashboard 53 of workbook 3 says that it is of workbook 3 of deployment 9.',
      expect.stringMatching(/^Workbooks (1, 4|4, 1) have dashboards of one public id, "one"\.$/),
      'Notification 2 refers to dashboard 99, which no workbook publishes.',
      'Notification 2 has a time zone that is not known: "Europe/Olso".',
      invalid(10, '61 * * * *'),
      invalid(11, '0 9 * *'),
      invalid(12, '0 9 * * 8'),
      invalid(13, '0 9-6 * * *'),
      invalid(14, 'every day at nine'),
      invalid(15, '0 9 * * * * * *'),
      invalid(16, '*/0 * * * *'),
    ]),
  )
})
