import { describe, expect, test } from 'vitest'
import { keys, people, userKey, world } from '../support/service.ts'
import { pointersOf, sessionsOf } from '../support/sessions.ts'

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}` }))

/** Keys of an admin, limited to the very deployment and operation that the tests are about. */
const [scopedHere, onlyMints] = ['sk-test-scoped-here', 'sk-test-only-mints']

const service = world([
  ...people,
  userKey('acme', 1, scopedHere, { deploymentIds: [1] }),
  userKey('acme', 1, onlyMints, { operations: ['generate-session'] }),
])
const { generate, dryRun } = sessionsOf(service)
const attributes = async (request: object) => (await dryRun(request)).body.claims.userAttributes

async function errors(request: object) {
  const { status, body } = await generate(request)
  expect([status, body.code]).toEqual([400, 'invalid_body'])
  return body.errors as { pointer: string; message: string }[]
}

describe('definitions in a request', () => {
  const region = { name: 'region', defaultValue: 'north', displayName: 'Region' }

  test('are created and changed by admins with an unlimited key, and by nobody else', async () => {
    for (const key of [keys.reader, scopedHere, onlyMints]) {
      for (const more of [{}, { embedTenantName: 'unmade' }]) {
        for (const ask of [generate, dryRun]) {
          const { status, body } = await ask({ userAttributeDefinitions: [region], ...more }, key)
          expect([status, body.code, body.detail]).toEqual([
            403,
            'definitions_forbidden',
            'Only an admin whose credential is not limited to deployments or operations may ' +
              'create or change definitions of user attributes: "region".',
          ])
          expect(body.errors).toEqual([
            {
              pointer: '/userAttributeDefinitions/0',
              message: 'differs from what is stored: "region"',
            },
          ])
        }
      }
    }
    expect(await attributes({})).toBeUndefined()
    const unmade = await service.get('/api/v1/deployments/1/embed-tenants/unmade/workbooks', {
      key: keys.admin,
    })
    expect(unmade.status).toBe(404)
    expect((await generate({ userAttributeDefinitions: [region] })).status).toBe(200)
    expect(await attributes({})).toEqual([{ name: 'region', value: 'north' }])
  })

  test('that equal the stored ones, in all fields or some, may be sent by everybody', async () => {
    const embedTenantName = 'equal'
    const same = [
      region,
      { name: 'region' },
      { name: 'region', defaultValue: 'north', description: null },
      // The type of a definition without one.
      { name: 'region', type: 'string' },
    ]
    const other = [
      { defaultValue: '*' },
      { displayName: 'Other' },
      { description: 'new' },
      { type: 'string_array', defaultValue: ['north'] },
    ]
    await generate({ embedTenantName, userAttributeDefinitions: [region] })
    for (const key of [keys.reader, scopedHere, onlyMints]) {
      const define = (...userAttributeDefinitions: object[]) =>
        generate({ embedTenantName, userAttributeDefinitions }, key)
      for (const definition of same)
        expect([definition, (await define(definition)).status]).toEqual([definition, 200])
      for (const change of other) {
        const { status, body } = await define({ name: 'tier' }, { ...region, ...change })
        expect([change, status, pointersOf(body.errors)]).toEqual([
          ...[change, 403, ['/userAttributeDefinitions/0', '/userAttributeDefinitions/1']],
        ])
        expect(body.detail).toContain('"tier", "region"')
      }
      const { body } = await define(region, { name: 'tier' })
      expect(pointersOf(body.errors)).toEqual(['/userAttributeDefinitions/1'])
    }
    expect(await attributes({ embedTenantName })).toEqual([{ name: 'region', value: 'north' }])
  })
})

describe('the type of a definition', () => {
  test.each<[string | undefined, unknown, unknown]>([
    [undefined, '5', '5'],
    ['string', 'true', 'true'],
    ['number', '5', 5],
    ['number', -0.5, -0.5],
    // DynamoDB has no negative zero.
    ['number', '-0', 0],
    ['number_array', '[-0.0, 1]', [0, 1]],
    ['boolean', 'false', false],
    ['boolean', true, true],
    ['string_array', '["a","b"]', ['a', 'b']],
    ['string_array', [], []],
    ['number_array', [1, 2], [1, 2]],
    ['string_array', ['x'.repeat(496)], ['x'.repeat(496)]],
    // Letters count, however many bytes they have.
    ['string', '💚'.repeat(260), '💚'.repeat(260)],
  ])('$0 takes the default $1', async (type, defaultValue, value) => {
    const embedTenantName = `fits-${type ?? 'none'}-${typeof defaultValue}`.replaceAll('_', '-')
    const request = {
      embedTenantName,
      userAttributeDefinitions: [{ name: 'a', type, defaultValue }],
    }
    expect((await generate(request)).status).toBe(200)
    expect(await attributes({ embedTenantName })).toEqual([{ name: 'a', value }])
    // What was sent is what is stored, in either form.
    expect((await generate(request, keys.reader)).status).toBe(200)
  })

  test.each<[string | undefined, unknown]>([
    [undefined, 5],
    ['string', 5],
    ['number', 'five'],
    ['string', '💚'.repeat(501)],
    ['number', '9007199254740993'],
    ['number', ''],
    ['boolean', 'maybe'],
    ['string_array', 'a'],
    ['string_array', '[1]'],
    ['number_array', '["1"]'],
    // Its text is ASCII and escapes U+FFFD.
    ['string_array', '["s\\ufffdd"]'],
    ['number_array', '[1e999]'],
    ['string_array', ['x'.repeat(497)]],
    // 16 digits each, once it is a number.
    ['number_array', `[${Array(30).fill('1e15')}]`],
  ])('$0 refuses the default $1', async (type, defaultValue) => {
    const found = await errors({
      userAttributeDefinitions: [{ name: 'ok' }, { name: 'a', type, defaultValue }],
    })
    expect(pointersOf(found)).toEqual(['/userAttributeDefinitions/1/defaultValue'])
  })

  test('is asked of the stored default, where the request brings only one of the two', async () => {
    const define = (more: object) => ({
      embedTenantName: 'both',
      userAttributeDefinitions: [{ name: 'a', ...more }],
    })
    await generate(define({ type: 'number', defaultValue: 1 }))
    for (const [wrong, type] of [
      [{ defaultValue: 'x' }, 'number'],
      [{ type: 'boolean' }, 'boolean'],
    ] as const)
      expect((await errors(define(wrong)))[0]?.message).toContain(`its type is ${type}`)
    expect((await generate(define({ defaultValue: '7' }))).status).toBe(200)
    expect(await attributes({ embedTenantName: 'both' })).toEqual([{ name: 'a', value: 7 }])
  })
})

describe('the limits of definitions', () => {
  // session-groups.test.ts has that of 1,000 groups.
  test('let nobody fill a tenant: 200 attributes', async () => {
    const embedTenantName = 'full'
    const define = (...userAttributeDefinitions: object[]) =>
      generate({ embedTenantName, userAttributeDefinitions })
    for (const prefix of ['a', 'b']) expect((await define(...names(100, prefix))).status).toBe(200)
    const message = 'would bring the number of attributes to 201; the limit is 200'
    const { body } = await define({ name: 'more' })
    expect(body.errors).toEqual([{ pointer: '/userAttributeDefinitions', message }])
    expect((await define({ name: 'a0', description: 'changed' })).status).toBe(200)
    expect((await generate({ embedTenantName }, keys.reader)).status).toBe(200)
  })

  test('and types are reported together with unknown groups', async () => {
    const unfit = { userAttributeDefinitions: [{ name: 'a', type: 'number', defaultValue: 'x' }] }
    const { body } = await generate({ groups: ['none'], ...unfit })
    expect(body.detail).toMatch(/^\/userAttributeDefinitions\/0\/defaultValue .*, and 1 more prob/)
    expect(pointersOf(body.errors)).toEqual([
      '/userAttributeDefinitions/0/defaultValue',
      '/groups/0',
    ])
  })
})
