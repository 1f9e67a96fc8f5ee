import { describe, expect, test } from 'vitest'
import { keys, people, put, userKey, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)
const named = (...all: string[]) => all.map((name) => ({ name, value: 1 }))
const attributeDefinitions = (...userAttributeDefinitions: object[]) => ({
  userAttributeDefinitions,
})
const groupDefinitions = (...all: string[]) => ({
  creatorMode: true,
  embedTenantName: 'north',
  tenantGroupDefinitions: all.map((name) => ({ name })),
})

const exact =
  'must keep its value as a 64-bit float, and an integer must be within ±(2^53 - 1); ' +
  'otherwise send a string'
const tooSmall = 'must be 0, or differ from 0 by at least 1e-130'
const tenantName =
  'must be 2 to 36 lower-case letters, digits or hyphens, begin with a letter and end with ' +
  'a letter or digit'
const inAttribute = '/userAttributes/0/value'
const inDefault = '/userAttributeDefinitions/0/defaultValue'

/** A request, and each of its errors: a pointer, a space, the message. */
type Row = readonly [request: object, ...errors: readonly string[]]

describe('a request for a session', () => {
  const twin = { accountId: 'acme', roles: [], deploymentIds: [1] }
  const service = world(
    [
      ...people,
      put('user', { ...twin, id: 80, email: 'twin@acme.example' }),
      put('user', { ...twin, id: 81, email: 'two@acme.example', username: 'twin@acme.example' }),
      userKey('acme', 80, 'sk-twin'),
      userKey('acme', 81, 'sk-other-twin'),
    ],
    { isInMemory: true },
  )
  const { generate } = sessionsOf(service)
  const sent = (json: string) =>
    service.post('/api/v1/embed/generate-session', { key: keys.admin, body: json })

  async function isRefused([request, ...errors]: Row) {
    const { status, body } = await generate(request)
    const expected = errors.map((error) => /^(?<pointer>\S*) (?<message>.*)$/.exec(error)?.groups)
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', expected])
  }

  test('lists as many mistakes in a field with a long name as an answer holds', async () => {
    const numbers = Array(1000).fill('1e999')
    const context = `{"${'k'.repeat(120_000)}":[${numbers}]}`
    const { status, body } = await sent(`{"deploymentId":1,"securityContext":${context}}`)
    expect([status, body.errors.length]).toEqual([400, 2])
    // The 1000 numbers, and the context, which is too large.
    expect(body.message.slice(120_000)).toMatch(/, and 1000 more problems\.$/)
  })

  test.for<Row>([
    [{ externalId: '  ' }, '/externalId must not be blank'],
    [{ groups: ['a', 'a'] }, '/groups must not repeat a name'],
    [{ groups: names(101) }, '/groups must have at most 100 entries'],
    [
      { groups: ['', 'x'.repeat(101)] },
      '/groups/0 must have at least 1 character',
      '/groups/1 must have at most 100 characters',
    ],
    [{ roles: ['a', 5, 'a'] }, '/roles/1 must be a string', '/roles must not repeat a name'],
    [
      { roles: [...names(100), 5] },
      '/roles/100 must be a string',
      '/roles must have at most 100 entries',
    ],
    [
      { userAttributes: [...named('a', 'b'), { name: 'a', value: {} }, null] },
      '/userAttributes/2/value must be a string, a number, a boolean, a list of strings or a ' +
        'list of numbers',
      '/userAttributes/3 must be an object',
      '/userAttributes must not repeat a name',
    ],
    [
      attributeDefinitions({ name: 'a', type: 'text' }, { name: 'a' }),
      '/userAttributeDefinitions/0/type must be one of string, number, boolean, string_array, ' +
        'number_array',
      '/userAttributeDefinitions must not repeat a name',
    ],
    [{ userAttributes: named(...names(101)) }, '/userAttributes must have at most 100 entries'],
    [
      { userAttributes: [{ name: 'a', value: null }, { value: 1 }] },
      '/userAttributes/1/name is required',
    ],
    [groupDefinitions('a', 'a'), '/tenantGroupDefinitions must not repeat a name'],
    [
      groupDefinitions('system:x'),
      '/tenantGroupDefinitions/0/name must not begin with system:, which is reserved',
    ],
    [{ embedTenantName: 'A1' }, '/embedTenantName must be in lower case: a1'],
    ...['a', '1a', 'a-', 'a_b', 'A_B', `a${'b'.repeat(36)}`].map(
      (embedTenantName): Row => [{ embedTenantName }, `/embedTenantName ${tenantName}`],
    ),
    [
      { securityContext: { platformCloud: {} } },
      '/securityContext must not bring its own platformCloud',
    ],
    [
      { roles: 'viewer', tokenLifetimeSeconds: 86_401 },
      '/roles must be a list',
      '/tokenLifetimeSeconds must be at most 86400',
    ],
    [{ deploymentId: undefined }, '/deploymentId is required'],
    [{ branchName: '' }, '/branchName must have at least 1 character'],
    [{ branchName: 'x'.repeat(256) }, '/branchName must have at most 255 characters'],
  ])('is refused for what is missing, repeated, reserved, too long or too many: $0', (row) =>
    isRefused(row),
  )

  test.for<Row>([
    [{ securityContext: { a: [{ b: 2 ** 53 }] } }, `/securityContext/a/0/b ${exact}`],
    [{ userAttributes: [{ name: 'a', value: [1, 2 ** 53] }] }, `${inAttribute}/1 ${exact}`],
    [attributeDefinitions({ name: 'a', defaultValue: 1e-131 }), `${inDefault} ${tooSmall}`],
    [attributeDefinitions({ name: 'a', defaultValue: [1, 1e-200] }), `${inDefault}/1 ${tooSmall}`],
    ...['1e-131', '0.30000000000000001'].map(
      (defaultValue): Row => [
        attributeDefinitions({ name: 'a', type: 'number', defaultValue }),
        `${inDefault} must be a number, or its text, since its type is number`,
      ],
    ),
  ])('is refused for numbers that would reach the token as others: %j', (row) => isRefused(row))

  test.for<Row>([
    [
      {
        internalId: 'ada',
        externalId: 'x',
        tenantGroups: ['a'],
        groups: ['a'],
        userAttributes: named('a'),
        ...attributeDefinitions({ name: 'a' }),
        ...{ securityContext: { a: null }, userProfile: { picture: '' }, roles: ['a'] },
      },
      '/internalId must not come together with externalId',
      ...`groups tenantGroups userAttributes userAttributeDefinitions
          securityContext userProfile roles`
        .split(/\s+/)
        .map((field) => `/${field} must not come together with internalId`),
      '/tenantGroups needs creatorMode: true',
      '/tenantGroups needs embedTenantName',
    ],
    [
      { tenantGroupDefinitions: [{ name: 'a' }] },
      '/tenantGroupDefinitions needs creatorMode: true',
      '/tenantGroupDefinitions needs embedTenantName',
    ],
    [{ tenantGroups: ['a'], embedTenantName: 'north' }, '/tenantGroups needs creatorMode: true'],
    [{ tenantGroups: ['a'], creatorMode: true }, '/tenantGroups needs embedTenantName'],
    [{ embedTenantProfile: { displayName: 'North' } }, '/embedTenantProfile needs embedTenantName'],
  ])('is refused for fields that lack or exclude another: $0', (row) => isRefused(row))

  test.for<Row>([
    [
      { settings: { showGroupByCube: true } },
      '/settings/showGroupByCube is not a known field; here it is showGroupByModel',
    ],
    [
      { groupz: [], settings: { alowAi: true } },
      '/settings/alowAi is not a known field; the nearest one is allowAi',
      '/groupz is not a known field; the nearest one is groups',
    ],
    [
      { tenantId: 'north', tenantName: 'North' },
      '/tenantId is not a known field; here it is embedTenantName',
      '/tenantName is not a known field; here it is embedTenantName',
    ],
    [
      { securityContext: { cubeCloud: {} } },
      '/securityContext must not bring cubeCloud, which is platformCloud here: the service ' +
        'writes groups into it',
    ],
  ])('is told our word for a misspelt name, or one of the published API: $0', (row) =>
    isRefused(row),
  )

  test('is told of a number with more digits than are kept', async () => {
    const { body } =
      await sent(`{"deploymentId":1,"userAttributes":[{"name":"a","value":[0.10000000000000001]}],
      "userAttributeDefinitions":[{"name":"a","defaultValue":9007199254740993}],
      "securityContext":{"a":[9007199254740993]}}`)
    const pointers = [`${inAttribute}/0`, inDefault, '/securityContext/a/0']
    expect(body.errors).toEqual(pointers.map((pointer) => ({ pointer, message: exact })))
  })

  test('may have 64 KB of security context, and 100 of each list', async () => {
    const withBytes = (bytes: number) => ({
      securityContext: { a: 'x'.repeat(bytes - '{"a":""}'.length) },
    })
    await isRefused([withBytes(65_537), '/securityContext must have at most 65536 bytes as JSON'])
    expect((await generate(withBytes(65_536))).body.code).toBe('context_too_large')
    const lists = { roles: names(100), userAttributes: named(...names(100)) }
    expect((await generate(lists)).status).toBe(200)
  })

  test.each([
    '{"deploymentId":1,"groupDefinitions":[{"name":{"__proto__":1}}]}',
    '{"deploymentId":1,"securityContext":{"a":[{"__proto__":{}}]}}',
    '{"deploymentId":1,"groupDefinitions":{"constructor":{"prototype":{}}}}',
  ])('is no JSON to the service with a key that could change a prototype: %s', async (json) => {
    const { status, body } = await sent(json)
    expect([status, body.code]).toEqual([400, 'malformed_json'])
    expect(body.detail).toBe(
      'The body must not have the key __proto__, or a key prototype inside a key constructor.',
    )
  })

  test.each(['null', '[]', '5'])('is refused if it is no object: %s', async (json) => {
    const { status, body } = await sent(json)
    const error = { pointer: '', message: 'must be an object' }
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', [error]])
    expect(body.detail).toBe('The body must be an object.')
  })

  test('for an internal user is told what is wrong with the name or address', async () => {
    const message = 'must be the name or e-mail address of a user of the account'
    for (const more of [{}, { email: 'nobody@acme.example' }]) {
      const { body } = await generate({ internalId: 'nobody', ...more })
      expect([body.code, body.detail]).toEqual(['unknown_name', `/internalId ${message}.`])
      expect(body.errors).toEqual([{ pointer: '/internalId', message }])
    }
    const several = await generate({ internalId: 'twin@acme.example' })
    expect(several.body.errors).toEqual([
      { pointer: '/internalId', message: 'names more than one user of the account' },
    ])
    for (const key of ['sk-twin', 'sk-other-twin']) {
      const toOneOfThem = await generate({ internalId: 'twin@acme.example' }, key)
      expect([toOneOfThem.status, toOneOfThem.body.code]).toEqual([403, 'internal_id_forbidden'])
    }
    const wrong = '/email must be the address of the user that internalId names, or be left out'
    for (const name of [
      'rob@acme.example',
      'ada@acme.example.evil.example',
      'Ad\u0430@acme.example',
      '',
    ])
      await isRefused([{ internalId: 'ada', email: name }, wrong])
  })
})
