import { readFileSync } from 'node:fs'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FilledEngine, filledEngine } from '../pages/filled-engine.ts'
import { functionsOver } from '../pages/measure.ts'
import { type PageRequest, pageRequests, type Sizes } from '../pages/requests.ts'
import { workbook } from '../pages/workbook.ts'
import { type Cost, countCalls, type Units } from '../support/counting.ts'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { type Call, keys, people, put, world } from '../support/service.ts'
import { bearer, sessionsOf } from '../support/sessions.ts'

/** What one partition key gives in a second (AWS, "DynamoDB burst and adaptive capacity"). */
const perSecond = { read: 3000, write: 1000 }

const names = (count: number) => Array.from({ length: count }, (_, index) => `group-${index}`)
const groups = names(100).map((name) => put('group', { accountId: 'acme', name }))
const service = world([...people, ...groups])

type UnitsByPartition = Cost['partitions']

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

function partitionsOf(storage: Storage) {
  const measure = countCalls(storage)
  return async (work: () => Promise<unknown>) => (await measure(work))[0].partitions
}

/** The most units that a partition gives to each of two requests. A new session is a partition of its own. */
function mostShared(one: UnitsByPartition, another: UnitsByPartition): Units {
  const shared = [...one].flatMap(([partition, units]) => (another.has(partition) ? [units] : []))
  const most = (kind: keyof Units) => Math.max(...shared.map((units) => units[kind]))
  return { read: most('read'), write: most('write') }
}
