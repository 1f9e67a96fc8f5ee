import { signingKeysMaxAgeSeconds } from '@embed-access/core/sessions/signing-keys.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { asksAuthorizer, operations, routes } from '../../functions/operations/operations.ts'
import { credentialFor, itemsOfEveryList } from '../operations/requests.ts'
import { type Call, put, type Reply } from '../support/service.ts'
import {
  allowed,
  allowedOnce,
  attemptsOfACall,
  callersOf,
  longestCall,
  outcomeOf,
  type Row,
  rows,
  sum,
} from './allowed.ts'
import { faults } from './faults.ts'
import { passTime } from './passing-time.ts'
import { type FaultyService, faultyService } from './service.ts'

let service: FaultyService

async function request({ id, path, body }: Row, prepared?: object, call?: Call): Promise<Reply> {
  const credential = call ?? (await credentialOf({ id }))
  return service.send(operations[id].method, path, {
    ...credential,
    ...(body && { body: prepared ?? (await body(service)) }),
  })
}

const credentialOf = ({ id }: Pick<Row, 'id'>): Promise<Call> =>
  credentialFor({ post: (path, call) => service.send('POST', path, call) }, operations[id])

const undisturbed = { fault: undefined, spares: 0, times: Number.POSITIVE_INFINITY }

/** Sends a request while a fault is in force, and waits for everything that comes late. */
async function requestUnder(row: Row, fault: Partial<FaultyService['database']>) {
  await service.renewClient()
  const { database } = service
  if (row.readsKeys) service.ahead += 2 * signingKeysMaxAgeSeconds * 1000
  const prepared = await row.body?.(service)
  const credential = await credentialOf(row)
  Object.assign(database, undisturbed, { struck: [] }, fault)
  database.attempts.clear()
  return passTime(async () => {
    const start = performance.now()
    const reply = await request(row, prepared, credential)
    const ms = performance.now() - start
    const attempts = [...database.attempts.values()]
    Object.assign(database, undisturbed)
    await Promise.allSettled(database.later.splice(0))
    return { reply, ms, attempts, struck: database.struck.length }
  })
}

test('every operation that reads or writes tables has a row', () => {
  const known: readonly string[] = Object.values(rows).map(({ id }) => id)
  const missing = routes.filter(({ id, tables }) => tables.length > 0 && !known.includes(id))
  expect(missing, 'Write a row of it into test/faults/allowed.ts.').toEqual([])
})

describe.each(Object.entries(rows))('to %s', (_, row) => {
  beforeAll(async () => {
    const definition = put('tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'buyers' })
    service = await faultyService(inject('engineEndpoint'), [...itemsOfEveryList(3), definition])
  })

  test('takes as many calls as its row says', async () => {
    const { attempts } = await requestUnder(row, {})
    const ofAuthorizer = asksAuthorizer(operations[row.id]) ? 2 : 0
    const calls = attempts.length - ofAuthorizer
    const advice = `It makes ${calls} calls. If it needs them, write \`calls: ${calls}\` into its row of test/faults/allowed.ts.`
    expect(attempts, advice).toEqual(Array(row.calls + ofAuthorizer).fill(1))
  })

  describe.each(callersOf(row))('while calls of %s are answered so:', (caller) => {
    test.each(Object.entries(faults))('%s', async (_, fault) => {
      const { reply, ms, attempts, struck } = await requestUnder(row, { fault, caller })
      const { ms: longest, ...outcome } = allowed(row, fault, caller, struck)
      expect(outcomeOf(reply)).toEqual(outcome)
      expect(ms).toBeLessThanOrEqual(longest)
      expect(Math.max(...attempts)).toBeLessThanOrEqual(attemptsOfACall)
      const advice = `It made ${sum(attempts)} attempts; \`attempts\` in its row of test/faults/allowed.ts says how many it may.`
      expect(sum(attempts), advice).toBeLessThanOrEqual(row.attempts)
      expect(reply.text).not.toContain('secret')
      expect((await request(row)).status).toBe(row.status)
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
