import { signingKeysMaxAgeSeconds } from '@embed-access/core/sessions/signing-keys.ts'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { authorizer } from '../../functions/operations/lambdas.ts'
import { type OperationId, operations } from '../../functions/operations/operations.ts'
import { itemsOfEveryList } from '../operations/requests.ts'
import { keys, put, type Reply } from '../support/service.ts'
import { type Fault, faults } from './faults.ts'
import type { Caller } from './faulty-database.ts'
import { passTime } from './passing-time.ts'
import { type FaultyService, faultyService } from './service.ts'

const session = { deploymentId: 1, embedTenantName: 'north', creatorMode: true, tenantGroups: ['buyers'] }
let definitions = 0

/** A request of every operation that reads or writes tables, and what is allowed for it. */
type Row = {
  readonly id: OperationId
  readonly path: string
  readonly body?: (service: FaultyService) => Promise<object>
  readonly status: number
  /** How many calls the function makes when nothing is wrong. */
  readonly calls: number
  /** The most attempts at all calls together, those of the authorizer among them, whatever fails. */
  readonly attempts: number
  /** Which of its calls, from 0 on, is a note. Whether it succeeds does not matter. */
  readonly note?: number
  /** Which of its calls can't be done twice. */
  readonly once?: number
  /** Whether the request comes so late that the function reads the signing keys again. */
  readonly readsKeys?: boolean
}

const newSession = async (service: FaultyService) =>
  (await service.send('POST', operations['generate-session'].path, { key: keys.admin, body: session })).body

const rows: Readonly<Record<string, Row>> = {
  'generate a session': {
    id: 'generate-session',
    path: '/api/v1/embed/generate-session',
    body: async () => session,
    status: 200,
    calls: 2,
    attempts: 11,
  },
  'generate a session with definitions': {
    id: 'generate-session',
    path: '/api/v1/embed/generate-session',
    body: async () => ({ ...session, tenantGroupDefinitions: [{ name: `group ${definitions++}` }] }),
    status: 200,
    calls: 2,
    attempts: 32,
  },
  'try a session': {
    id: 'generate-session',
    path: '/api/v1/embed/generate-session?dryRun=true',
    body: async () => session,
    status: 200,
    calls: 1,
    attempts: 8,
  },
  'redeem a session': {
    id: 'exchange-session',
    path: '/api/v1/embed/session/token',
    body: newSession,
    status: 200,
    calls: 2,
    attempts: 3,
    note: 1,
    once: 0,
  },
  'redeem a session with signing keys that are read again': {
    id: 'exchange-session',
    path: '/api/v1/embed/session/token',
    body: newSession,
    status: 200,
    calls: 3,
    attempts: 4,
    note: 2,
    once: 1,
    readsKeys: true,
  },
  'read the key set': {
    id: 'get-key-set',
    path: '/.well-known/jwks.json',
    status: 200,
    calls: 1,
    attempts: 3,
    readsKeys: true,
  },
  'revoke a session': {
    id: 'revoke-session',
    path: '/api/v1/embed/session/revoke',
    body: newSession,
    status: 204,
    calls: 3,
    attempts: 6,
    note: 2,
  },
  'list workbooks': {
    id: 'list-embed-tenant-workbooks',
    path: '/api/v1/deployments/1/embed-tenants/north/workbooks',
    status: 200,
    calls: 6,
    attempts: 20,
  },
  'list dbt syncs': {
    id: 'list-dbt-syncs',
    path: '/api/v1/deployments/1/dbt-sync',
    status: 200,
    calls: 2,
    attempts: 9,
  },
  'list notifications': {
    id: 'list-notifications',
    path: '/api/v1/deployments/1/notifications',
    status: 200,
    calls: 2,
    attempts: 9,
  },
}

/** The authorizer is one function, so its calls fail in one operation for each way to be let in. */
const callersOf = ({ id }: Row): readonly Caller[] =>
  ['list-embed-tenant-workbooks', 'list-dbt-syncs', 'generate-session', 'revoke-session'].includes(id)
    ? ['the function', 'the authorizer']
    : ['the function']

/** The most attempts at one call, and the longest that a call may take with all of them, in milliseconds. */
const attemptsOfACall = 3
const longestCall = 8000
/** How long before the end of its time a function gives up. */
const margin = 250

type Outcome = { readonly status: number; readonly code?: string; readonly retryAfter?: string; readonly ms: number }

