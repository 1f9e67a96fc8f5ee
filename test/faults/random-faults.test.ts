import { beforeAll, expect, inject, test } from 'vitest'
import { credentialFor, everyOperation, isList, itemsOfEveryList } from '../operations/requests.ts'
import { type Call, keys } from '../support/service.ts'
import { type Effect, type Fault, faults } from './faults.ts'
import type { Caller, Strike } from './faulty-database.ts'
import { passTime } from './passing-time.ts'
import { randomFrom } from './random.ts'
import { type FaultyService, faultyService } from './service.ts'

/** `npm run prove -- faults` sets these. */
const { FAULT_SEEDS = '6', FAULT_SEED } = process.env
const seeds =
  FAULT_SEED === undefined ? Array.from({ length: Number(FAULT_SEEDS) }, (_, seed) => seed) : [Number(FAULT_SEED)]

const kinds = Object.values(faults)
/** Where the authorizer may fail as well, most requests get no further. */
const callers: readonly Caller[] = ['the function', 'anybody']
const operations = everyOperation.filter(({ id }) => isList({ id } as never) || id.endsWith('-session'))

let service: FaultyService
beforeAll(async () => {
  service = await faultyService(inject('engineEndpoint'), itemsOfEveryList(3))
})

/**
 * What a caller may be told after these faults. A 500 of the function is for calls that are wrong. One without a code is
 * the gateway's own, when the authorizer fails.
 */
function isAllowed(
  { status, code }: { status: number; code?: string | undefined },
  struck: readonly Strike[],
): boolean {
  const hasMet = (caller: Caller, ...effects: readonly Effect[]) =>
    struck.some((strike) => strike.caller === caller && effects.includes(strike.effect))
  switch (`${status} ${code}`) {
    case '200 undefined':
    case '204 undefined':
      return true
    case '401 answer_lost':
      return hasMet('the function', 'unanswered', 'lost')
    case '500 internal_error':
      return hasMet('the function', 'ours')
    case '500 undefined':
      return hasMet('the authorizer', 'unanswered', 'lost', 'refused', 'ours')
    case '503 database_unavailable':
      return hasMet('the function', 'unanswered', 'lost', 'refused')
    default:
      return false
  }
}

test.each(seeds)('Random faults give allowed answers in time, and right ones after them (seed %i)', async (seed) => {
  const random = randomFrom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const { database } = service
  const world = {
    post: (path: string, call: object) => service.send('POST', path, call),
  }
  for (let step = 0; step < 10; step += 1) {
    const operation = pick(operations)
    const rate = random()
    const prepare = async () => {
      const variables = { deploymentId: '1', embedTenantName: 'north', workbookId: '1' } as Record<string, string>
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => variables[name] as string)
      const call = await credentialFor(world, operation)
      if (operation.method !== 'POST') return { path, call }
      const session = { deploymentId: 1, embedTenantName: 'north', creatorMode: true }
      if (operation.id === 'generate-session') return { path, call: { ...call, body: session } }
      return {
        path,
        call: {
          ...call,
          body: (await world.post('/api/v1/embed/generate-session', { key: keys.admin, body: session })).body,
        },
      }
    }
    const send = ({ path, call }: { path: string; call: Call }) => service.send(operation.method, path, call)
    const prepared = await prepare()
    // Few enough that one often strikes every attempt at a call.
    const some = [pick(kinds), pick(kinds), pick(kinds)]
    const choose = (): Fault | undefined => (random() < rate ? pick(some) : undefined)
    Object.assign(database, { caller: pick(callers), struck: [] })
    Object.defineProperty(database, 'fault', { get: choose, configurable: true })
    const { reply, ms } = await passTime(async () => {
      const start = performance.now()
      const reply = await send(prepared)
      const ms = performance.now() - start
      Object.defineProperty(database, 'fault', { value: undefined, configurable: true })
      await Promise.allSettled(database.later.splice(0))
      return { reply, ms }
    })
    const told = { status: reply.status, code: reply.body?.code }
    const { struck } = database
    expect([operation.id, told, struck, isAllowed(told, struck)]).toEqual([operation.id, told, struck, true])
    expect(ms).toBeLessThan(30_000)
    expect(reply.text).not.toContain('secret')
    const after = await send(await prepare())
    expect([operation.id, after.status]).toEqual([
      operation.id,
      ['revoke-session', 'end-embed-session'].includes(operation.id) ? 204 : 200,
    ])
  }
})
