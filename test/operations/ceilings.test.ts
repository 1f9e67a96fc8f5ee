import { readFileSync } from 'node:fs'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { filledEngine } from '../pages/filled-engine.ts'
import { functionsOver } from '../pages/measure.ts'
import { type PageRequest, pageRequests } from '../pages/requests.ts'
import { workbook } from '../pages/workbook.ts'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { type Call, keys, people, put, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

/** What one partition key gives in a second (AWS, "DynamoDB burst and adaptive capacity"). */
const perSecond = { read: 3000, write: 1000 }

const names = (count: number) => Array.from({ length: count }, (_, index) => `group-${index}`)
const service = world([
  ...people,
  ...names(100).map((name) => put('group', { accountId: 'acme', name })),
])
const { newSession, newToken } = sessionsOf(service)
const [small, large] = [{ embedTenantName: 'small' }, { embedTenantName: 'large' }]
let embedToken = ''
let page: (name: string) => Promise<unknown>

beforeEach(({ skip }) => skip(!countsUnits, withoutUnits))

beforeAll(async () => {
  await putTenant(small, 1)
  await putTenant(large, 300)
  embedToken = await newToken({ internalId: 'ada' })
  const sizes = { workbooks: 4000, syncs: 1000, notifications: 1000 }
  const { tables, endpoint, stop } = await filledEngine(sizes, workbook)
  const storage = connect(tables, endpoint)
  const read = functionsOver(storage)
  const requests = new Map(pageRequests(sizes).map((request) => [request.name, request]))
  page = (name) => read(requests.get(name) as PageRequest)
  for (const each of [storage, service.storage]) noteUnits(each)
  return stop
}, 120_000)

test.each<[string, () => Promise<unknown>]>([
  [
    'an embed tenant | sessions, where it has at most 4 KB of groups and attributes',
    () => session(small),
  ],
  ['an embed tenant | sessions, where it has 300 KB of them', () => session(large)],
  [
    'an embed tenant | sessions that change definitions, where it has 1 KB of them',
    () => changing(small),
  ],
  [
    'an embed tenant | sessions that change definitions, where it has 300 KB of them',
    () => changing(large),
  ],
  ['an account | sessions without an embed tenant', () => session({})],
  ['an account | sessions that name 100 groups', () => session({ groups: names(100) })],
  ['an account | requests with API keys', () => syncs({ key: keys.admin })],
  [
    'a user or API key | requests with the embed tokens that it generated',
    () => syncs(bearer(embedToken)),
  ],
  [
    'a deployment | pages of 100 workbooks of shared folders',
    () => page('workbooks, folder, first'),
  ],
  [
    'a deployment | pages of 100 workbooks that are shared directly',
    () => page('workbooks, tenant, first'),
  ],
  ['a deployment | pages of 100 workbooks of the union', () => page('workbooks, union, first')],
  ['a deployment | pages of 100 dbt syncs', () => page('syncs, all, first')],
  ['a deployment | pages of 100 notifications', () => page('notifications, all, first')],
])('%s: as many a second as the documentation says', async (what, request) => {
  // Once before: an instance then knows the deployment, the account and the groups.
  await request()
  const { read, write } = mostShared(await unitsOf(request), await unitsOf(request))
  const units = [
    ...(read > 0 ? [`${read} read`] : []),
    ...(write > 0 ? [`${write} write`] : []),
  ].join(', ')
  const most = Math.floor(Math.min(perSecond.read / read, perSecond.write / write)).toLocaleString(
    'en',
  )
  const lines = readFileSync('docs/costs.md', 'utf8').split('\n')
  const line = lines.find((each) => each.startsWith(`| ${what} | `)) ?? 'no such line'
  expect(line).toContain(`| ${what} | ${units} | ${most} |`)
})

async function session(request: object): Promise<void> {
  expect(await newSession(request)).toEqual(expect.any(String))
}

let defined = 0

function changing(tenant: object): Promise<void> {
  defined += 1
  return session({
    ...tenant,
    creatorMode: true,
    tenantGroupDefinitions: [{ name: `new-${defined}` }],
  })
}

const syncs = (call: Call) => service.get('/api/v1/deployments/1/dbt-sync', call)

/** Writes an embed tenant whose item takes a little less than this many KB. */
async function putTenant(
  { embedTenantName: name }: typeof small,
  kilobytes: number,
): Promise<void> {
  const { client, tables } = service.storage
  const rest = 'x'.repeat(kilobytes * 1024 - 600)
  const Item = { ...embedTenantKey('acme', name), name, rest }
  await client.send(new PutCommand({ TableName: tables.catalog, Item }))
}

type Units = { read: number; write: number }
type UnitsByPartition = Map<string, Units>

let partitions: UnitsByPartition = new Map()

/** The units of some work by partition. The keys of one call share its units evenly. */
async function unitsOf(work: () => Promise<unknown>): Promise<UnitsByPartition> {
  partitions = new Map()
  await work()
  return partitions
}

/** From now on the calls of this storage's client add their units to the partitions. */
function noteUnits({ client }: Storage): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const }
        const result = await next({ ...args, input })
        const { ConsumedCapacity = [] } = result.output as {
          ConsumedCapacity?: Consumed | Consumed[]
        }
        for (const { TableName, CapacityUnits } of [ConsumedCapacity].flat()) {
          const names = namesIn(input as Input, TableName)
          for (const name of names) {
            const units = partitions.get(name) ?? { read: 0, write: 0 }
            units[/Get|Query/.test(commandName) ? 'read' : 'write'] += CapacityUnits / names.length
            partitions.set(name, units)
          }
        }
        return result
      },
    { step: 'initialize', priority: 'high' },
  )
}

type Consumed = { readonly TableName: string; readonly CapacityUnits: number }
type Key = { readonly pk: string }
type Request = { readonly TableName?: string; readonly Key?: Key; readonly Item?: Key }
type Input = Request & {
  readonly IndexName?: string
  readonly ExpressionAttributeValues?: object
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Key[] }>>
  readonly TransactItems?: readonly Readonly<Record<string, Request>>[]
}

/** The partitions of a table, or of an index of it, that a call names. */
function namesIn(input: Input, table: string): string[] {
  const { IndexName, ExpressionAttributeValues = {}, RequestItems = {}, TransactItems = [] } = input
  if (IndexName) return [`${table} ${IndexName} ${Object.values(ExpressionAttributeValues)[0]}`]
  const requests = [input, ...TransactItems.flatMap((each) => Object.values(each))]
  const own = requests.flatMap(({ TableName, Key, Item }) =>
    TableName === table ? (Key ?? Item ?? []) : [],
  )
  return [...own, ...(RequestItems[table]?.Keys ?? [])].map(({ pk }) => `${table} ${pk}`)
}

/**
 * The most units that a partition gives to each of two requests. A new session is a partition of
 * its own.
 */
function mostShared(one: UnitsByPartition, another: UnitsByPartition): Units {
  const shared = [...one].flatMap(([partition, units]) => (another.has(partition) ? [units] : []))
  const most = (kind: keyof Units) => Math.max(...shared.map((units) => units[kind]))
  return { read: most('read'), write: most('write') }
}
