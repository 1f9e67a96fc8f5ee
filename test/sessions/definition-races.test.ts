import { definitionsIn } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tenantItem } from '../embed-tenants/embed-tenant-of.ts'
import { countsUnits, withoutUnits } from '../support/database.ts'
import {
  acmeTenant,
  admin,
  keys,
  tenantAttribute,
  tenantGroup,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { generateWhile } from './past-the-gateway.ts'

const service = world()

const { generate } = sessionsOf(service)

const attributesOf = async (name: string) =>
  definitionsIn(await tenantItem(service.storage, name)).attributes

const meanwhile = (request: object, happens: () => Promise<unknown>, principal = admin) =>
  generateWhile(service.storage, request, happens, principal)

describe('the defaults of all attributes', () => {
  const long = 'x'.repeat(500)
  const defining = (name: string, defaultValue: string) => ({
    userAttributeDefinitions: [{ name, defaultValue }],
  })

  test.each([
    ['the account', {}],
    ['an embed tenant', { embedTenantName: 'racing' }],
  ])(
    'of %s stay within a quarter of a token when 12 requests bring one each at once',
    async (_, more) => {
      const requests = Array.from({ length: 12 }, (_, index) =>
        generate({ ...more, ...defining(`a${index}`, long) }),
      )
      const replies = await Promise.all(requests)
      const refused = replies.filter(({ status }) => status !== 200)
      expect(replies.length - refused.length).toBe(2)
      for (const { status, body } of refused) {
        const error = {
          pointer: '/userAttributeDefinitions',
          message: expect.stringContaining('bytes of defaults'),
        }
        expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', [error]])
      }
      expect((await generate(more, keys.reader)).status).toBe(200)
    },
  )

  test('are counted with those that the catalog brings at the same moment', async () => {
    const ofCatalog = ['b', 'c'].map((name) =>
      tenantAttribute('beside', name, { defaultValue: long }),
    )
    const request = { embedTenantName: 'beside', ...defining('a', long) }
    await expect(meanwhile(request, () => service.apply(ofCatalog))).rejects.toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/userAttributeDefinitions' }],
    })
    expect((await attributesOf('beside')).map(({ name }) => name)).toEqual(['b', 'c'])
  })

  test('hold back no request that makes them no longer, nor one of groups', async () => {
    const embedTenantName = 'apart'
    await generate({ embedTenantName, ...defining('a', 'first') })
    const bringing = (name: string) => () =>
      generate({ embedTenantName, ...defining(name, 'another') })
    const group = { creatorMode: true, tenantGroupDefinitions: [{ name: 'g' }] }
    const unlike = { userAttributeDefinitions: [{ name: 'e', displayName: 'E' }] }
    for (const [index, request] of [group, unlike, defining('a', 'less')].entries()) {
      expect(await meanwhile({ embedTenantName, ...request }, bringing(`b${index}`))).toBe(1)
    }
    for (const [name, other] of [
      ['c', 'd'],
      ['a', 'g'],
    ] as const) {
      expect(
        await meanwhile({ embedTenantName, ...defining(name, 'much longer') }, bringing(other)),
      ).toBe(2)
    }
    const groups = () =>
      generate({ embedTenantName, creatorMode: true, tenantGroupDefinitions: [{ name: 'h' }] })
    expect(await meanwhile({ embedTenantName, ...defining('f', 'longer') }, groups)).toBe(1)
    // Conditions on so many do not fit, so any other write counts.
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `n${index}` }))
    const others = { embedTenantName: 'many', userAttributeDefinitions: many }
    await generate({ embedTenantName: 'many' })
    expect(await meanwhile(others, () => generate({ embedTenantName: 'many', ...group }))).toBe(2)
    const names = (await attributesOf(embedTenantName)).map(({ name }) => name)
    expect(names.join(' ')).toBe('a b0 b1 b2 c d e f g')
  })
})

test('A session that defines groups makes a tenant anew that is deleted meanwhile', async () => {
  const embedTenantName = 'leaving'
  const tenant = acmeTenant(embedTenantName)
  await service.apply([tenant])
  const request = { creatorMode: true, embedTenantName, tenantGroupDefinitions: [{ name: 'a' }] }
  expect(await meanwhile(request, () => service.apply([without(tenant)]))).toBe(2)
  const item = await tenantItem(service.storage, embedTenantName)
  expect([item?.deleted, definitionsIn(item).groups]).toEqual([undefined, [{ name: 'a' }]])
})

describe('groups that sessions define', () => {
  // {"group:NAME":{"description":"…","bytes":0}} is the name, the description, and 39 bytes: 542
  // for each of these.
  const others = Array.from({ length: 60 }, (_, index) => ({
    name: `g${index + 10}`,
    description: 'x'.repeat(500),
  }))
  const left = 32_768 - 60 * 542
  /** Defines a group of so many bytes while somebody else defines these. */
  const racing = async (embedTenantName: string, bytes: number) => {
    await generate({ embedTenantName })
    const creator = { creatorMode: true, embedTenantName }
    const group = { name: 'a', description: 'x'.repeat(bytes - 40) }
    return meanwhile(
      { ...creator, tenantGroupDefinitions: [group] },
      () => generate({ ...creator, tenantGroupDefinitions: others }, keys.reader),
      { ...admin, admin: false },
    )
  }

  test('at the same moment share their budget to the byte', async () => {
    expect(await racing('to-the-byte', left)).toBe(1)
    await expect(racing('a-byte-more', left + 1)).rejects.toMatchObject({
      errors: [
        {
          pointer: '/tenantGroupDefinitions',
          message: expect.stringContaining('to 32769; the limit is 32768'),
        },
      ],
    })
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
    await racing('full', left)
    expect(await unitsOfSession('full')).toBe(10.5)
  })

  test('are counted as what they take, in whatever order they are written', async () => {
    const step = fc.record({
      by: fc.constantFrom('session', 'put', 'delete'),
      name: fc.constantFrom('g1', 'g2', 'g3'),
      description: fc.constantFrom(undefined, '', 'd', '漢"\n'),
    })
    const define = (embedTenantName: string, tenantGroupDefinitions: readonly object[]) =>
      generate({ creatorMode: true, embedTenantName, tenantGroupDefinitions }, keys.reader)
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
        const item = await tenantItem(service.storage, tenant)
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
