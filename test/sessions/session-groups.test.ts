import { describe, expect, test } from 'vitest'
import { embedTenantOf, tenantItem } from '../embed-tenants/embed-tenant-of.ts'
import { keys, tenantAttribute, tenantGroup, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const service = world(undefined, { isInMemory: true })
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
    // That a race gets no further is in definition-races.test.ts.
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
    const message = 'would bring the number of groups to 1001; the limit is 1000'
    expect(body.errors).toEqual([{ pointer: '/tenantGroupDefinitions', message }])
    // A group that a reader describes again counts no longer, and an admin may still change it.
    const changed = { name: 'a0-0', description: 'd' }
    expect((await define('crowded', [changed])).status).toBe(200)
    expect((await asAdmin([{ name: 'in-its-place' }])).status).toBe(200)
    expect((await asAdmin([{ ...changed, description: 'e' }])).status).toBe(200)
  })
})
