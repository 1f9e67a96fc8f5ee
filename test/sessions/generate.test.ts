import { definitionsKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { describe, expect, test } from 'vitest'
import { itemAt } from '../support/database.ts'
import { acmeGroup, keys, put, tenantGroup, without, world } from '../support/service.ts'
import { claimsIn, pointersOf, sessionsOf } from '../support/sessions.ts'

describe('generating a session', () => {
  const service = world()
  const { generate, dryRun, claims, tokenOf } = sessionsOf(service)

  const problems = async (request: object, key?: string) => {
    const { status, body } = await generate(request, key)
    expect([status, body.status]).toEqual([400, 400])
    return pointersOf(body.errors)
  }
  const creator = (embedTenantName: string) => ({ creatorMode: true, embedTenantName })

  test('takes global groups that exist, none of another account; makes none', async () => {
    await service.apply([acmeGroup('known'), put('group', { accountId: 'other', name: 'theirs' })])
    const groups = ['known', 'new', 'theirs']
    const groupDefinitions = [{ name: 'new' }]
    expect(await problems({ groups, groupDefinitions })).toEqual(['/groups/1', '/groups/2'])
    expect((await claims({ groups: ['known'] })).securityContext).toEqual({
      platformCloud: { groups: ['known'] },
    })
  })

  test('looks up groups once the body is right, and tells all unknown ones together', async () => {
    await service.apply([acmeGroup('there'), tenantGroup('shapes', 'mine')])
    const unknown = {
      ...creator('shapes'),
      groups: ['there', 'new'],
      tenantGroups: ['mine', 'defined', 'unknown'],
      tenantGroupDefinitions: [{ name: 'defined' }],
    }
    service.logged.length = 0
    expect(await problems({ ...unknown, groupz: [], roles: 1 })).toEqual(['/roles', '/groupz'])
    expect(service.logged.find(({ invocation }) => invocation === 'operation')).toMatchObject({
      status: 400,
      calls: 0,
    })
    const { body } = await generate(unknown)
    const detail = '/groups/1 names no existing group: "new", and 1 more problem.'
    expect([body.code, body.detail]).toEqual(['unknown_name', detail])
    expect(body.errors).toEqual([
      { pointer: '/groups/1', message: 'names no existing group: "new"' },
      { pointer: '/tenantGroups/2', message: 'names no existing group: "unknown"' },
    ])
  })

  test('names the nearest group for the first five unknown ones, also by case', async () => {
    const deleted = acmeGroup('marketin')
    await service.apply([
      deleted,
      without(deleted),
      ...['Finance', 'sales'].map((name) => acmeGroup(name)),
      put('group', { accountId: 'other', name: 'marketing' }),
      tenantGroup('shapes', 'Editors'),
    ])
    const groups = ['finance', 'slaes', 'marketing', 'zzzz', 'FINANCE', 'finanse']
    const { errors } = (await generate({ ...creator('shapes'), groups, tenantGroups: ['editor'] }))
      .body
    expect(errors.map(({ message }: { message: string }) => message)).toEqual([
      'names no existing group: "finance"; the nearest one is "Finance"',
      'names no existing group: "slaes"; the nearest one is "sales"',
      'names no existing group: "marketing"',
      'names no existing group: "zzzz"',
      'names no existing group: "FINANCE"; the nearest one is "Finance"',
      'names no existing group: "finanse"',
      'names no existing group: "editor"; the nearest one is "Editors"',
    ])
  })

  test('accepts the deprecated groupDefinitions, does nothing with them and says so', async () => {
    for (const groupDefinitions of [[{ name: 'any', description: 'thing' }], 0, '', [[null]]]) {
      const { status, headers } = await generate({ groupDefinitions })
      expect([status, headers.get('deprecation')]).toEqual([200, expect.stringMatching(/^@\d+$/)])
    }
    const said = await claims({ groupDefinitions: [{ name: 'any' }] })
    expect(said).not.toHaveProperty('groupDefinitions')
    for (const nothing of [{}, { groupDefinitions: null }])
      expect((await generate(nothing)).headers.get('deprecation')).toBeNull()
  })

  test('takes empty lists of tenant groups and of their definitions for nothing', async () => {
    const nothing = { tenantGroups: [], tenantGroupDefinitions: [] }
    const made = await claims({ ...nothing, externalId: 'nobody' })
    expect(made).not.toHaveProperty('tenantGroups')
    expect(made).not.toHaveProperty('securityContext')
    expect(made.sub).toBe('acme#external##nobody')
  })

  test('creates tenant groups and keeps them for later sessions of that tenant alone', async () => {
    const request = { ...creator('creators'), tenantGroups: ['editors'] }
    expect(await problems(request)).toEqual(['/tenantGroups/0'])
    const defined = await claims({ ...request, tenantGroupDefinitions: [{ name: 'editors' }] })
    expect(defined.securityContext.platformCloud.groups).toEqual([
      'system:tenant:creators:group:editors',
    ])
    expect((await claims(request)).tenantGroups).toEqual(['editors'])
    expect(await problems({ ...request, embedTenantName: 'others' })).toEqual(['/tenantGroups/0'])
  })

  test('that names no embed tenant and defines nothing leaves the catalog as it is', async () => {
    expect((await generate({ deploymentId: 9 }, keys.otherAdmin)).status).toBe(200)
    const Key = definitionsKey('other', undefined)
    expect(await itemAt(service.storage, 'catalog', Key)).toBeUndefined()
  })

  test('writes nothing at all when one check fails', async () => {
    const request = { tenantGroupDefinitions: [{ name: 'a' }], groups: ['unknown'] }
    expect(await problems({ ...creator('never-made'), ...request })).toEqual(['/groups/0'])
    const list = await service.get('/api/v1/deployments/1/embed-tenants/never-made/workbooks', {
      key: keys.admin,
    })
    expect(list.status).toBe(404)
  })

  test('fills attributes without a value with the defaults of the tenant or account', async () => {
    const attributesOf = async (request: object) =>
      (await dryRun(request)).body.claims.userAttributes
    await generate({
      userAttributeDefinitions: [{ name: 'plan', defaultValue: 'basic', displayName: 'Plan' }],
    })
    expect(await attributesOf({})).toEqual([{ name: 'plan', value: 'basic' }])
    const tenant = { embedTenantName: 'defaults' }
    await generate({ ...tenant, userAttributeDefinitions: [{ name: 'tier', defaultValue: 'one' }] })
    for (const [userAttributes, value] of [
      [undefined, 'one'],
      [[{ name: 'tier', value: null }], 'one'],
      [[{ name: 'tier' }, { name: 'tier', value: 'two' }], 'two'],
      [[{ name: 'tier', value: false }], false],
    ] as const) {
      expect(await attributesOf({ ...tenant, userAttributes })).toEqual([{ name: 'tier', value }])
    }
    expect(await attributesOf({ ...tenant, internalId: 'ada' })).toBeUndefined()
  })

  test('allows an internal id to admins, and to others their own alone', async () => {
    expect((await claims({ internalId: 'ROB@acme.example' })).userId).toBe(2)
    expect(await claims({ internalId: 'ada' })).toMatchObject({ userId: 1, sub: 'acme#user#1' })
    expect((await claims({ internalId: 'rob@acme.example' }, keys.reader)).userId).toBe(2)
    // Whoever may not name the user learns nothing of the address.
    const [ada, nobody] = [{ internalId: 'ada' }, { internalId: 'nobody' }]
    for (const request of [ada, nobody, { ...ada, email: 'x' }]) {
      const { status, body } = await generate(request, keys.reader)
      expect([status, body.code]).toEqual([403, 'internal_id_forbidden'])
    }
    expect(await problems({ internalId: 'olga@other.example' })).toEqual(['/internalId'])
  })

  test('takes what is empty for nothing beside an internal user', async () => {
    const nothing = {
      ...{ groups: [], tenantGroups: [], tenantGroupDefinitions: [], roles: [] },
      ...{ userAttributeDefinitions: [], securityContext: {} },
      userProfile: { displayName: null },
    }
    const { jti: _, ...plain } = await claims({ internalId: 'ada' })
    for (const userAttributes of [[], [{ name: 'tier', value: null }, { name: 'plan' }]]) {
      const { jti, ...said } = await claims({ internalId: 'ada', ...nothing, userAttributes })
      expect([jti, said]).toEqual([expect.any(String), plain])
    }
  })

  test('gives an internal user’s token that user’s own address', async () => {
    for (const request of [{}, { email: 'ADA@acme.example' }, { email: 'Ada@acme.example' }]) {
      expect((await claims({ internalId: 'ada', ...request })).email).toBe('Ada@acme.example')
    }
    const internalId = 'rob@acme.example'
    expect((await claims({ internalId }, keys.reader)).email).toBe(internalId)
  })

  test('refuses a context whose token would not fit in a header, to the byte', async () => {
    const sized = (length: number) => generate({ securityContext: { text: 'x'.repeat(length) } })
    let [fits, tooLong] = [0, 7168]
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1
      if ((await sized(middle)).status === 200) fits = middle
      else tooLong = middle
    }
    const { body } = await sized(tooLong)
    expect(body.code).toBe('context_too_large')
    expect(body.detail).toMatch(
      /^The embed token would have 7\d{3} bytes; the limit is 7168\. Shorten the context\.$/,
    )
    const token = await tokenOf((await sized(fits)).body.sessionId)
    expect(claimsIn(token).securityContext.text).toHaveLength(fits)
    expect(token.length).toBeLessThanOrEqual(7168)
    expect(token.length).toBeGreaterThan(7165)
  })
})
