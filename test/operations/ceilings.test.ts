import { readFileSync } from 'node:fs'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FilledEngine, filledEngine } from '../pages/filled-engine.ts'
import { functionsOver } from '../pages/measure.ts'
import { type PageRequest, pageRequests, type Sizes } from '../pages/requests.ts'
import { workbook } from '../pages/workbook.ts'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { type Call, keys, people, put, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

/** What one partition key gives in a second (AWS, "DynamoDB burst and adaptive capacity"). */
const perSecond = { read: 3000, write: 1000 }

const names = (count: number) => Array.from({ length: count }, (_, index) => `group-${index}`)
const groups = names(100).map((name) => put('group', { accountId: 'acme', name }))
const service = world([...people, ...groups])

type Units = { read: number; write: number }
type UnitsByPartition = Map<string, Units>

let unitsOf: (work: () => Promise<unknown>) => Promise<UnitsByPartition>
let unitsOfPage: (name: string) => Promise<UnitsByPartition>
let embedToken = ''
let filled: FilledEngine | undefined

const { newSession, newToken } = sessionsOf(service)
const session = async (request: object) => expect(await newSession(request)).toEqual(expect.any(String))

/** Writes an embed tenant whose item takes a little less than this many KB. */
const tenantOf = async (name: string, kilobytes: number) => {
  const { client, tables } = service.storage
  const rest = 'x'.repeat(kilobytes * 1024 - 600)
  const Item = { ...embedTenantKey('acme', name), name, rest }
  await client.send(new PutCommand({ TableName: tables.catalog, Item }))
}

let defined = 0
const changing = (embedTenantName: string) => {
  defined += 1
  return session({ embedTenantName, creatorMode: true, tenantGroupDefinitions: [{ name: `new-${defined}` }] })
}

const syncs = (call: Call) => service.get('/api/v1/deployments/1/dbt-sync', call)

const sizes: Sizes = { workbooks: 4000, syncs: 1000, notifications: 1000 }

beforeAll(async () => {
  unitsOf = partitionsOf(service.storage)
  await tenantOf('small', 1)
  await tenantOf('large', 300)
  embedToken = await newToken({ internalId: 'ada' })
  filled = await filledEngine(sizes, workbook)
  const storage = connect(filled.tables, filled.endpoint)
  const read = functionsOver(storage)
  const unitsOfRead = partitionsOf(storage)
  const requests = new Map(pageRequests(sizes).map((request) => [request.name, request]))
  unitsOfPage = (name) => unitsOfRead(() => read(requests.get(name) as PageRequest))
}, 120_000)
afterAll(() => filled?.stop())

const page = readFileSync('docs/costs.md', 'utf8')

beforeEach(({ skip }) => skip(!countsUnits, withoutUnits))

const requests: Readonly<Record<string, () => Promise<unknown>>> = {
  'an embed tenant | sessions, where it has at most 4 KB of groups and attributes': () =>
    session({ embedTenantName: 'small' }),
  'an embed tenant | sessions, where it has 300 KB of them': () => session({ embedTenantName: 'large' }),
  'an embed tenant | sessions that change definitions, where it has 1 KB of them': () => changing('small'),
  'an embed tenant | sessions that change definitions, where it has 300 KB of them': () => changing('large'),
  'an account | sessions without an embed tenant': () => session({}),
  'an account | sessions that name 100 groups': () => session({ groups: names(100) }),
  'an account | requests with API keys': () => syncs({ key: keys.admin }),
  'an account | requests with embed tokens of internal users': () => syncs(bearer(embedToken)),
}
const pages: Readonly<Record<string, string>> = {
  'a deployment | pages of 100 workbooks of shared folders': 'workbooks, folder, first',
  'a deployment | pages of 100 workbooks that are shared directly': 'workbooks, tenant, first',
  'a deployment | pages of 100 workbooks of the union': 'workbooks, union, first',
  'a deployment | pages of 100 dbt syncs': 'syncs, all, first',
  'a deployment | pages of 100 notifications': 'notifications, all, first',
}

test.each([
  ...Object.entries(requests).map(([what, request]) => [what, () => unitsOf(request)] as const),
  ...Object.entries(pages).map(([what, name]) => [what, () => unitsOfPage(name)] as const),
])('%s: as many a second as the documentation says', async (what, measure) => {
  // Once before: an instance then knows the deployment, the account and the groups.
  await measure()
  const { read, write } = mostShared(await measure(), await measure())
  const units = [...(read > 0 ? [`${read} read`] : []), ...(write > 0 ? [`${write} write`] : [])].join(', ')
  const most = Math.floor(Math.min(perSecond.read / read, perSecond.write / write)).toLocaleString('en')
  const beginning = `| ${what} | `
  expect(page.split('\n').find((line) => line.startsWith(beginning)) ?? 'no such line').toContain(
    `${beginning}${units} | ${most} |`,
  )
})

/** The units of some work by partition. The keys of one call share its units evenly. */
function partitionsOf({ client }: Storage) {
  let partitions: UnitsByPartition = new Map()
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const }
        const result = await next({ ...args, input })
        const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] }
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
  return async (work: () => Promise<unknown>) => {
    partitions = new Map()
    await work()
    return partitions
  }
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
  const own = requests.flatMap(({ TableName, Key, Item }) => (TableName === table ? (Key ?? Item ?? []) : []))
  return [...own, ...(RequestItems[table]?.Keys ?? [])].map(({ pk }) => `${table} ${pk}`)
}

/** The most units that a partition gives to each of two requests. A new session is a partition of its own. */
function mostShared(one: UnitsByPartition, another: UnitsByPartition): Units {
  const shared = [...one].flatMap(([partition, units]) => (another.has(partition) ? [units] : []))
  const most = (kind: keyof Units) => Math.max(...shared.map((units) => units[kind]))
  return { read: most('read'), write: most('write') }
}