/** What a caller may be told while a fault lasts. */
function allowed({ id, status }: Row, { effect }: Fault, caller: Caller, struck: number): Outcome {
  const own = operations[id].timeout * 1000 - margin
  const all = own + authorizer.timeout * 1000 - margin
  if (struck === 0 || effect === 'harmless') return { status, ms: all }
  if (caller === 'the authorizer') return { status: 500, ms: longestCall }
  if (effect === 'ours') return { status: 500, code: 'internal_error', ms: 0 }
  return { status: 503, code: 'database_unavailable', retryAfter: '1', ms: Math.min(own, longestCall) }
}

/** What a caller may be told after one failure: it matters only where the call is wrong, or can't be done twice. */
function allowedOnce(
  { status, note, once }: Row,
  { effect }: Fault,
  call: number,
  struck: number,
): Omit<Outcome, 'ms'> {
  const matters = struck > 0 && call !== note
  if (matters && effect === 'ours') return { status: 500, code: 'internal_error' }
  if (matters && effect === 'lost' && call === once) return { status: 401, code: 'answer_lost' }
  return { status }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const outcomeOf = ({ status, headers, body }: Reply): Omit<Outcome, 'ms'> => ({
  status,
  ...(body?.code && { code: body.code }),
  ...(headers.has('retry-after') && { retryAfter: headers.get('retry-after') as string }),
})

let service: FaultyService

beforeAll(async () => {
  const definition = put('tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'buyers' })
  service = await faultyService(inject('engineEndpoint'), [...itemsOfEveryList(3), definition])
})
beforeEach(() => service.renewClient())

let latest = 0

/** Sets the time at which a row's requests come. */
function setTime({ readsKeys = false }: Row): void {
  if (readsKeys) latest += 2 * signingKeysMaxAgeSeconds * 1000
  service.ahead = readsKeys ? latest : 0
}

async function requestAgain(row: Row): Promise<Reply> {
  setTime(row)
  return request(row)
}

async function request({ id, path, body }: Row, prepared?: object): Promise<Reply> {
  const { method, access } = operations[id]
  const credential = access === 'public' ? {} : { key: keys.admin }
  return service.send(method, path, { ...credential, ...(body && { body: prepared ?? (await body(service)) }) })
}

const undisturbed = { fault: undefined, spares: 0, times: Number.POSITIVE_INFINITY }

/** Sends a request while a fault is in force, and waits for everything that comes late. */
async function requestUnder(row: Row, fault: Partial<FaultyService['database']>) {
  const { database } = service
  setTime(row)
  const prepared = await row.body?.(service)
  Object.assign(database, undisturbed, { struck: [] }, fault)
  database.attempts.clear()
  return passTime(async () => {
    const start = performance.now()
    const reply = await request(row, prepared)
    const ms = performance.now() - start
    const attempts = [...database.attempts.values()]
    Object.assign(database, undisturbed)
    await Promise.allSettled(database.later.splice(0))
    return { reply, ms, attempts, struck: database.struck.length }
  })
}

describe.each(Object.entries(rows))('to %s', (_, row) => {
  test('takes as many calls as its row says', async () => {
    const { attempts } = await requestUnder(row, {})
    const ofAuthorizer = operations[row.id].access === 'public' ? 0 : 2
    expect(attempts).toEqual(Array(row.calls + ofAuthorizer).fill(1))
  })

  describe.each(callersOf(row))('while calls of %s are answered so:', (caller) => {
    test.each(Object.entries(faults))('%s', async (_, fault) => {
      const { reply, ms, attempts, struck } = await requestUnder(row, { fault, caller })
      const { ms: longest, ...outcome } = allowed(row, fault, caller, struck)
      expect(outcomeOf(reply)).toEqual(outcome)
      expect(ms).toBeLessThanOrEqual(longest)
      expect(Math.max(...attempts)).toBeLessThanOrEqual(attemptsOfACall)
      expect(sum(attempts)).toBeLessThanOrEqual(row.attempts)
      expect(reply.text).not.toContain('secret')
      expect((await requestAgain(row)).status).toBe(row.status)
    })
  })

  describe('while one call of the function is answered so:', () => {
    test.each(Object.entries(faults))('%s', async (_, fault) => {
      for (let call = 0; call < row.calls; call += 1) {
        const inForce = { fault, caller: 'the function', spares: call, times: 1 } as const
        const { reply, ms, struck } = await requestUnder(row, inForce)
        expect([call, outcomeOf(reply)]).toEqual([call, allowedOnce(row, fault, call, struck)])
        expect(ms).toBeLessThanOrEqual(longestCall)
      }
    })
  })
})
