import { describe, expect, test } from 'vitest'
import { put } from '../support/catalog.ts'
import { keys, people, world } from '../support/service.ts'

const path = '/api/v1/embed/generate-session'
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)
const creator = { creatorMode: true, embedTenantName: 'north' }

describe('a request for a session', () => {
  const service = world([
    ...people,
    put('user', { accountId: 'acme', id: 80, email: 'twin@acme.example', roles: [], deploymentIds: [1] }),
    put('user', {
      accountId: 'acme',
      id: 81,
      email: 'two@acme.example',
      username: 'twin@acme.example',
      roles: [],
      deploymentIds: [1],
    }),
  ])

  const generate = (request: object, key = keys.admin) =>
    service.post(path, { key, body: { deploymentId: 1, ...request } })

  const exact = 'must be a number that a 64-bit float keeps, as an integer within ±(2^53 - 1); send others as strings'
  const repeated = 'must not repeat a name'
  const tooMany = 'must have at most 100 entries'
  const wrongFields: [object, string, string][] = [
    [{ externalId: '  ' }, '/externalId', 'must not be blank'],
    [{ groups: ['a', 'a'] }, '/groups', repeated],
    [{ groups: names(101) }, '/groups', tooMany],
    [{ roles: ['a', 'a'] }, '/roles', repeated],
    [
      {
        userAttributes: [
          { name: 'a', value: 1 },
          { name: 'a', value: 2 },
        ],
      },
      '/userAttributes',
      repeated,
    ],
    [{ userAttributes: names(101).map((name) => ({ name, value: 1 })) }, '/userAttributes', tooMany],
    [{ userAttributeDefinitions: [{ name: 'a' }, { name: 'a' }] }, '/userAttributeDefinitions', repeated],
    [{ ...creator, tenantGroupDefinitions: [{ name: 'a' }, { name: 'a' }] }, '/tenantGroupDefinitions', repeated],
    [{ securityContext: { platformCloud: {} } }, '/securityContext', 'must not bring its own platformCloud'],
    [{ securityContext: { a: [{ b: 2 ** 53 }] } }, '/securityContext/a/0/b', exact],
    [{ securityContext: { a: 1e300 } }, '/securityContext/a', exact],
    [{ userAttributes: [{ name: 'a', value: 1e300 }] }, '/userAttributes/0/value', exact],
    [{ userAttributes: [{ name: 'a', value: [1, 2 ** 53] }] }, '/userAttributes/0/value/1', exact],
    ...[1e-131, -5e-324, [1, 1e-200]].map((defaultValue): [object, string, string] => [
      { userAttributeDefinitions: [{ name: 'a', type: 'number', defaultValue }] },
      `/userAttributeDefinitions/0/defaultValue${Array.isArray(defaultValue) ? '/1' : ''}`,
      'must be 0, or at least 1e-130 away from it',
    ]),
    [
      { userAttributeDefinitions: [{ name: 'a', type: 'number', defaultValue: '1e-131' }] },
      '/userAttributeDefinitions/0/defaultValue',
      'must be a number, or its text, since its type is number',
    ],
    [{ securityContext: { a: 'x'.repeat(65_536) } }, '/securityContext', 'must have at most 65536 bytes as JSON'],
  ]

  test.each(wrongFields)('is told what is wrong with it (%#)', async (request, pointer, message) => {
    const { status, body } = await generate(request)
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', [{ pointer, message }]])
  })

  test('is told of a number with more digits than are kept', async () => {
    const body = `{"deploymentId":1,"userAttributes":[{"name":"a","value":[0.10000000000000001]}],
      "userAttributeDefinitions":[{"name":"a","defaultValue":9007199254740993}],"securityContext":{"a":[9007199254740993]}}`
    const reply = await service.post(path, { key: keys.admin, body })
    const pointers = ['/userAttributes/0/value/0', '/userAttributeDefinitions/0/defaultValue', '/securityContext/a/0']
    expect(reply.body.errors).toEqual(pointers.map((pointer) => ({ pointer, message: exact })))
  })

  test.each([
    '{"deploymentId":1,"groupDefinitions":[{"name":{"__proto__":1}}]}',
    '{"deploymentId":1,"securityContext":{"a":[{"__proto__":{}}]}}',
    '{"deploymentId":1,"groupDefinitions":{"constructor":{"prototype":{}}}}',
  ])('is no JSON to the service with a key that could change a prototype: %s', async (body) => {
    const reply = await service.post(path, { key: keys.admin, body })
    expect([reply.status, reply.body.code]).toEqual([400, 'malformed_json'])
    expect(reply.body.detail).toBe('The body must not have the key __proto__, nor a constructor with a prototype.')
  })

  test('may have 100 entries in each list, and 65,536 bytes of security context', async () => {
    const attributes = names(100).map((name) => ({ name, value: 1 }))
    expect((await generate({ roles: names(100), userAttributes: attributes })).status).toBe(200)
    const context = { a: 'x'.repeat(65_536 - '{"a":""}'.length) }
    expect((await generate({ securityContext: context })).body.code).toBe('context_too_large')
  })

  test('is told which token would be too large, and how large it may be', async () => {
    const { body } = await generate({ securityContext: { a: 'x'.repeat(8_000) } })
    expect(body.detail).toMatch(/^The embed token would have \d{5} bytes; the limit is 7168\. Shorten the context\.$/)
  })

  test('is told which groups do not exist', async () => {
    const { body } = await generate({ ...creator, groups: ['none'], tenantGroups: ['nobody'] })
    expect([body.code, body.detail]).toEqual(['unknown_name', 'Groups of the request do not exist.'])
    expect(body.errors).toEqual([
      { pointer: '/groups/0', message: 'names no existing group: "none"' },
      { pointer: '/tenantGroups/0', message: 'names no existing group: "nobody"' },
    ])
  })

  test('is told which definitions do not fit, and which may not be changed', async () => {
    const unfit = await generate({ userAttributeDefinitions: [{ name: 'a', type: 'number', defaultValue: 'x' }] })
    expect(unfit.body.detail).toBe('Definitions of the request do not fit their types or limits.')
    const { body } = await generate({ userAttributeDefinitions: [{ name: 'a' }, { name: 'b' }] }, keys.reader)
    expect(body.detail).toBe(
      'Only an admin whose credential is not scoped to deployments may create or change definitions of user attributes: "a", "b".',
    )
    expect(body.errors).toEqual([
      { pointer: '/userAttributeDefinitions/0', message: 'differs from what is stored: "a"' },
      { pointer: '/userAttributeDefinitions/1', message: 'differs from what is stored: "b"' },
    ])
  })

  test('is not told of definitions that are as they are stored', async () => {
    const same = { name: 'same', defaultValue: 'v' }
    const tenant = { embedTenantName: 'kept' }
    expect((await generate({ ...tenant, userAttributeDefinitions: [same] })).status).toBe(200)
    const { body } = await generate({ ...tenant, userAttributeDefinitions: [same, { name: 'new' }] }, keys.reader)
    expect(body.errors).toEqual([
      { pointer: '/userAttributeDefinitions/1', message: 'differs from what is stored: "new"' },
    ])
  })

  test('for an internal user is told what is wrong with the name or address', async () => {
    const message = 'must be the name or e-mail address of a user of the account'
    const unknown = await generate({ internalId: 'nobody' })
    expect([unknown.body.code, unknown.body.detail]).toEqual(['unknown_name', `internalId ${message}.`])
    expect(unknown.body.errors).toEqual([{ pointer: '/internalId', message }])
    const several = await generate({ internalId: 'twin@acme.example' })
    expect(several.body.errors).toEqual([
      { pointer: '/internalId', message: 'names more than one user of the account' },
    ])
    const own = 'must be that of the user that internalId names, or be left out'
    const another = await generate({ internalId: 'ada', email: 'rob@acme.example' })
    expect([another.body.detail, another.body.errors]).toEqual([
      `/email ${own}.`,
      [{ pointer: '/email', message: own }],
    ])
  })
})
