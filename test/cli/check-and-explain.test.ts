import { beforeAll, expect, test } from 'vitest'
import {
  acmeDeployment,
  allEmbedUsers,
  embedTenant,
  folder,
  put,
  share,
  workbook,
} from '../support/catalog.ts'
import { newTables } from '../support/database.ts'
import { catalogOn } from './environment.ts'

let catalog: ReturnType<typeof catalogOn>
beforeAll(async () => {
  const storage = await newTables([
    put('account', { id: 'acme', name: 'Acme' }),
    acmeDeployment(1),
    acmeDeployment(2),
    workbook(1, 5),
    folder(2, 5, null),
    folder(2, 7, null),
    workbook(1, 6),
    workbook(2, 6),
    share(1, 'workbook', 5, embedTenant('north')),
    share(2, 'workbook', 77, allEmbedUsers),
  ])
  catalog = catalogOn(storage)
})

test.each([
  ['check --deployment 1', 0, /^Nothing is wrong in deployment 1\.\n$/],
  [
    'check --deployment 2',
    1,
    /^Share .* refers to workbook 77, which is not there\. It counts for nothing\.\n$/,
  ],
  [
    'explain --tenant North --workbook 5',
    0,
    /5 is shared with embed tenant "north"\.\n[\s\S]*"north" sees workbook 5\.\n$/,
  ],
  [
    'explain --tenant north --workbook 6',
    1,
    /^Several deployments have a workbook 6\. Give one of them with --deployment: (1, 2|2, 1)\.\n$/,
  ],
  ['explain --tenant north --workbook 7', 1, /^No deployment has a workbook 7\.\n$/],
  [
    'explain --tenant north --workbook 6 --deployment 2',
    0,
    /So embed tenant "north" does not see workbook 6\.\n$/,
  ],
])('npx embed-access catalog %s ends with %i, and says %s', async (args, code, printed) => {
  expect(await catalog(...args.split(' '))).toMatchObject({
    code,
    printed: expect.stringMatching(printed),
  })
})

test.each([
  ['check --deployment 2', 1, { deploymentId: 2, problems: [expect.stringMatching(/^Share /)] }],
  [
    'explain --tenant North --workbook 5',
    0,
    {
      ...{ deploymentId: 1, embedTenantName: 'north', workbookId: 5, isSeen: true, end: null },
      path: [expect.objectContaining({ type: 'workbook', id: 5, name: 'Workbook 5' })],
      things: expect.arrayContaining([{ type: 'account', id: 'acme', state: 'there' }]),
    },
  ],
])(
  'npx embed-access catalog %s --json ends with %i, and prints one object',
  async (args, code, object) => {
    const { output, ...ended } = await catalog(...args.split(' '), '--json')
    expect([ended.code, JSON.parse(output)]).toEqual([code, object])
  },
)
