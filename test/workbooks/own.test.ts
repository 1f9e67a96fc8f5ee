import { expect, test } from 'vitest'
import {
  acmeTenant,
  allEmbedUsers,
  embedTenant,
  folder,
  keys,
  people,
  share,
  workbook,
  world,
} from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

const path = '/api/v1/embed/workbooks'

const service = world([
  ...people,
  ...['north', 'south'].map((name) => acmeTenant(name)),
  ...[5, 6, 7, 8].map((id) => workbook(1, id)),
  folder(1, 3, null),
  workbook(1, 9, { folderId: 3 }),
  workbook(2, 20),
  share(1, 'workbook', 5, embedTenant('north')),
  share(1, 'workbook', 6, embedTenant('south')),
  share(1, 'workbook', 7, allEmbedUsers),
  share(1, 'folder', 3, embedTenant('north')),
  share(2, 'workbook', 20, embedTenant('north')),
])
const { newToken } = sessionsOf(service)
const own = async (token: string, query = '') => service.get(path + query, bearer(token))
const idsOf = ({ body }: Awaited<ReturnType<typeof own>>) =>
  body.items.map(({ id }: { id: number }) => id)

test('An end user sees what the list for admins says of the tenant, field by field', async () => {
  const token = await newToken({ embedTenantName: 'north', externalId: 'u' })
  for (const query of [
    '',
    '?include=accessSources',
    ...['tenant', 'allEmbedUsers', 'folder', ''].map((source) => `?accessSource=${source}`),
  ]) {
    const list = `/api/v1/deployments/1/embed-tenants/north/workbooks${query}`
    const { items } = (await service.get(list, { key: keys.admin })).body
    expect((await own(token, query)).body.items).toEqual(items)
  }
  expect(idsOf(await own(token)).sort()).toEqual([5, 7, 9])
})

test('A token without an embed tenant lists what all embed users can see', async () => {
  const token = await newToken({ externalId: 'u' })
  expect(idsOf(await own(token))).toEqual([7])
  expect(idsOf(await own(token, '?accessSource=tenant'))).toEqual([])
})

test('A token opens its own deployment and tenant, whatever the request names', async () => {
  const token = await newToken({ deploymentId: 2, embedTenantName: 'north', externalId: 'u' })
  expect(idsOf(await own(token))).toEqual([20])
  for (const query of ['?deploymentId=1', '?embedTenantName=south'])
    expect(idsOf(await own(token, query))).toEqual([20])
})

test('Pages go on by cursor, and a cursor of another tenant is refused', async () => {
  const north = await newToken({ embedTenantName: 'north', externalId: 'u' })
  const first = await own(north, '?first=1')
  const rest = await own(north, `?after=${first.body.pageInfo.endCursor}`)
  expect([...idsOf(first), ...idsOf(rest)].sort()).toEqual([5, 7, 9])
  for (const other of [{ embedTenantName: 'south' }, {}, { deploymentId: 2 }]) {
    const token = await newToken({ externalId: 'u', ...other })
    const { body } = await own(token, `?after=${first.body.pageInfo.endCursor}`)
    expect(body.code).toBe('invalid_cursor')
  }
})
