import { signingKeysMaxAgeSeconds } from '@embed-access/core/signing/signing-keys.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { asksAuthorizer, operations, routes } from '../../functions/operations/operations.ts'
import { credentialFor, itemsOfEveryList, operationOf, requestOf } from '../operations/requests.ts'
import { type Call, type Reply, tenantGroup } from '../support/service.ts'
import {
  allowed,
  allowedOnce,
  attemptsOfACall,
  callersOf,
  longestCall,
  outcomeOf,
  type Row,
  rows,
} from './allowed.ts'
import { alike, faults } from './faults.ts'
import type { Trouble } from './faulty-database.ts'
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

/**
 * Rows that try every error: one for each kind of call. One place decides for all calls what an
 * error's name means.
 */
const thorough: readonly string[] = [
  'generate a session with definitions',
  'redeem a session',
  'list workbooks',
  'read the key set',
]
const faultsUnlikeOthers = Object.entries(faults).filter(([name]) => !alike.has(name))

describe.each(Object.entries(rows))('to %s', (name, row) => {
  beforeAll(async () => {
    const definition = tenantGroup('north', 'buyers')
    service = await faultyService([...itemsOfEveryList(3), definition])
    credential = undefined
  })

  test('takes as many calls as its row says', async () => {
    const { attempts } = await requestUnder(row, {})
    const ofAuthorizer = asksAuthorizer(operations[row.id]) ? 2 : 0
    const calls = attempts.length - ofAuthorizer
    const advice =
      `It makes ${calls} calls. If it needs them, write \`calls: ${calls}\` into its row of ` +
      'test/faults/allowed.ts.'
    expect(attempts, advice).toEqual(Array(row.calls + ofAuthorizer).fill(1))
  })

  describe.each(callersOf(row))('while calls of %s are answered so:', (caller) => {
    const tried = thorough.includes(name) ? Object.entries(faults) : faultsUnlikeOthers
    test.each(tried)('%s', async (_, fault) => {
      const {
        result: reply,
        ms,
        attempts,
        struck,
      } = await requestUnder(row, { fault: () => fault, caller })
      const { ms: longest, ...outcome } = allowed(row, fault, caller, struck.length > 0)
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
    test.each(faultsUnlikeOthers)('%s', async (_, fault) => {
      for (let spares = 0; spares < row.calls; spares += 1) {
        const trouble = { fault: () => fault, caller: 'the function', spares, times: 1 } as const
        const { result, ms, struck } = await requestUnder(row, trouble)
        const [call] = struck
        if (fault.concerns === undefined) expect(call).toBe(spares)
        // The others do not concern it.
        if (call === undefined) break
        expect([call, outcomeOf(result)]).toEqual([call, allowedOnce(row, fault, call)])
        expect(ms).toBeLessThanOrEqual(longestCall)
      }
    })
  })
})
