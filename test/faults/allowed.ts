import { randomUUID } from 'node:crypto'
import { authorizer } from '../../functions/operations/lambdas.ts'
import { type OperationId, operations } from '../../functions/operations/operations.ts'
import type { Reply } from '../support/service.ts'
import type { Fault } from './faults.ts'
import type { Caller } from './faulty-database.ts'

/** A request of every operation that reads or writes tables, and what is allowed for it. */
export type Row = {
  readonly id: OperationId
  readonly query?: string
  /** Left out: as all tests of every operation send it. */
  readonly body?: () => object
  /** Left out: 200. */
  readonly status?: number
  /** What the function asks of DynamoDB when nothing is wrong. */
  readonly calls: string
  /**
   * The most attempts at all calls together, those of the authorizer among them, whatever fails.
   */
  readonly attempts: number
  /** Which of its calls, from 0 on, is a note. Whether it succeeds does not matter. */
  readonly note?: number
  /** Which of its calls can't be done twice. */
  readonly once?: number
  /** Whether the request comes so late that the function reads the signing keys again. */
  readonly readsKeys?: boolean
}

const session = {
  deploymentId: 1,
  embedTenantName: 'north',
  creatorMode: true,
  tenantGroups: ['buyers'],
}
const newDefinition = () => ({ ...session, tenantGroupDefinitions: [{ name: randomUUID() }] })
const viewingAs = () => ({
  deploymentId: 1,
  embedTenantName: 'north',
  externalId: 'u-1',
  actor: { id: 'sam', reason: 'Ticket 4711' },
})
const sessionsOfUser = () => ({ embedTenantName: 'north', externalId: 'u-1' })

export const rows: Readonly<Record<string, Row>> = {
  'generate a session': {
    id: 'generate-session',
    body: () => session,
    calls: 'BatchGet Put',
    attempts: 11,
  },
  'generate a session with definitions': {
    id: 'generate-session',
    body: newDefinition,
    calls: 'BatchGet TransactWrite',
    attempts: 32,
  },
  'try a session': {
    id: 'generate-session',
    query: '?dryRun=true',
    body: () => session,
    calls: 'BatchGet',
    attempts: 8,
  },
  'generate a session to view as an end user': {
    id: 'generate-session',
    body: viewingAs,
    calls: 'BatchGet Put',
    attempts: 11,
  },
  'try a session of an unknown embed tenant': {
    id: 'generate-session',
    query: '?dryRun=true',
    body: () => ({ deploymentId: 1, embedTenantName: 'nort' }),
    calls: 'BatchGet BatchGet Query Query BatchGet',
    attempts: 9,
  },
  'redeem a session': {
    id: 'exchange-session',
    calls: 'Delete Put',
    attempts: 3,
    note: 1,
    once: 0,
  },
  'redeem a session with signing keys that are read again': {
    id: 'exchange-session',
    calls: 'Get Delete Put',
    attempts: 4,
    note: 2,
    once: 1,
    readsKeys: true,
  },
  'list who can see a workbook': {
    id: 'list-workbook-embed-tenants',
    calls: 'BatchGet BatchGet Query BatchGet TransactGet',
    attempts: 14,
  },
  'read the key set': { id: 'get-key-set', calls: 'Get', attempts: 3, readsKeys: true },
  'read what is revoked': {
    id: 'get-embed-revocations',
    calls: 'Get Query',
    attempts: 4,
    readsKeys: true,
  },
  'revoke a session': {
    id: 'revoke-session',
    status: 204,
    calls: 'Update Delete Put',
    attempts: 6,
    note: 2,
  },
  'ask about an embed token': { id: 'get-embed-session', calls: 'BatchGet', attempts: 6 },
  'ask about an embed token with keys that are read again': {
    id: 'get-embed-session',
    calls: 'Get BatchGet',
    attempts: 7,
    readsKeys: true,
  },
  'list what an end user may see': {
    id: 'list-embed-workbooks',
    calls: 'BatchGet Query Query Query BatchGet BatchGet',
    attempts: 20,
  },
  'end an embed token': {
    id: 'end-embed-session',
    status: 204,
    calls: 'BatchGet Update',
    attempts: 6,
  },
  'revoke all sessions of a user': {
    id: 'revoke-session',
    body: sessionsOfUser,
    status: 204,
    calls: 'Update',
    attempts: 6,
  },
  'list workbooks': {
    id: 'list-embed-tenant-workbooks',
    calls: 'BatchGet Query Query Query BatchGet BatchGet',
    attempts: 20,
  },
  'list embed tenants': { id: 'list-embed-tenants', calls: 'Query BatchGet', attempts: 9 },
  'list dbt syncs': { id: 'list-dbt-syncs', calls: 'BatchGet Query', attempts: 9 },
  'list notifications': { id: 'list-notifications', calls: 'BatchGet Query', attempts: 9 },
}

/** The calls of the authorizer, where the request asks it. */
export const callsOfAuthorizer = 'BatchGet BatchGet'

/**
 * The most attempts at one call, and the longest that a call may take with all of them, in
 * milliseconds.
 */
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
export function allowed({ id, status = 200 }: Row, { effect }: Fault, caller: Caller): Outcome {
  const own = operations[id].timeout * 1000 - margin
  const all = own + authorizer.timeout * 1000 - margin
  if (effect === 'harmless') return { status, ms: all }
  if (caller === 'the authorizer') return { status: 500, ms: longestCall }
  if (effect === 'ours') return { status: 500, code: 'internal_error', ms: 0 }
  return {
    status: 503,
    code: 'database_unavailable',
    retryAfter: '1',
    ms: Math.min(own, longestCall),
  }
}

/**
 * What a caller may be told after one failure: it matters only where the call is wrong, or can't be
 * done twice.
 */
export function allowedOnce(
  { status = 200, note, once }: Row,
  { effect }: Fault,
  call: number,
): Omit<Outcome, 'ms'> {
  const matters = call !== note
  if (matters && effect === 'ours') return { status: 500, code: 'internal_error' }
  if (matters && effect === 'lost' && call === once) return { status: 401, code: 'answer_lost' }
  return { status }
}

export const outcomeOf = ({ status, headers, body }: Reply): Omit<Outcome, 'ms'> => ({
  status,
  ...(body?.code && { code: body.code }),
  ...(headers.has('retry-after') && { retryAfter: headers.get('retry-after') as string }),
})
