import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { encodeCursor } from '@embed-access/core/storage/cursor.ts'
import { expect, test } from 'vitest'
import { itemAt } from '../support/database.ts'
import { pagesOf } from '../support/pages.ts'
import {
  acmeTenant,
  embeddingAccount,
  embedTenant,
  keys,
  people,
  put,
  recipient,
  revised,
  share,
  tenantGroup,
  userKey,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const path = '/api/v1/embed-tenants'
const service = world([
  ...people,
  userKey('acme', 1, 'sk-lists-only', { operations: ['list-embed-tenants'] }),
  acmeTenant('brock-tea', { displayName: 'Brock Tea' }),
  share(1, 'folder', 7, embedTenant('brockton')),
  recipient(2, 1, { type: 'embedUser', embedTenantName: 'cedar', externalId: 'u-1' }),
  tenantGroup('dune', 'buyers'),
  // Definitions of the account itself are no tenant.
  put('attributeDefinition', { accountId: 'acme', name: 'region' }),
  acmeTenant('zinc'),
  put('embedTenant', { accountId: 'other', name: 'brock-of-others' }),
  ...embeddingAccount('changing', 30),
  // Nobody knows the account of this deployment.
  share(4242, 'folder', 7, embedTenant('brock-waits')),
])
const { generate } = sessionsOf(service)
const list = async (query = '', key: string = keys.admin) =>
  (await service.get(`${path}${query}`, { key })).body
const named = async (query = '', key?: string): Promise<string[]> =>
  (await list(query, key)).items.map(({ name }: { name: string }) => name)

const changing = { accountId: 'changing' }
const firstDay = '2100-06-01T12:00:00.000Z'

test('has whatever a record, share, recipient, definition or session has named', async () => {
  service.now += 60_000
  const session = { embedTenantName: 'elm', embedTenantProfile: { displayName: 'Elm & Sons' } }
  expect((await generate(session)).status).toBe(200)
  const all = [
    { name: 'brock-tea', displayName: 'Brock Tea', createdAt: firstDay },
    { name: 'brockton', displayName: null, createdAt: firstDay },
    { name: 'cedar', displayName: null, createdAt: firstDay },
    { name: 'dune', displayName: null, createdAt: firstDay },
    { name: 'elm', displayName: 'Elm & Sons', createdAt: new Date(service.now).toISOString() },
    { name: 'zinc', displayName: null, createdAt: firstDay },
  ]
  expect((await list()).items).toEqual(all)
  for (const first of [1, 2, 5, 6, 7]) expect(await pagesOf(service, path, {}, first)).toEqual(all)
  expect(await named('', keys.otherAdmin)).toEqual(['brock-of-others'])
  expect(await named('', 'sk-lists-only')).toEqual(all.map(({ name }) => name))
})

test('finds names by what they begin with, in any case of letters', async () => {
  for (const [search, found] of [
    ['BROCK', ['brock-tea', 'brockton']],
    ['brock-', ['brock-tea']],
    ['brockton', ['brockton']],
    ['brocktons', []],
    ['rock', []],
    ['Brock Tea', []],
    ['é~', []],
    ['x'.repeat(36), []],
  ] as const)
    expect([search, await named(`?search=${encodeURIComponent(search)}`)]).toEqual([search, found])
  expect(await pagesOf(service, path, { search: 'br' }, 1)).toHaveLength(2)
})

test('refuses a search that got lost or fits no name, and a cursor of another search', async () => {
  const { pageInfo } = await list('?first=1&search=brock')
  expect(await named(`?search=brock&after=${pageInfo.endCursor}`)).toEqual(['brockton'])
  for (const [query, parameter] of [
    ['?search=', 'search'],
    [`?search=${'x'.repeat(37)}`, 'search'],
    ['?serch=brock', 'serch'],
    [`?search=bro&after=${pageInfo.endCursor}`, 'after'],
    [`?after=${pageInfo.endCursor}`, 'after'],
  ]) {
    const { status, errors } = await list(query)
    expect([query, status, errors[0].parameter]).toEqual([query, 400, parameter])
  }
  const after = (position: string) =>
    encodeCursor(['embedTenants', 'acme', 'brock'], position).replaceAll('+', '%2B')
  const whole = (await list('?search=brockton')).pageInfo.endCursor
  expect(await named(`?search=brockton&after=${whole}`)).toEqual([])
  // Such a cursor was never given. It says where to begin, and leads out of no search.
  for (const [position, found] of [
    ['a', ['brock-tea', 'brockton']],
    ['brock-u', ['brockton']],
    ['brockton', []],
    ['c', []],
  ] as const)
    expect(await named(`?search=brock&after=${after(position)}`)).toEqual(found)
})

test('is closed to a credential that opens only some deployments', async () => {
  expect(await list('', keys.scopedAdmin)).toMatchObject({
    status: 403,
    code: 'deployment_forbidden',
    detail: 'Embed tenants belong to the account, and this credential opens only some deployments.',
  })
})

test('does not have what was deleted, until it is named again, and then anew', async () => {
  const fig = put('embedTenant', { ...changing, name: 'fig', displayName: 'Fig' })
  const only = async () => (await list('?search=fig', 'sk-changing')).items
  const since = () => new Date(service.now).toISOString()
  await service.apply([revised(1, fig)])
  const made = [{ name: 'fig', displayName: 'Fig', createdAt: since() }]
  service.now += 1000
  await service.apply([revised(2, fig), fig])
  expect(await only()).toEqual(made)

  for (const [deletion, back] of [
    [
      revised(3, without(fig)),
      () => generate({ deploymentId: 30, embedTenantName: 'fig' }, 'sk-changing'),
    ],
    [without(fig), () => service.apply([revised(4, fig)])],
    [revised(5, without(fig)), () => service.apply([fig])],
  ] as const) {
    service.now += 1000
    // A share and a definition do not bring it back, nor does an older change.
    await service.apply([
      deletion,
      share(30, 'folder', 7, embedTenant('fig')),
      put('tenantGroup', { ...changing, embedTenantName: 'fig', name: `g${service.now}` }),
      revised(1, fig),
    ])
    expect(await only()).toEqual([])
    expect(
      await itemAt(service.storage, 'catalog', { pk: 'embedTenant#changing#fig', sk: 'record' }),
    ).not.toHaveProperty('embedTenantList')
    service.now += 1000
    await back()
    expect(await only()).toMatchObject([{ createdAt: since() }])
  }
})

test('says since when by the catalog if that says it, and null if nobody knows', async () => {
  const gum = (more: object) => put('embedTenant', { ...changing, name: 'gum', ...more })
  const since = async () => (await list('?search=gum', 'sk-changing')).items[0].createdAt
  await service.apply([revised(1, gum({ createdAt: '2026-03-01' }))])
  expect(await since()).toBe('2026-03-01')
  await service.apply([revised(2, gum({ displayName: 'Gum' }))])
  expect(await since()).toBe('2026-03-01')
  await service.apply([revised(3, gum({ createdAt: '2025-01-01T10:00:00Z' }))])
  expect(await since()).toBe('2025-01-01T10:00:00Z')
  // As versions of the service before this list stored it.
  const { client, tables } = service.storage
  const Key = { pk: 'embedTenant#changing#gum', sk: 'record' }
  const UpdateExpression = 'REMOVE createdAt'
  await client.send(new UpdateCommand({ TableName: tables.catalog, Key, UpdateExpression }))
  await service.apply([revised(4, gum({})), gum({})])
  expect(await since()).toBe(null)
})
