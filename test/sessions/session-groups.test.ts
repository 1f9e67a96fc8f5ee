import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embedTenantOf, tenantItem } from '../embed-tenants/embed-tenant-of.ts'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { keys, tenantAttribute, tenantGroup, without, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const service = world()
const budget = 32 * 1024

const { generate } = sessionsOf(service)
const define = (embedTenantName: string, tenantGroupDefinitions: readonly object[]) =>
  generate({ creatorMode: true, embedTenantName, tenantGroupDefinitions }, keys.reader)

const itemOf = (name: string) => tenantItem(service.storage, name)

/** As large as a description may be: 500 letters of 3 bytes each. */
const longest = '漢'.repeat(500)

const named = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, description: longest }))

describe('the groups that sessions define', () => {
  test('leave room for attributes and the catalog, whatever a reader sends', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => define('filled', named(9, `g${index}-`))),
    )
    const refused = replies.filter(({ status }) => status !== 200)
    expect(replies.length - refused.length).toBe(2)
    for (const { status, body } of refused) {
      const message = expect.stringMatching(
        /^would bring the bytes of groups that sessions define to \d+; .* 32768$/,
      )
      const error = { pointer: '/tenantGroupDefinitions', message }
      expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', [error]])
    }
    // One at a time gets no further than all at once.
    for (let part = 0; part < 6; part += 1) await define('filled', named(1, `h${part}-`))
    const item = await itemOf('filled')
    expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(budget + 500)

    const attributes = {
      embedTenantName: 'filled',
      userAttributeDefinitions: [{ name: 'a', description: longest }],
    }
    expect((await generate(attributes)).status).toBe(200)
    await service.apply([
      ...Array.from({ length: 100 }, (_, index) =>
        tenantGroup('filled', `c${index}`, { description: longest }),
      ),
      tenantAttribute('filled', 'b', { description: longest }),
    ])
    expect(embedTenantOf(await itemOf('filled'))?.groups.length).toBeGreaterThan(100 + 18)
  })

  test('leave admins room, however many a reader has defined', async () => {
    const short = (count: number, prefix: string) =>
      named(count, prefix).map(({ name }) => ({ name }))
    for (let part = 0; part < 10; part += 1) await define('crowded', short(100, `g${part}-`))
    const creator = { creatorMode: true, embedTenantName: 'crowded' }
    const asAdmin = (tenantGroupDefinitions: readonly object[]) =>
      generate({ ...creator, tenantGroupDefinitions })
    expect((await define('crowded', [{ name: 'more' }])).status).toBe(400)
    expect((await asAdmin(named(30, 'of-an-admin-'))).status).toBe(200)
    // What an admin has written fills the budget no longer, until a reader changes it.
    const taken = async () => (await itemOf('crowded'))?.sessionGroupBytes as number
    const before = await taken()
    expect((await asAdmin([{ name: 'g0-0', description: longest }])).status).toBe(200)
    expect(await taken()).toBe(before - '{"group:g0-0":{"bytes":0}}'.length)
    expect((await define('crowded', [{ name: 'g0-0', description: 'd' }])).status).toBe(200)
    expect(await taken()).toBe(before + ',"description":"d"'.length)
    for (let part = 0; part < 10; part += 1)
      expect([part, (await asAdmin(short(97, `a${part}-`))).status]).toEqual([part, 200])
    const { body } = await asAdmin([{ name: 'too-many' }])
    expect(body.errors[0].message).toBe(
      'would bring the number of groups to 1001; the limit is 1000',
    )
    // A group that a reader describes again counts no longer, and an admin may still change it.
    const changed = { name: 'a0-0', description: 'd' }
    expect((await define('crowded', [changed])).status).toBe(200)
    expect((await asAdmin([{ name: 'in-its-place' }])).status).toBe(200)
    expect((await asAdmin([{ ...changed, description: 'e' }])).status).toBe(200)
  })

  test('cost a plain session of their tenant seven units more, and no more', async ({ skip }) => {
    skip(!countsUnits, withoutUnits)
    const unitsOfSession = async (embedTenantName: string) => {
      await generate({ embedTenantName }, keys.reader)
      service.logged.length = 0
      expect((await generate({ embedTenantName }, keys.reader)).status).toBe(200)
      const lines = service.logged.filter(({ invocation }) => invocation !== undefined)
      return lines.reduce((sum, { units }) => sum + (units as number), 0)
    }
    expect(await unitsOfSession('small')).toBe(3.5)
    for (const part of ['a', 'b']) await define('large', named(9, part))
    for (let index = 0; index < 6; index += 1) await define('large', named(1, `g${index}-`))
    for (let index = 0; index < 40; index += 1) await define('large', [{ name: `h${index}` }])
    expect(await unitsOfSession('large')).toBe(10.5)
  })

  test('are counted as what they take, in whatever order they are written', async () => {
    const step = fc.record({
      by: fc.constantFrom('session', 'put', 'delete'),
      name: fc.constantFrom('g1', 'g2', 'g3'),
      description: fc.constantFrom(undefined, '', 'd', '漢"\n'),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const tenant = `any-${run++}`
        const byName = Object.groupBy(steps, ({ name }) => name)
        const all = Object.values(byName).map(async (ofOne) => {
          for (const { by, name, description } of ofOne) {
            if (by === 'session')
              expect((await define(tenant, [{ name, description }])).status).toBe(200)
            else if (by === 'put') await service.apply([tenantGroup(tenant, name, { description })])
            else await service.apply([without(tenantGroup(tenant, name))])
          }
        })
        await Promise.all(all)
        const item = await itemOf(tenant)
        const takenBy = (name: string) =>
          (item?.[`group:${name}`] as { bytes?: number } | undefined)?.bytes ?? 0
        expect(item?.sessionGroupBytes ?? 0).toBe(takenBy('g1') + takenBy('g2') + takenBy('g3'))
        for (const ofOne of Object.values(byName)) {
          const last = ofOne.at(-1)
          if (last?.by === 'put') expect(takenBy(last.name)).toBe(0)
        }
      }),
      { numRuns: 20 },
    )
  })
})
