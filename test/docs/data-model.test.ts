import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { goneRevocationKey, updateForDeletion } from '@embed-access/core/access/revocation.ts'
import { revokeMinted } from '@embed-access/core/sessions/revoke.ts'
import { type TableName, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { beforeAll, expect, test } from 'vitest'
import {
  acmeAccount,
  acmeDeployment,
  acmeGroup,
  allEmbedUsers,
  dbtSync,
  embedTenant,
  folder,
  keys,
  notification,
  publishedDashboard,
  put,
  share,
  userKey,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const page = readFileSync('docs/design.md', 'utf8')
const [, drawing = ''] = /```\n(catalog [\s\S]*?)```/.exec(page) ?? []

// The share names its tenant before the deployment is there.
const service = world([share(1001, 'folder', 7, embedTenant('oak'))])
const items: { table: TableName; item: Record<string, unknown> }[] = []

beforeAll(async () => {
  await writeItemsOfEveryKind()
  const { client, tables } = service.storage
  for (const table of Object.keys(tables) as TableName[])
    for await (const { Items = [] } of paginateScan({ client }, { TableName: tables[table] }))
      items.push(...Items.map((item) => ({ table, item })))
})

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
    const indexes = tableDefinitions[table].indexes.filter(
      ({ partitionKey }) => partitionKey in item,
    )
    const names = Array.from(indexes, ({ name }) => name)
    return shown(table, `${item.pk}`, `${item.sk ?? ''}`, names)
  })
  expect([...new Set(stored)].sort()).toEqual(drawn.sort())
})

test('docs/design.md has every index, with its keys and an entry', () => {
  const rows = [...page.matchAll(/^\| `\w+` \| `.*/gm)].map(([row]) => row.split('|').slice(1))
  const quoted = (cell = ''): string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text as string)
  const documented = rows.map(([name, partition, sort, carries]) => {
    const keys = [partition, sort].map(quoted)
    const unknown = keys.flatMap(([key = '', ...examples]) =>
      examples.filter((example) => !items.some(({ item }) => item[key] === example)),
    )
    expect(unknown).toEqual([])
    const carried = carries?.trim() === 'all' ? 'all' : quoted(carries)
    return [quoted(name)[0], keys[0]?.[0], keys[1]?.[0], carried]
  })
  const defined = Object.values(tableDefinitions).flatMap(({ indexes }) => indexes)
  expect(documented).toEqual(
    defined.map(({ name, ...its }) => [name, its.partitionKey, its.sortKey, its.carries]),
  )
  expect(page).toContain(`The ${defined.length} indexes`)
})

/** `catalog account#acme record: byIssuerAndAudience` */
function shown(table: string, pk: string, sk: string, indexes: readonly string[]): string {
  const partition = pk.replace(/#([0-9a-f]{12}|[0-9a-f]{64}|[\w-]{22})$/, '#…')
  return `${table} ${partition} ${sk}: ${indexes.join(', ')}`
}

async function writeItemsOfEveryKind() {
  const oidc = { issuer: 'https://login.acme.example', audience: 'embed', userClaim: 'email' }
  const ada = { username: 'ada', email: 'ada@acme.example', roles: ['admin'], deploymentIds: 'all' }
  const oak = { accountId: 'acme', embedTenantName: 'oak' }
  const gone = [
    put('tenantGroup', { ...oak, name: 'editors' }),
    put('attributeDefinition', { ...oak, name: 'region' }),
  ]
  const meta = { large: randomBytes(120_000).toString('base64') }
  const dashboard = publishedDashboard(1001, 5, { id: 42, publicId: 'sales' })
  const recipientOf = (recipient: object) =>
    put('recipient', { deploymentId: 1001, notificationId: 9, recipient })
  await service.apply([
    acmeAccount({ oidc }),
    acmeDeployment(1001),
    acmeGroup('finance'),
    put('attributeDefinition', { accountId: 'acme', name: 'region' }),
    ...gone,
    put('user', { ...ada, accountId: 'acme', id: 3 }),
    userKey('acme', 3, keys.admin),
    folder(1001, 7, 2),
    workbook(1001, 5, { folderId: 7, meta, publishedDashboard: dashboard }),
    share(1001, 'workbook', 5, allEmbedUsers),
    dbtSync(1001, 'j-1', { status: 'FAILED' }),
    notification(1001, 9, { dashboardId: 42 }),
    recipientOf({ type: 'user', userId: 3 }),
    recipientOf({ type: 'embedUser', embedTenantName: 'oak', externalId: 'u-1' }),
  ])
  await service.apply(gone.map(without))
  const { newSession, redeem, revoke } = sessionsOf(service)
  const session = { deploymentId: 1001, externalId: 'u-1' }
  await newSession(session)
  const sessionId = await newSession({ ...session, embedTenantName: 'elm' })
  await redeem(sessionId)
  await revoke({ sessionId })
  for (const endUsers of [{}, { externalId: 'u-1' }])
    await revoke({ embedTenantName: 'oak', ...endUsers })
  for (const minter of [{ userId: 3 }, { key: '0123456789ab' }])
    await revokeMinted(service.storage, 'acme', minter, 0, service.now)
  const { client, tables } = service.storage
  for (const key of [
    goneRevocationKey('acme', 'account'),
    goneRevocationKey('acme', 'deployment', 1001),
    goneRevocationKey('acme', 'user', 3),
  ])
    await client.send(new UpdateCommand(updateForDeletion(tables.sessions, key, service.now)))
}
