import { describe, expect, test } from 'vitest'
import { keys, startOfTime, world } from '../support/service.ts'

const path = '/api/v1/embed/generate-session'

describe('generating a session', () => {
  const service = world()

  const generate = (request: object, key = keys.admin) =>
    service.post(path, { key, body: { deploymentId: 1, ...request } })

  async function claims(request: object, key = keys.admin) {
    const { status, body } = await generate(request, key)
    expect([status, body]).toEqual([200, { sessionId: expect.stringMatching(/^[\w-]{43}$/) }])
    const redeemed = await service.post('/api/v1/embed/session/token', { body })
    return JSON.parse(Buffer.from(redeemed.body.token.split('.')[1], 'base64url').toString())
  }

  const problems = async (request: object, key?: string) => {
    const { status, body } = await generate(request, key)
    expect([status, body.status]).toEqual([400, 400])
    return body.errors.map(({ pointer }: { pointer: string }) => pointer)
  }

  test('needs read access to the deployment, and embedding enabled', async () => {
    expect((await generate({}, keys.reader)).status).toBe(200)
    expect((await generate({}, keys.stranger)).body.code).toBe('deployment_forbidden')
    expect((await generate({}, keys.scopedAdmin)).body.code).toBe('deployment_forbidden')
    expect((await generate({ deploymentId: 7 }, keys.closedAdmin)).body.code).toBe('embedding_disabled')
    expect((await generate({ deploymentId: 9 })).body.code).toBe('deployment_not_found')
  })

  test('names every field that is unknown, and the nearest known one', async () => {
    const { body } = await generate({ groupz: [], userAttribute: [], settings: { alowAi: true } })
    expect(body.code).toBe('invalid_body')
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { pointer: '/groupz', message: expect.stringContaining('groups') },
        { pointer: '/userAttribute', message: expect.stringContaining('userAttributes') },
        { pointer: '/settings/alowAi', message: expect.stringContaining('allowAi') },
      ]),
    )
  })

  test('refuses global groups that do not exist, all of them listed, and creates none', async () => {
    await service.apply([{ kind: 'group', data: { accountId: 'acme', name: 'known' } }])
    expect(await problems({ groups: ['known', 'new', 'newer'] })).toEqual(['/groups/1', '/groups/2'])
    expect(await problems({ groups: ['new'], groupDefinitions: [{ name: 'new' }] })).toEqual(['/groups/0'])
    expect((await claims({ groups: ['known'] })).securityContext).toEqual({ platformCloud: { groups: ['known'] } })
  })

  test('looks up groups once the body is right, and tells all unknown ones together', async () => {
    await service.apply([
      { kind: 'group', data: { accountId: 'acme', name: 'there' } },
      { kind: 'tenantGroup', data: { accountId: 'acme', embedTenantName: 'shapes', name: 'mine' } },
    ])
    const unknown = {
      creatorMode: true,
      embedTenantName: 'shapes',
      groups: ['there', 'new'],
      tenantGroups: ['mine', 'defined', 'unknown'],
      tenantGroupDefinitions: [{ name: 'defined' }],
    }
    service.logged.length = 0
    expect(await problems({ ...unknown, groupz: [], roles: 1 })).toEqual(['/roles', '/groupz'])
    expect(service.logged.find(({ invocation }) => invocation === 'operation')).toMatchObject({ status: 400, calls: 0 })
    expect(await problems(unknown)).toEqual(['/groups/1', '/tenantGroups/2'])
  })

  test('does not resolve groups of another account', async () => {
    await service.apply([{ kind: 'group', data: { accountId: 'other', name: 'theirs' } }])
    expect(await problems({ groups: ['theirs'] })).toEqual(['/groups/0'])
  })

  test('accepts the deprecated groupDefinitions, does nothing with them and says so', async () => {
    for (const groupDefinitions of [[{ name: 'any', description: 'thing' }], 0, '', false, 'x', {}, [[null]], [7]]) {
      const { status, headers } = await generate({ groupDefinitions })
      expect([groupDefinitions, status, headers.get('deprecation')]).toEqual([
        groupDefinitions,
        200,
        expect.stringMatching(/^@\d+$/),
      ])
    }
    expect(await claims({ groupDefinitions: [{ name: 'any' }] })).not.toHaveProperty('groupDefinitions')
    for (const nothing of [{}, { groupDefinitions: null }]) {
      expect((await generate(nothing)).headers.get('deprecation')).toBeNull()
    }
  })

  test('takes empty lists of tenant groups and of their definitions for nothing', async () => {
    const nothing = { tenantGroups: [], tenantGroupDefinitions: [] }
    const made = await claims({ ...nothing, externalId: 'nobody' })
    expect(made).not.toHaveProperty('tenantGroups')
    expect(made).not.toHaveProperty('securityContext')
    expect((await claims({ ...nothing, internalId: 'ada' })).userId).toBe(1)
  })

  test('takes an attribute without a value, or with null, as if it were left out', async () => {
    await claims({ embedTenantName: 'valued', userAttributeDefinitions: [{ name: 'tier', defaultValue: 'one' }] })
    const given = async (...userAttributes: object[]) =>
      (await claims({ embedTenantName: 'valued', userAttributes })).userAttributes
    expect(await given({ name: 'tier', value: null })).toEqual([{ name: 'tier', value: 'one' }])
    expect(await given({ name: 'tier' }, { name: 'tier', value: 'two' })).toEqual([{ name: 'tier', value: 'two' }])
    expect(await given({ name: 'tier', value: false })).toEqual([{ name: 'tier', value: false }])
    expect(await problems({ userAttributes: [{ name: 'a', value: null }, { value: 1 }] })).toEqual([
      '/userAttributes/1/name',
    ])
  })

  test('says which field lacks another or excludes one', async () => {
    const { body } = await generate({ internalId: 'ada', externalId: 'x', roles: [], tenantGroups: ['a'] })
    expect(body.errors).toEqual([
      { pointer: '/internalId', message: 'must not come together with externalId' },
      { pointer: '/tenantGroups', message: 'must not come together with internalId' },
      { pointer: '/roles', message: 'must not come together with internalId' },
      { pointer: '/tenantGroups', message: 'needs creatorMode: true' },
      { pointer: '/tenantGroups', message: 'needs embedTenantName' },
    ])
    const profile = await generate({ embedTenantProfile: { displayName: 'North' } })
    expect(profile.body.errors).toEqual([{ pointer: '/embedTenantProfile', message: 'needs embedTenantName' }])
  })

  test('wants creator mode and an embed tenant for tenant groups and their definitions', async () => {
    expect(await problems({ tenantGroups: ['a'], tenantGroupDefinitions: [{ name: 'a' }] })).toEqual([
      '/tenantGroups',
      '/tenantGroups',
      '/tenantGroupDefinitions',
      '/tenantGroupDefinitions',
    ])
    expect(await problems({ tenantGroups: ['a'], embedTenantName: 'north' })).toEqual(['/tenantGroups'])
    expect(await problems({ tenantGroups: ['a'], creatorMode: true })).toEqual(['/tenantGroups'])
  })

  test('creates tenant groups and keeps them for later sessions of that tenant alone', async () => {
    const creator = { creatorMode: true, embedTenantName: 'creators' }
    expect(await problems({ ...creator, tenantGroups: ['editors'] })).toEqual(['/tenantGroups/0'])
    const defined = await claims({
      ...creator,
      tenantGroups: ['editors'],
      tenantGroupDefinitions: [{ name: 'editors' }],
    })
    expect(defined.securityContext.platformCloud.groups).toEqual(['system:tenant:creators:group:editors'])
    expect((await claims({ ...creator, tenantGroups: ['editors'] })).tenantGroups).toEqual(['editors'])
    expect(await problems({ ...creator, embedTenantName: 'others', tenantGroups: ['editors'] })).toEqual([
      '/tenantGroups/0',
    ])
  })

  test('writes nothing at all when one check fails', async () => {
    const refused = await generate({
      creatorMode: true,
      embedTenantName: 'never-made',
      tenantGroupDefinitions: [{ name: 'a' }],
      groups: ['unknown'],
    })
    expect(refused.status).toBe(400)
    const list = await service.get('/api/v1/deployments/1/embed-tenants/never-made/workbooks', { key: keys.admin })
    expect(list.status).toBe(404)
  })

  test('takes 100 definitions of each kind at once and loses none when sessions race', async () => {
    const names = Array.from({ length: 100 }, (_, index) => ({ name: `g${index}` }))
    const replies = await Promise.all(
      [0, 1, 2, 3].map((part) =>
        generate({
          creatorMode: true,
          embedTenantName: 'racing',
          tenantGroupDefinitions: part === 0 ? names : [{ name: `extra-${part}` }],
          userAttributeDefinitions: part === 0 ? names : [],
        }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const all = ['g0', 'g99', 'extra-1', 'extra-2', 'extra-3']
    expect((await claims({ creatorMode: true, embedTenantName: 'racing', tenantGroups: all })).tenantGroups).toEqual(
      all,
    )
  })

  test('fills attributes that are left out with defaults of tenant or account', async () => {
    await claims({ userAttributeDefinitions: [{ name: 'plan', defaultValue: 'basic', displayName: 'Plan' }] })
    expect((await claims({})).userAttributes).toEqual([{ name: 'plan', value: 'basic' }])
    expect((await claims({ userAttributes: [{ name: 'plan', value: 'gold' }] })).userAttributes).toEqual([
      { name: 'plan', value: 'gold' },
    ])
    await claims({ embedTenantName: 'defaults', userAttributeDefinitions: [{ name: 'tier', defaultValue: 'one' }] })
    expect((await claims({ embedTenantName: 'defaults' })).userAttributes).toEqual([{ name: 'tier', value: 'one' }])
  })

  test('allows an internal id to admins, and to others their own alone', async () => {
    expect((await claims({ internalId: 'ROB@acme.example' })).userId).toBe(2)
    expect((await claims({ internalId: 'ada' })).sub).toBe('acme#user#1')
    expect((await claims({ internalId: 'rob@acme.example' }, keys.reader)).userId).toBe(2)
    for (const internalId of ['ada', 'nobody']) {
      const { status, body } = await generate({ internalId }, keys.reader)
      expect([status, body.code]).toEqual([403, 'internal_id_forbidden'])
    }
    expect(await problems({ internalId: 'nobody' })).toEqual(['/internalId'])
    expect(await problems({ internalId: 'olga@other.example' })).toEqual(['/internalId'])
  })

  test('gives an internal user’s token that user’s own address, whatever is sent', async () => {
    for (const request of [{}, { email: 'ADA@acme.example' }, { email: 'Ada@acme.example' }]) {
      expect((await claims({ internalId: 'ada', ...request })).email).toBe('Ada@acme.example')
    }
    expect((await claims({ internalId: 'rob@acme.example' }, keys.reader)).email).toBe('rob@acme.example')
    for (const email of ['rob@acme.example', 'ada@acme.example.evil.example', 'Ad\u0430@acme.example', '']) {
      expect([email, await problems({ internalId: 'ada', email })]).toEqual([email, ['/email']])
    }
    // Who may not name the user learns nothing of the address.
    const { status, body } = await generate({ internalId: 'ada', email: 'Ada@acme.example' }, keys.reader)
    expect([status, body.code]).toEqual([403, 'internal_id_forbidden'])
  })

  test('refuses with an internal id all that would change what that user may see', async () => {
    const everything = {
      internalId: 'ada',
      externalId: 'x',
      groups: [],
      userAttributes: [],
      userAttributeDefinitions: [],
      securityContext: {},
      userProfile: {},
      roles: [],
    }
    expect((await problems(everything)).sort()).toEqual(
      [
        '/groups',
        '/internalId',
        '/roles',
        '/securityContext',
        '/userAttributeDefinitions',
        '/userAttributes',
        '/userProfile',
      ].sort(),
    )
  })

  test('refuses names that are repeated, reserved, too long or too many', async () => {
    const creator = { creatorMode: true, embedTenantName: 'north' }
    expect(await problems({ groups: ['a', 'a'] })).toEqual(['/groups'])
    expect(
      await problems({
        userAttributes: [
          { name: 'a', value: 1 },
          { name: 'a', value: 2 },
        ],
      }),
    ).toEqual(['/userAttributes'])
    expect(await problems({ ...creator, tenantGroupDefinitions: [{ name: 'system:x' }] })).toEqual([
      '/tenantGroupDefinitions/0/name',
    ])
    expect(await problems({ groups: ['', 'x'.repeat(101)] })).toEqual(['/groups/0', '/groups/1'])
    expect(await problems({ roles: Array.from({ length: 101 }, (_, i) => `r${i}`) })).toEqual(['/roles'])
    for (const embedTenantName of ['a', 'A1', '1a', 'a-', 'a_b', `a${'b'.repeat(36)}`]) {
      expect(await problems({ embedTenantName })).toEqual(['/embedTenantName'])
    }
  })

  test('refuses integers that would reach the token as others', async () => {
    const unsafe = '9007199254740993'
    const refused = async (field: string, value: string) => {
      const body = `{"deploymentId":1,"externalId":"u","${field}":${value}}`
      const reply = await service.post(path, { key: keys.admin, body })
      return [reply.status, reply.body.errors?.[0]?.pointer]
    }
    expect(await refused('securityContext', `{"a":[{"customerId":${unsafe}}]}`)).toEqual([
      400,
      '/securityContext/a/0/customerId',
    ])
    for (const value of [unsafe, `[1,${unsafe}]`]) {
      const [status] = await refused('userAttributes', `[{"name":"id","value":${value}}]`)
      expect(status).toBe(400)
    }
    const [status] = await refused('securityContext', '{"a":9007199254740991,"b":-0.5,"c":1e-7}')
    expect(status).toBe(200)
  })

  test('keeps platformCloud and oversized contexts out of the security context', async () => {
    expect(await problems({ securityContext: { platformCloud: {} } })).toEqual(['/securityContext'])
    expect(await problems({ securityContext: { text: 'x'.repeat(64 * 1024) } })).toEqual(['/securityContext'])
  })

  test('refuses a context whose token would not fit in a header, to the byte', async () => {
    const sized = (length: number) => generate({ securityContext: { text: 'x'.repeat(length) } })
    let [fits, tooLong] = [0, 7168]
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1
      if ((await sized(middle)).status === 200) fits = middle
      else tooLong = middle
    }
    expect((await sized(tooLong)).body.code).toBe('context_too_large')
    const redeemed = await service.post('/api/v1/embed/session/token', { body: (await sized(fits)).body })
    expect(redeemed.body.token.length).toBeLessThanOrEqual(7168)
    expect(redeemed.body.token.length).toBeGreaterThan(7165)
  })

  test('never makes a session with a key that has ended', async () => {
    expect((await generate({}, keys.expiring)).status).toBe(200)
    service.now = startOfTime + 60_000
    expect((await generate({}, keys.expiring)).status).toBe(401)
    service.now = startOfTime
  })
})
