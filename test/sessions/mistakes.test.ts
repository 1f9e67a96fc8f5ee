import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { describe, expect, test } from 'vitest'
import { keys, people, put, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)
const named = (...all: string[]) => all.map((name) => ({ name, value: 1 }))
const creator = { creatorMode: true, embedTenantName: 'north' }
const twin = { accountId: 'acme', roles: [], deploymentIds: [1] }

/** A request, and the pointer and message of each of its errors. */
type Row = readonly [what: string, request: object, ...errors: readonly (readonly [string, string])[]]

describe('a request for a session', () => {
  const service = world([
    ...people,
    put('user', { ...twin, id: 80, email: 'twin@acme.example' }),
    put('user', { ...twin, id: 81, email: 'two@acme.example', username: 'twin@acme.example' }),
    put('apiKey', { accountId: 'acme', userId: 80, name: 'x', tokenHash: hashOfApiKey('sk-twin') }),
  ])
  const { generate } = sessionsOf(service)
  const sent = (json: string) => service.post('/api/v1/embed/generate-session', { key: keys.admin, body: json })

  async function isRefused(request: object, ...errors: readonly (readonly [string, string])[]) {
    const { status, body } = await generate(request)
    const expected = errors.map(([pointer, message]) => ({ pointer, message }))
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_body', expected])
  }

  const repeated = 'must not repeat a name'
  const tooMany = 'must have at most 100 entries'
  const rows: readonly Row[] = [
    ['a blank external id', { externalId: '  ' }, ['/externalId', 'must not be blank']],
    ['a group twice', { groups: ['a', 'a'] }, ['/groups', repeated]],
    ['101 groups', { groups: names(101) }, ['/groups', tooMany]],
    [
      'an empty and a long group',
      { groups: ['', 'x'.repeat(101)] },
      ['/groups/0', 'must have at least 1 character'],
      ['/groups/1', 'must have at most 100 characters'],
    ],
    ['a role twice', { roles: ['a', 'a'] }, ['/roles', repeated]],
    ['an attribute twice', { userAttributes: named('a', 'a') }, ['/userAttributes', repeated]],
    ['101 attributes', { userAttributes: named(...names(101)) }, ['/userAttributes', tooMany]],
    [
      'an attribute defined twice',
      { userAttributeDefinitions: [{ name: 'a' }, { name: 'a' }] },
      ['/userAttributeDefinitions', repeated],
    ],
    [
      'a tenant group defined twice',
      { ...creator, tenantGroupDefinitions: [{ name: 'a' }, { name: 'a' }] },
      ['/tenantGroupDefinitions', repeated],
    ],
    [
      'a reserved tenant group',
      { ...creator, tenantGroupDefinitions: [{ name: 'system:x' }] },
      ['/tenantGroupDefinitions/0/name', expect.stringContaining('system:')],
    ],
    ...['a', 'A1', '1a', 'a-', 'a_b', `a${'b'.repeat(36)}`].map(
      (embedTenantName): Row => [
        `the embed tenant ${embedTenantName}`,
        { embedTenantName },
        ['/embedTenantName', expect.any(String)],
      ],
    ),
  ]
  test.for(rows)(
    'is refused for names that are repeated, reserved, too long or too many: %s',
    async ([, request, ...errors]) => {
      await isRefused(request, ...errors)
    },
  )

  const exact = 'must be a number that a 64-bit float keeps, as an integer within ±(2^53 - 1); send others as strings'
  const defining = (defaultValue: unknown) => ({
    userAttributeDefinitions: [{ name: 'a', type: 'number', defaultValue }],
  })
  const tooSmall = 'must be 0, or at least 1e-130 away from it'
  test.for<Row>([
    ['2^53', { securityContext: { a: [{ b: 2 ** 53 }] } }, ['/securityContext/a/0/b', exact]],
    ['1e300', { securityContext: { a: 1e300 } }, ['/securityContext/a', exact]],
    ['1e300', { userAttributes: [{ name: 'a', value: 1e300 }] }, ['/userAttributes/0/value', exact]],
    ['2^53', { userAttributes: [{ name: 'a', value: [1, 2 ** 53] }] }, ['/userAttributes/0/value/1', exact]],
    ['1e-131', defining(1e-131), ['/userAttributeDefinitions/0/defaultValue', tooSmall]],
    ['-5e-324', defining(-5e-324), ['/userAttributeDefinitions/0/defaultValue', tooSmall]],
    ['1e-200', defining([1, 1e-200]), ['/userAttributeDefinitions/0/defaultValue/1', tooSmall]],
    [
      'the text 1e-131',
      defining('1e-131'),
      ['/userAttributeDefinitions/0/defaultValue', 'must be a number, or its text, since its type is number'],
    ],
  ])('is refused for numbers that would reach the token as others: %s', async ([, request, ...errors]) => {
    await isRefused(request, ...errors)
  })

  test('is told of a number with more digits than are kept', async () => {
    const { body } = await sent(`{"deploymentId":1,"userAttributes":[{"name":"a","value":[0.10000000000000001]}],
      "userAttributeDefinitions":[{"name":"a","defaultValue":9007199254740993}],"securityContext":{"a":[9007199254740993]}}`)
    const pointers = ['/userAttributes/0/value/0', '/userAttributeDefinitions/0/defaultValue', '/securityContext/a/0']
    expect(body.errors).toEqual(pointers.map((pointer) => ({ pointer, message: exact })))
  })

  test('is refused for a platformCloud of its own, or too large a security context', async () => {
    const own = 'must not bring its own platformCloud'
    await isRefused({ securityContext: { platformCloud: {} } }, ['/securityContext', own])
    const withBytes = (bytes: number) => ({ securityContext: { a: 'x'.repeat(bytes - '{"a":""}'.length) } })
    await isRefused(withBytes(65_537), ['/securityContext', 'must have at most 65536 bytes as JSON'])
    expect((await generate(withBytes(65_536))).body.code).toBe('context_too_large')
    expect((await generate({ roles: names(100), userAttributes: named(...names(100)) })).status).toBe(200)
  })

  const [noOther, needsMode, needsTenant] = [
    'must not come together with internalId',
    'needs creatorMode: true',
    'needs embedTenantName',
  ]
  test.for<Row>([
    [
      'an internal user, and what would change what that user may see',
      {
        ...{ internalId: 'ada', externalId: 'x', tenantGroups: ['a'], groups: [], userAttributes: [] },
        ...{ userAttributeDefinitions: [], securityContext: {}, userProfile: {}, roles: [] },
      },
      ['/internalId', 'must not come together with externalId'],
      ['/groups', noOther],
      ['/tenantGroups', noOther],
      ['/userAttributes', noOther],
      ['/userAttributeDefinitions', noOther],
      ['/securityContext', noOther],
      ['/userProfile', noOther],
      ['/roles', noOther],
      ['/tenantGroups', needsMode],
      ['/tenantGroups', needsTenant],
    ],
    [
      'definitions of tenant groups without creator mode and tenant',
      { tenantGroupDefinitions: [{ name: 'a' }] },
      ['/tenantGroupDefinitions', needsMode],
      ['/tenantGroupDefinitions', needsTenant],
    ],
    [
      'tenant groups without creator mode',
      { tenantGroups: ['a'], embedTenantName: 'north' },
      ['/tenantGroups', needsMode],
    ],
    ['tenant groups without a tenant', { tenantGroups: ['a'], creatorMode: true }, ['/tenantGroups', needsTenant]],
    [
      'a profile without a tenant',
      { embedTenantProfile: { displayName: 'North' } },
      ['/embedTenantProfile', needsTenant],
    ],
  ])('is refused for fields that lack or exclude another: %s', async ([, request, ...errors]) => {
    await isRefused(request, ...errors)
  })

  test.each([
    '{"deploymentId":1,"groupDefinitions":[{"name":{"__proto__":1}}]}',
    '{"deploymentId":1,"securityContext":{"a":[{"__proto__":{}}]}}',
    '{"deploymentId":1,"groupDefinitions":{"constructor":{"prototype":{}}}}',
  ])('is no JSON to the service with a key that could change a prototype: %s', async (json) => {
    const { status, body } = await sent(json)
    expect([status, body.code]).toEqual([400, 'malformed_json'])
    expect(body.detail).toBe('The body must not have the key __proto__, nor a constructor with a prototype.')
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
    const toOneOfThem = await generate({ internalId: 'twin@acme.example' }, 'sk-twin')
    expect([toOneOfThem.status, toOneOfThem.body.code]).toEqual([403, 'internal_id_forbidden'])
    const own = 'must be that of the user that internalId names, or be left out'
    await isRefused({ internalId: 'ada', email: 'rob@acme.example' }, ['/email', own])
  })
})
