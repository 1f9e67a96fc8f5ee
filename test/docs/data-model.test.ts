import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { revokeMinted } from '@embed-access/core/sessions/revoke.ts'
import { type TableName, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { beforeAll, expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import {
  allEmbedUsers,
  dbtSync,
  embedTenant,
  folder,
  keys,
  notification,
  publishedDashboard,
  put,
  share,
  without,
  workbook,
  world,
} from '../support/service.ts'

const page = readFileSync('docs/design.md', 'utf8')
const [, drawing = ''] = /```\n(catalog [\s\S]*?)```/.exec(page) ?? []

const oidc = { issuer: 'https://login.acme.example', audience: 'embed', userClaim: 'email' }
const ada = { username: 'ada', roles: ['admin'], deploymentIds: 'all' }
const ofTenant = { accountId: 'acme', embedTenantName: 'oak' }
const group = put('tenantGroup', { ...ofTenant, name: 'editors' })
const attribute = put('attributeDefinition', { ...ofTenant, name: 'region' })
const recipientOf = (recipient: object) => put('recipient', { deploymentId: 1001, notificationId: 9, recipient })

// The share names its tenant before the deployment is there.
const service = world([share(1001, 'folder', 7, embedTenant('oak'))])
const items: { table: TableName; item: Record<string, unknown> }[] = []

beforeAll(async () => {
  const publishedDashboardOf5 = publishedDashboard(1001, 5, { id: 42, publicId: 'sales' })
  const large = { text: randomBytes(120_000).toString('base64') }
  await service.apply([
    put('account', { id: 'acme', name: 'Acme', embeddingEnabled: true, oidc }),
    put('deployment', { accountId: 'acme', id: 1001, name: 'First' }),
    put('group', { accountId: 'acme', name: 'finance' }),
    put('attributeDefinition', { accountId: 'acme', name: 'region' }),
    group,
    attribute,
    put('user', { ...ada, accountId: 'acme', id: 3, email: 'ada@acme.example' }),
    put('apiKey', { accountId: 'acme', tokenHash: hashOfApiKey(keys.admin), userId: 3, name: 'host' }),
    folder(1001, 7, 2),
    workbook(1001, 5, { folderId: 7, meta: large, publishedDashboard: publishedDashboardOf5 }),
    share(1001, 'workbook', 5, allEmbedUsers),
    dbtSync(1001, 'j-1', { status: 'FAILED' }),
    notification(1001, 9, { dashboardId: 42 }),
    recipientOf({ type: 'user', userId: 3 }),
    recipientOf({ type: 'embedUser', embedTenantName: 'oak', externalId: 'u-1' }),
  ])
  await service.apply([without(group), without(attribute)])
  const call = { key: keys.admin, body: { deploymentId: 1001, externalId: 'u-1' } }
  const generate = async () => (await service.post('/api/v1/embed/generate-session', call)).body
  await generate()
  const body = await generate()
  await service.post('/api/v1/embed/session/token', { body })
  await service.post('/api/v1/embed/session/revoke', { ...call, body })
  await revokeMinted(service.storage, 'acme', { userId: 3 }, 0, service.now)
  const { client, tables } = service.storage
  for (const table of Object.keys(tableDefinitions) as TableName[])
    for await (const { Items = [] } of paginateScan({ client }, { TableName: tables[table] }))
      items.push(...Items.map((item) => ({ table, item })))
})

/** `catalog account#acme record: byIssuerAndAudience` */
const shown = (table: string, pk: string, sk: string, indexes: readonly string[]): string =>
  `${table} ${pk.replace(/#([0-9a-f]{64}|[\w-]{22})$/, '#…')} ${sk}: ${indexes.join(', ')}`

test('the drawing of docs/design.md has every item, with its keys and indexes', () => {
  let [table, pk] = ['', '']
  const drawn = drawing.split('\n').flatMap((line) => {
    const [first = '', ...rest] = line.split(/ {2,}/)
    if (first in tableDefinitions) table = first
    if (line === '' || first in tableDefinitions) return []
    pk = first || pk
    const sk = table === 'catalog' ? (rest.shift() as string) : ''
    return shown(table, pk, sk, rest[1]?.split(', ') ?? [])
  })
  const stored = items.map(({ table, item }) => {
    const indexes = tableDefinitions[table].indexes.filter(({ partitionKey }) => partitionKey in item)
    return shown(
      table,
      `${item.pk}`,
      `${item.sk ?? ''}`,
      Array.from(indexes, ({ name }) => name),
    )
  })
  expect([...new Set(stored)].sort()).toEqual(drawn.sort())
})

test('docs/design.md has every index, with its keys, an entry and who reads it', () => {
  const rows = [...page.matchAll(/^\| `\w+` \| `.*/gm)].map(([row]) => row.split('|').slice(1))
  const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text as string)
  const documented = rows.map(([name, partition, sort, carries, , readers]) => {
    const keys = [partition, sort].map(quoted)
    const unknown = keys.flatMap(([key = '', ...examples]) =>
      examples.filter((example) => !items.some(({ item }) => item[key] === example)),
    )
    expect(unknown).toEqual([])
    const functions = quoted(readers).filter((id) => id in lambdas)
    return [quoted(name)[0], keys[0]?.[0], keys[1]?.[0], quoted(carries), functions]
  })
  const readersOf = (name: string) =>
    Object.entries(lambdas).flatMap(([id, { tables }]) =>
      tables.some(({ indexes = [] }) => (indexes as readonly string[]).includes(name)) ? [id] : [],
    )
  const defined = Object.values(tableDefinitions).flatMap(({ indexes }) => indexes)
  expect(documented).toEqual(
    defined.map(({ name, partitionKey, sortKey, carries }) => {
      return [name, partitionKey, sortKey, carries, readersOf(name).sort()]
    }),
  )
  expect(page).toContain(`The ${defined.length} indexes`)
})
