import { embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { describe, expect, test } from 'vitest'
import { putItem } from '../support/database.ts'
import {
  acmeAccount,
  acmeTenant,
  revised,
  tenantGroup,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { embedTenantOf, tenantItem } from './embed-tenant-of.ts'

const service = world()
const { generate, dryRun } = sessionsOf(service)

const stored = async (name: string): Promise<Record<string, unknown>> =>
  (await tenantItem(service.storage, name)) ?? {}

const tenant = async (name: string) => embedTenantOf((await stored(name)) as never)

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

test('An account may have sessions name only embed tenants that are there', async () => {
  await service.apply([acmeAccount({ embedTenants: 'fromCatalog' }), acmeTenant('from-catalog')])
  // An instance goes by what it knows of the account for five seconds.
  service.now += 5000
  for (const ask of [generate, dryRun]) {
    expect((await ask({ embedTenantName: 'from-catalog' })).status).toBe(200)
    expect((await ask({ externalId: 'of-no-tenant' })).status).toBe(200)
    const { status, body } = await ask({ embedTenantName: 'form-catalog', groups: ['none'] })
    expect([status, body.code]).toEqual([400, 'unknown_name'])
    expect(body.errors).toEqual([
      { pointer: '/groups/0', message: 'names no existing group: "none"' },
      {
        pointer: '/embedTenantName',
        message:
          'names no embed tenant, and this session may create none: "form-catalog"; the nearest ' +
          'one is "from-catalog"',
      },
    ])
    const internal = await ask({ internalId: 'nobody', embedTenantName: 'form-catalog' })
    expect(internal.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/internalId',
      '/embedTenantName',
    ])
  }
  expect(await stored('form-catalog')).toEqual({})
  await service.apply([acmeAccount({ embedTenants: 'any' })])
  service.now += 5000
  expect((await generate({ embedTenantName: 'form-catalog' })).status).toBe(200)
})

describe('the definitions of an embed tenant', () => {
  test('are all kept of 40 sessions at once, while the catalog changes others', async () => {
    const [inGroups, inAttributes, inCatalog] = [names(20, 'g'), names(20, 'a'), names(20, 'c')]
    const creator = { creatorMode: true, embedTenantName: 'busy' }
    const [replies] = await Promise.all([
      Promise.all([
        ...inGroups.map((name) =>
          generate({ ...creator, tenantGroupDefinitions: [{ name }], tenantGroups: [name] }),
        ),
        ...inAttributes.map((name) =>
          generate({ embedTenantName: 'busy', userAttributeDefinitions: [{ name }] }),
        ),
      ]),
      service.apply(inCatalog.map((name) => tenantGroup('busy', name))),
      service.apply([acmeTenant('busy', { displayName: 'Busy' })]),
    ])
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    const { displayName, groups = [], attributes = [] } = (await tenant('busy')) ?? {}
    expect(displayName).toBe('Busy')
    expect(groups.map(({ name }) => name)).toEqual([...inGroups, ...inCatalog].sort())
    expect(attributes.map(({ name }) => name)).toEqual(inAttributes.sort())
  })

  test('take little room once they are gone', async () => {
    await service.apply([acmeTenant('gone')])
    const size = async () => JSON.stringify(await stored('gone')).length
    const before = await size()
    const groups = names(20, 'g').map((name) => tenantGroup('gone', name))
    await service.apply(groups.map((each) => ({ ...each, revision: 1 })))
    await service.apply(groups.map((each) => ({ ...without(each), revision: 2 })))
    expect(await size()).toBe(before)
    await service.apply([{ ...tenantGroup('gone', 'g1'), revision: 1 }])
    expect((await tenant('gone'))?.groups).toEqual([])
  })

  test('have the revision that the catalog knows, whatever sessions do', async () => {
    const g = tenantGroup('revised', 'g', { description: 'first' })
    const creator = { creatorMode: true, embedTenantName: 'revised' }
    const define = (description: string) =>
      generate({ ...creator, tenantGroupDefinitions: [{ name: 'g', description }] })
    const groupsAfter = async (...changes: object[]) => {
      await service.apply(changes)
      return (await tenant('revised'))?.groups
    }
    const [put5, delete4, delete6] = [revised(5, g), revised(4, without(g)), revised(6, without(g))]
    await service.apply([put5])
    await define('of a session')
    expect(await groupsAfter(put5, delete4)).toEqual([
      { name: 'g', description: 'of a session', revision: 5 },
    ])
    expect(await groupsAfter(delete6)).toEqual([])
    await define('again')
    expect(await groupsAfter(put5, delete6)).toEqual([{ name: 'g', description: 'again' }])
    const last = tenantGroup('revised', 'g', { description: 'last' })
    expect(await groupsAfter(last)).toEqual([{ name: 'g', description: 'last', revision: 6 }])
  })
})

describe('an embed tenant that a session names', () => {
  test('has another version if it changes, and else the same', async () => {
    const versionsAfter = async (request: object) => {
      await generate({ creatorMode: true, embedTenantName: 'own', ...request })
      const { version, tenantVersion } = await stored('own')
      return [version, tenantVersion]
    }
    const named = (displayName: string) => ({ embedTenantProfile: { displayName } })
    const described = (description: string) => ({
      tenantGroupDefinitions: [{ name: 'g', description }],
    })
    const all = {
      ...named('Own'),
      ...described('one'),
      userAttributeDefinitions: [{ name: 'a', defaultValue: 'v' }],
    }
    const [first] = await versionsAfter(all)
    for (const request of [all, {}]) expect(await versionsAfter(request)).toEqual([first, first])
    expect(await versionsAfter(described('two'))).toEqual([
      expect.not.stringMatching(`${first}`),
      first,
    ])
    const [third, own] = await versionsAfter(named('Another'))
    expect([own, third === first]).toEqual([third, false])
  })

  test('keeps what a definition had where a session sends null for it', async () => {
    const define = (field: object) =>
      generate({ embedTenantName: 'nulls', userAttributeDefinitions: [{ name: 'a', ...field }] })
    await define({ description: 'd', defaultValue: 'v' })
    await define({ description: null, displayName: 'A' })
    expect((await stored('nulls'))['attribute:a']).toEqual({
      description: 'd',
      defaultValue: 'v',
      displayName: 'A',
    })
  })

  test('is not held back by a default that is stored and does not fit its type', async () => {
    const own = { kind: 'embedTenant', accountId: 'acme', name: 'old', version: 'v' }
    const Item = {
      ...embedTenantKey('acme', 'old'),
      ...own,
      'attribute:a': { type: 'number', defaultValue: 'many' },
    }
    await putItem(service.storage, 'catalog', Item)
    await generate({
      embedTenantName: 'old',
      userAttributeDefinitions: [{ name: 'b', defaultValue: 'v' }],
    })
    expect((await stored('old'))['attribute:b']).toEqual({ defaultValue: 'v' })
  })
})
