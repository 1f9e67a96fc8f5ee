import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import {
  asksAuthorizer,
  type OperationId,
  operations,
} from '../../functions/operations/operations.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { type Counter, countCalls } from '../support/counting.ts'
import { type Call, demoChanges, type Reply, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { embedToken, send } from './requests.ts'

/** Dollars a million: of requests, of units, of GB. */
const prices = {
  request: 1,
  invocation: 0.2,
  gigabyteSecond: 13.3334,
  read: 0.125,
  write: 0.625,
  log: 0.5,
  out: 0.09,
}

/** Log lines in KB. */
const lines = { access: 0.4, invocation: 0.6, audit: 0.7 }

/** Assumed, in milliseconds. */
const roundTrip = 4
const ownTime = { sessions: 2, list: 6, workbooks: 9 }

const authorizer = { memory: 512, trips: 1, ownTime: 2 }

const service = world(demoChanges())
const { newSession } = sessionsOf(service)

const key = demoKeys.admin
const tenant = { deploymentId: 1001, embedTenantName: 'alder-oak' }
const endUser = { ...tenant, externalId: 'user-1' }
const waiting = async () => ({ sessionId: await newSession(tenant, key) })
const newToken = () => embedToken(service, endUser, key)

const page = readFileSync('docs/costs.md', 'utf8')
let tripsOf: Counter['measure']

beforeAll(() => {
  tripsOf = countCalls(service.storage)
})

const rows: Readonly<Record<string, Row>> = {
  'generate a session': { id: 'generate-session', audits: 1, body: () => endUser },
  '… that changes definitions': {
    id: 'generate-session',
    audits: 2,
    body: () => ({ ...endUser, ...newGroup() }),
  },
  'redeem it': { id: 'exchange-session', audits: 1, body: waiting },
  '… refused': {
    id: 'exchange-session',
    audits: 1,
    failedWrites: 1,
    body: () => ({ sessionId: 'unknown' }),
  },
  revoke: { id: 'revoke-session', audits: 1, body: waiting },
  'is a token still good?': { id: 'get-embed-session', credential: newToken },
  'end a token': { id: 'end-embed-session', audits: 1, credential: newToken },
  'workbooks, a page of 45': { id: 'list-embed-tenant-workbooks', ownTime: ownTime.workbooks },
  'dbt syncs, a page of 100': { id: 'list-dbt-syncs', ownTime: ownTime.list },
  'notifications, a page of 48': { id: 'list-notifications', ownTime: ownTime.list },
  'key set': { id: 'get-key-set' },
}

test.each(Object.entries(rows))('%s costs what the documentation says', async (name, row) => {
  const { id, audits = 0, ownTime: own = ownTime.sessions, failedWrites = 0 } = row
  // Once before: an instance then knows the deployment and the account.
  await (await prepared(row))()
  const [measured, reply] = await tripsOf(await prepared(row))
  const { memory } = operations[id]
  const isPublic = !asksAuthorizer(operations[id])
  // The authorizer's come first: two, since the keys of the demo are older.
  const trips = measured.trips.slice(isPublic ? 0 : 2)
  const functions = isPublic ? 1 : 2
  const writeUnits = measured.writeUnits + failedWrites
  const database = measured.readUnits * prices.read + writeUnits * prices.write
  const compute =
    lambda(memory, trips.length, own) +
    (isPublic ? 0 : lambda(authorizer.memory, authorizer.trips, authorizer.ownTime))
  const logs = prices.log * (lines.access + functions * lines.invocation + audits * lines.audit)
  const sum = prices.request + database + compute + logs
  const out = [Buffer.byteLength(reply.text), Number(reply.headers.get('content-length'))]
  const transfer = out.map((bytes) => ((bytes / 1000) * prices.out).toFixed(2))

  const calls = trips.map((names) => names.join(' + ')).join(' · ') || 'none'
  const units = `${measured.readUnits - (isPublic ? 0 : 1.5)} / ${writeUnits}`
  const dollars = [database, compute, logs].map((price) => price.toFixed(2))
  const cells = [name, calls, units, ...dollars, `**${sum.toFixed(2)}**`, ...transfer]
  const line = `| ${cells.join(' | ')} |`
  expect(page.split('\n').find((other) => other.startsWith(`| ${name} | `)) ?? 'no such line').toBe(
    line,
  )
})

test('A start costs what the documentation says', () => {
  const text = page.replaceAll(/\s+/g, ' ')
  const start = (memory: number, milliseconds: number) =>
    lambda(memory, 0, milliseconds) - prices.invocation
  const sizes = [...new Set(Object.values(lambdas).map(({ memory }) => memory))].sort(
    (a, b) => a - b,
  )
  const each = sizes.map(
    (memory) => `${start(memory, 100).toFixed(2)} at ${memory.toLocaleString('en')} MB`,
  )
  expect(text).toContain(
    `a million starts cost ${each.slice(0, -1).join(', ')} and ${each.at(-1)}.`,
  )
  // The authorizer reads most (test/starts): half a unit each of three tables, and the signing keys
  // consistently.
  expect(text).toContain(`cost at most ${((3 * 0.5 + 1) * prices.read).toFixed(2)} more`)
  const hundredth = (memory: number) => (start(memory, 300) / 100).toFixed(2)
  expect(text).toContain(
    `a million calls of a function of 512 MB cost ${hundredth(512)} more, and a million ` +
      `lists ${hundredth(1024)}.`,
  )
})

function lambda(memory: number, trips: number, own: number): number {
  return (
    prices.invocation + (memory / 1024) * ((trips * roundTrip + own) / 1000) * prices.gigabyteSecond
  )
}

type Row = {
  readonly id: OperationId
  readonly audits?: number
  readonly ownTime?: number
  /** Writes whose condition fails. Each is charged as a unit, which the engine does not count. */
  readonly failedWrites?: number
  body?(): object | Promise<object>
  /** Left out: the admin's key, where it takes a credential. */
  credential?(): Promise<Call>
}

/** Prepares a request of the row, with all that it needs. */
async function prepared({ id, body, credential }: Row): Promise<() => Promise<Reply>> {
  const { method, path, access } = operations[id]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof tenant) => `${tenant[name]}`)
  const call = credential ? await credential() : access === 'public' ? {} : { key }
  const sent = { method, path: filled, ...(body && { body: await body() }) }
  return () => send(service, sent, call)
}

let groups = 0

function newGroup() {
  groups += 1
  return { creatorMode: true, tenantGroupDefinitions: [{ name: `new-${groups}` }] }
}
