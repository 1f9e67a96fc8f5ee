import { authorizer } from '../../functions/operations/lambdas.ts'
import { type OperationId, operations } from '../../functions/operations/operations.ts'
import { keys, type Reply } from '../support/service.ts'
import type { Fault } from './faults.ts'
import type { Caller } from './faulty-database.ts'
import type { FaultyService } from './service.ts'

const session = { deploymentId: 1, embedTenantName: 'north', creatorMode: true, tenantGroups: ['buyers'] }
let definitions = 0

/** A request of every operation that reads or writes tables, and what is allowed for it. */
export type Row = {
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

export const rows: Readonly<Record<string, Row>> = {
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
  'list who can see a workbook': {
    id: 'list-workbook-embed-access',
    path: '/api/v1/deployments/1/workbooks/1/embed-access',
    status: 200,
    calls: 5,
    attempts: 14,
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
  'ask about an embed token': {
    id: 'get-embed-session',
    path: '/api/v1/embed/session',
    status: 200,
    calls: 1,
    attempts: 6,
  },
  'ask about an embed token with keys that are read again': {
    id: 'get-embed-session',
    path: '/api/v1/embed/session',
    status: 200,
    calls: 2,
    attempts: 7,
    readsKeys: true,
  },
  'end an embed token': { id: 'end-embed-session', path: '/api/v1/embed/session', status: 204, calls: 2, attempts: 6 },
  'revoke all sessions of a user': {
    id: 'revoke-session',
    path: '/api/v1/embed/session/revoke',
    body: async () => ({ embedTenantName: 'north', externalId: 'u-1' }),
    status: 204,
    calls: 1,
    attempts: 6,
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
export const callersOf = ({ id }: Row): readonly Caller[] =>
  ['list-embed-tenant-workbooks', 'list-dbt-syncs', 'generate-session', 'revoke-session'].includes(id)
    ? ['the function', 'the authorizer']
    : ['the function']

/** The most attempts at one call, and the longest that a call may take with all of them, in milliseconds. */
export const attemptsOfACall = 3
export const longestCall = 8000
/** How long before the end of its time a function gives up. */
const margin = 250

type Outcome = {
  readonly status: number
  readonly code?: string
  readonly retryAfter?: string
  readonly ms: number
}

/** What a caller may be told while a fault lasts. */
export function allowed({ id, status }: Row, { effect }: Fault, caller: Caller, struck: number): Outcome {
  const own = operations[id].timeout * 1000 - margin
  const all = own + authorizer.timeout * 1000 - margin
  if (struck === 0 || effect === 'harmless') return { status, ms: all }
  if (caller === 'the authorizer') return { status: 500, ms: longestCall }
  if (effect === 'ours') return { status: 500, code: 'internal_error', ms: 0 }
  return { status: 503, code: 'database_unavailable', retryAfter: '1', ms: Math.min(own, longestCall) }
}

/** What a caller may be told after one failure: it matters only where the call is wrong, or can't be done twice. */
export function allowedOnce(
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

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

export const outcomeOf = ({ status, headers, body }: Reply): Omit<Outcome, 'ms'> => ({
  status,
  ...(body?.code && { code: body.code }),
  ...(headers.has('retry-after') && { retryAfter: headers.get('retry-after') as string }),
})
