import { signingKeysMaxAgeSeconds } from '@embed-access/core/signing/signing-keys.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { asksAuthorizer, operations, routes } from '../../functions/operations/operations.ts'
import { credentialFor, itemsOfEveryList, operationOf, requestOf } from '../operations/requests.ts'
import { type Call, type Reply, tenantGroup } from '../support/service.ts'
import {
  allowed,
  allowedOnce,
  attemptsOfACall,
  callsOfAuthorizer,
  longestCall,
  outcomeOf,
  type Row,
  rows,
} from './allowed.ts'
import { endings, type Fault, faults } from './faults.ts'
import type { Caller, Trouble } from './faulty-database.ts'
import { faultyService } from './service.ts'

let service: Awaited<ReturnType<typeof faultyService>>
let credential: Call | undefined

/** Prepares a request of the row, with all that it needs. */
async function prepared({ id, query = '', body, readsKeys }: Row): Promise<() => Promise<Reply>> {
  if (readsKeys) service.ahead += 2 * signingKeysMaxAgeSeconds * 1000
  // An embed token is good until it is ended or a day has passed.
  if (readsKeys || id === 'end-embed-session') credential = undefined
  credential ??= await credentialFor(service, operationOf(id))
  const request = await requestOf(service, operationOf(id))
  const call = { ...credential, ...(request.body && { body: body?.() ?? request.body }) }
  return () => service.send(request.method, request.path + query, call)
}

const requestUnder = async (row: Row, trouble: Trouble) =>
  service.under(trouble, await prepared(row))

test('every operation that reads or writes tables has a row', () => {
  const known: readonly string[] = Object.values(rows).map(({ id }) => id)
  const missing = routes.filter(({ id, tables }) => tables.length > 0 && !known.includes(id))
  expect(missing, 'Write a row of it into test/faults/allowed.ts.').toEqual([])
})

/** Rows that try every fault: one for each kind of call. The others try `endings`. */
const thorough: readonly string[] = [
  'generate a session with definitions',
  'redeem a session',
  'revoke a session',
  'list dbt syncs',
  'list who can see a workbook',
]

/** The authorizer is one function, so its calls fail in one row. */
const failsAuthorizer = 'list dbt syncs'

describe.each(Object.entries(rows))('to %s', (name, row) => {
  const callsOf: Readonly<Record<Caller, readonly string[]>> = {
    'the function': row.calls.split(' '),
    'the authorizer': callsOfAuthorizer.split(' '),
  }
  const tried = thorough.includes(name) ? Object.keys(faults) : endings
  /** Faults with the number of calls that each concerns. Without such a call it changes nothing. */
  const faultsOf = (caller: Caller) =>
    tried.flatMap((name) => {
      const fault = faults[name] as Fault
      const { concerns = /./ } = fault
      const concerned = callsOf[caller].filter((call) => concerns.test(call)).length
      return concerned > 0 ? [{ name, fault, concerned }] : []
    })

  beforeAll(async () => {
    const definition = tenantGroup('north', 'buyers')
    service = await faultyService([...itemsOfEveryList(3), definition])
    credential = undefined
  })

  test('makes the calls that its row says', async () => {
    const { calls, attempts } = await requestUnder(row, {})
    const ofAuthorizer = asksAuthorizer(operations[row.id]) ? callsOf['the authorizer'] : []
    const expected = [...ofAuthorizer, ...callsOf['the function']]
    const advice = 'If it needs these calls, write them into its row of test/faults/allowed.ts.'
    expect(calls.toSorted(), advice).toEqual(expected.toSorted())
    expect(attempts).toEqual(calls.map(() => 1))
  })

  const callers: readonly Caller[] =
    name === failsAuthorizer ? ['the function', 'the authorizer'] : ['the function']
  describe.each(callers)('while calls of %s are answered so:', (caller) => {
    test.each(faultsOf(caller))('$name', async ({ fault }) => {
      const trouble = { fault: () => fault, caller }
      const { result: reply, ms, attempts, struck } = await requestUnder(row, trouble)
      expect(struck).not.toEqual([])
      const { ms: longest, ...outcome } = allowed(row, fault, caller)
      expect(outcomeOf(reply)).toEqual(outcome)
      expect(ms).toBeLessThanOrEqual(longest)
      expect(Math.max(...attempts)).toBeLessThanOrEqual(attemptsOfACall)
      const all = attempts.reduce((sum, each) => sum + each, 0)
      const advice =
        `It made ${all} attempts; \`attempts\` in its row of test/faults/allowed.ts says how ` +
        'many it may.'
      expect(all, advice).toBeLessThanOrEqual(row.attempts)
      expect(reply.text).not.toContain('secret')
      const again = await prepared(row)
      expect((await again()).status).toBe(row.status ?? 200)
    })
  })

  describe('while one call of the function is answered so:', () => {
    test.each(faultsOf('the function'))('$name', async ({ fault, concerned }) => {
      for (let spares = 0; spares < concerned; spares += 1) {
        const trouble = { fault: () => fault, caller: 'the function', spares, times: 1 } as const
        const { result, ms, struck } = await requestUnder(row, trouble)
        const [call] = struck as [number]
        expect([struck, outcomeOf(result)]).toEqual([[call], allowedOnce(row, fault, call)])
        expect(ms).toBeLessThanOrEqual(longestCall)
      }
    })
  })
})
