import { beforeAll, expect, inject, test } from 'vitest'
import { everyOperation, isList, itemsOfEveryList } from '../operations/requests.ts'
import { keys } from '../world.ts'
import { type Fault, faults } from './faults.ts'
import { passTime } from './passing-time.ts'
import { randomFrom } from './random.ts'
import { type FaultyService, faultyService } from './service.ts'

/** `npm run faults` sets these. */
const { FAULT_SEEDS = '15', FAULT_SEED } = process.env
const seeds =
  FAULT_SEED === undefined ? Array.from({ length: Number(FAULT_SEEDS) }, (_, seed) => seed) : [Number(FAULT_SEED)]

const kinds = Object.values(faults)
const operations = everyOperation.filter(({ id }) => isList({ id } as never) || id.endsWith('-session'))

let service: FaultyService
beforeAll(async () => {
  service = await faultyService(inject('engineEndpoint'), itemsOfEveryList(3))
})

/** What a caller may be told, whatever fails. */
function isAllowed({ status, code }: { status: number; code?: string | undefined }): boolean {
  if (status === 200 || status === 204 || status === 500) return true
  return (status === 503 && code === 'database_unavailable') || (status === 401 && code === 'answer_lost')
}

test.each(seeds)('Random faults give allowed answers in time, and right ones after them (seed %i)', async (seed) => {
  const random = randomFrom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const { database } = service
  const world = {
    post: (path: string, call: object) => service.send('POST', path, call),
  }
  for (let step = 0; step < 5; step += 1) {
    const operation = pick(operations)
    const rate = random()
    const prepare = async () => {
      const variables = { deploymentId: '1', embedTenantName: 'north' } as Record<string, string>
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => variables[name] as string)
      if (operation.method === 'GET') return { path, body: undefined }
      const session = { deploymentId: 1, embedTenantName: 'north', creatorMode: true }
      if (operation.id === 'generate-session') return { path, body: session }
      return {
        path,
        body: (await world.post('/api/v1/embed/generate-session', { key: keys.admin, body: session })).body,
      }
    }
    const send = ({ path, body }: { path: string; body: unknown }) =>
      service.send(operation.method, path, {
        ...(operation.access !== 'public' && { key: keys.admin }),
        ...(body !== undefined && { body }),
      })
    const prepared = await prepare()
    const choose = (): Fault | undefined => (random() < rate ? pick(kinds) : undefined)
    Object.assign(database, { caller: 'anybody' })
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
    expect([operation.id, told, isAllowed(told)]).toEqual([operation.id, told, true])
    expect(ms).toBeLessThan(30_000)
    expect(reply.text).not.toContain('secret')
    const after = await send(await prepare())
    expect([operation.id, after.status]).toEqual([operation.id, operation.id === 'revoke-session' ? 204 : 200])
  }
})
