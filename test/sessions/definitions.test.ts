import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { describe, expect, test } from 'vitest'
import { put } from '../support/catalog.ts'
import { keys, people, world } from '../support/service.ts'

const path = '/api/v1/embed/generate-session'

const names = (count: number, prefix: string, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, ...more }))

/** An admin whose key is scoped to the very deployment that the tests are about. */
const scopedHere = 'sk-test-scoped-here'

const world1 = () =>
  world([
    ...people,
    put('apiKey', { accountId: 'acme', tokenHash: hashOfApiKey(scopedHere), userId: 1, name: 'x', deploymentIds: [1] }),
  ])

const generating = (service: ReturnType<typeof world>) => {
  const generate = (request: object, key = keys.admin, dry = false) =>
    service.post(dry ? `${path}?dryRun=true` : path, { key, body: { deploymentId: 1, ...request } })
  return {
    generate,
    attributes: async (request: object = {}) => (await generate(request, keys.admin, true)).body.claims.userAttributes,
    errors: async (request: object, key = keys.admin) => {
      const { status, body } = await generate(request, key)
      expect([status, body.code]).toEqual([400, 'invalid_body'])
      return body.errors as { pointer: string; message: string }[]
    },
  }
}

describe('definitions of user attributes in a request', () => {
  const service = world1()
  const { generate, attributes } = generating(service)

  const region = { name: 'region', defaultValue: 'north', displayName: 'Region' }

  test('are created and changed by admins whose key is not scoped, and by nobody else', async () => {
    for (const key of [keys.reader, scopedHere]) {
      for (const more of [{}, { embedTenantName: 'north' }]) {
        const { status, body } = await generate({ userAttributeDefinitions: [region], ...more }, key)
        expect([status, body.code]).toEqual([403, 'definitions_forbidden'])
        expect(body.errors).toEqual([
          { pointer: '/userAttributeDefinitions/0', message: expect.stringContaining('region') },
        ])
      }
    }
    expect(await attributes()).toBeUndefined()
    const unmade = await service.get('/api/v1/deployments/1/embed-tenants/north/workbooks', { key: keys.admin })
    expect(unmade.status).toBe(404)
    expect((await generate({ userAttributeDefinitions: [region] })).status).toBe(200)
    expect(await attributes()).toEqual([{ name: 'region', value: 'north' }])
  })

  test('that equal the stored ones may be sent by everybody, all of their fields or some', async () => {
    const embedTenantName = 'equal'
    await generate({ embedTenantName, userAttributeDefinitions: [region] })
    for (const key of [keys.reader, scopedHere]) {
      for (const definition of [
        region,
        { name: 'region' },
        { name: 'region', defaultValue: 'north', description: null },
      ]) {
        const { status } = await generate({ embedTenantName, userAttributeDefinitions: [definition] }, key)
        expect([definition, status]).toEqual([definition, 200])
      }
      for (const change of [
        { defaultValue: '*' },
        { displayName: 'Other' },
        { description: 'new' },
        { type: 'string' },
      ]) {
        const sent = [region, { name: 'tier' }, { ...region, ...change }].slice(1)
        const { status, body } = await generate({ embedTenantName, userAttributeDefinitions: sent }, key)
        expect([change, status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
          change,
          403,
          ['/userAttributeDefinitions/0', '/userAttributeDefinitions/1'],
        ])
        expect(body.detail).toContain('"tier", "region"')
      }
    }
    expect(await attributes({ embedTenantName })).toEqual([{ name: 'region', value: 'north' }])
  })

  test('are not made by an embed token of an admin', async () => {
    const embedTenantName = 'browsers'
    await generate({ embedTenantName, userAttributeDefinitions: [region] })
    const { body } = await generate({ internalId: 'ada' })
    const { token } = (await service.post('/api/v1/embed/session/token', { body })).body
    const reply = await service.post(path, {
      authorization: `Bearer ${token}`,
      body: { deploymentId: 1, embedTenantName, userAttributeDefinitions: [{ ...region, defaultValue: '*' }] },
    })
    expect(reply.status).toBe(403)
    expect(await attributes({ embedTenantName })).toEqual([{ name: 'region', value: 'north' }])
  })

  test('are refused in a dry run too; groups and profiles stay open to readers', async () => {
    const dry = await generate({ userAttributeDefinitions: [{ name: 'new' }] }, keys.reader, true)
    expect([dry.status, dry.body.code]).toEqual([403, 'definitions_forbidden'])
    const creator = { creatorMode: true, embedTenantName: 'open', embedTenantProfile: { displayName: 'Open' } }
    const groups = { tenantGroups: ['a'], tenantGroupDefinitions: [{ name: 'a', description: 'A' }] }
    expect((await generate({ ...creator, ...groups }, keys.reader)).status).toBe(200)
  })
})

describe('the type of a definition', () => {
  const { generate, attributes, errors } = generating(world1())

  test('is what its default has to fit, as a value or as its text', async () => {
    const fitting: [string | undefined, unknown, unknown][] = [
      [undefined, '5', '5'],
      ['string', 'true', 'true'],
      ['number', '5', 5],
      ['number', -0.5, -0.5],
      ['boolean', 'false', false],
      ['boolean', true, true],
      ['string_array', '["a","b"]', ['a', 'b']],
      ['string_array', [], []],
      ['number_array', [1, 2], [1, 2]],
    ]
    for (const [index, [type, defaultValue, value]] of fitting.entries()) {
      const embedTenantName = `fits-${index}`
      const definition = { name: 'a', type, defaultValue }
      expect((await generate({ embedTenantName, userAttributeDefinitions: [definition] })).status).toBe(200)
      expect(await attributes({ embedTenantName })).toEqual([{ name: 'a', value }])
      // What was sent is what is stored, in either form.
      const again = await generate({ embedTenantName, userAttributeDefinitions: [definition] }, keys.reader)
      expect([definition, again.status]).toEqual([definition, 200])
    }
    const unfit: [string | undefined, unknown][] = [
      [undefined, 5],
      ['string', 5],
      ['number', 'five'],
      ['number', '9007199254740993'],
      ['number', ''],
      ['boolean', 'maybe'],
      ['string_array', 'a'],
      ['string_array', '[1]'],
      ['number_array', '["1"]'],
      ['number_array', '[1e999]'],
    ]
    for (const [type, defaultValue] of unfit) {
      const found = await errors({ userAttributeDefinitions: [{ name: 'ok' }, { name: 'a', type, defaultValue }] })
      expect([type, defaultValue, found.map(({ pointer }) => pointer)]).toEqual([
        type,
        defaultValue,
        ['/userAttributeDefinitions/1/defaultValue'],
      ])
    }
    expect((await errors({ userAttributeDefinitions: [{ name: 'a', type: 'date' }] }))[0]?.pointer).toBe(
      '/userAttributeDefinitions/0/type',
    )
  })

  test('is asked of the stored default, where the request brings only one of the two', async () => {
    const embedTenantName = 'both'
    const define = (more: object) => ({ embedTenantName, userAttributeDefinitions: [{ name: 'a', ...more }] })
    await generate(define({ type: 'number', defaultValue: 1 }))
    expect((await errors(define({ defaultValue: 'x' })))[0]?.message).toContain('its type is number')
    expect((await errors(define({ type: 'boolean' })))[0]?.message).toContain('its type is boolean')
    expect((await generate(define({ defaultValue: '7' }))).status).toBe(200)
    expect(await attributes({ embedTenantName })).toEqual([{ name: 'a', value: 7 }])
  })
})

describe('the limits of definitions', () => {
  const service = world1()
  const { generate, attributes, errors } = generating(service)
  const pointers = async (request: object, key?: string) => (await errors(request, key)).map(({ pointer }) => pointer)

  test('hold for each field, to the character', async () => {
    const [ok, long] = [500, 501].map((length) => 'x'.repeat(length))
    const creator = { creatorMode: true, embedTenantName: 'fields' }
    expect(
      await pointers({
        ...creator,
        embedTenantProfile: { displayName: 'x'.repeat(201) },
        tenantGroupDefinitions: [{ name: 'a', description: long }],
        userAttributeDefinitions: [
          { name: 'a', description: long, displayName: 'x'.repeat(201), defaultValue: long },
          { name: 'b', type: 'string_array', defaultValue: ['x'.repeat(497)] },
        ],
      }),
    ).toEqual([
      '/embedTenantProfile/displayName',
      '/tenantGroupDefinitions/0/description',
      '/userAttributeDefinitions/0/defaultValue',
      '/userAttributeDefinitions/0/description',
      '/userAttributeDefinitions/0/displayName',
      '/userAttributeDefinitions/1/defaultValue',
    ])
    const most = {
      ...creator,
      embedTenantProfile: { displayName: 'x'.repeat(200) },
      tenantGroupDefinitions: [{ name: 'a', description: ok }],
      userAttributeDefinitions: [{ name: 'a', description: ok, displayName: 'x'.repeat(200), defaultValue: ok }],
    }
    expect((await generate(most)).status).toBe(200)
  })

  test('let nobody fill a tenant so that others fail: 1,000 groups and 200 attributes', async () => {
    const creator = { creatorMode: true, embedTenantName: 'full' }
    for (let part = 0; part < 10; part += 1) {
      const tenantGroupDefinitions = names(100, `g${part}-`)
      const userAttributeDefinitions = part < 2 ? names(100, `a${part}-`) : []
      expect((await generate({ ...creator, tenantGroupDefinitions, userAttributeDefinitions })).status).toBe(200)
    }
    const [group] = await errors({ ...creator, tenantGroupDefinitions: [{ name: 'more' }] })
    expect(group).toEqual({ pointer: '/tenantGroupDefinitions', message: expect.stringContaining('the limit is 1000') })
    const [attribute] = await errors({ ...creator, userAttributeDefinitions: [{ name: 'more' }] })
    expect(attribute).toEqual({
      pointer: '/userAttributeDefinitions',
      message: expect.stringContaining('the limit is 200'),
    })
    const known = {
      ...creator,
      tenantGroups: ['g0-0'],
      tenantGroupDefinitions: [{ name: 'g0-0', description: 'changed' }],
      userAttributeDefinitions: [{ name: 'a0-0', description: 'changed' }],
    }
    expect((await generate(known)).status).toBe(200)
    expect((await generate({ embedTenantName: 'full' }, keys.reader)).status).toBe(200)
  })

  test('keep all defaults together within a quarter of a token', async () => {
    const embedTenantName = 'defaults'
    const define = (defaultValue: string) => ({
      embedTenantName,
      userAttributeDefinitions: [
        { name: 'a', defaultValue: 'x'.repeat(500) },
        { name: 'b', defaultValue },
      ],
    })
    let [fits, tooLong] = [0, 500]
    // 7168 / 4 bytes of token are 1344 bytes of JSON: two defaults of 500 fit, a third one only in part.
    expect((await generate(define('x'.repeat(500)))).status).toBe(200)
    const third = (length: number) => ({
      embedTenantName,
      userAttributeDefinitions: [{ name: 'c', defaultValue: 'x'.repeat(length) }],
    })
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1
      if ((await generate(third(middle), keys.admin, true)).status === 200) fits = middle
      else tooLong = middle
    }
    expect(await pointers(third(tooLong))).toEqual(['/userAttributeDefinitions'])
    expect((await generate(third(fits))).status).toBe(200)
    const bytes = JSON.stringify(await attributes({ embedTenantName })).length
    expect(Math.ceil((bytes * 4) / 3)).toBeLessThanOrEqual(1792)
    expect(Math.ceil(((bytes + 1) * 4) / 3)).toBeGreaterThan(1792)
  })

  test('end in a 400 where all texts together are too large for one item', async () => {
    const creator = { creatorMode: true, embedTenantName: 'large' }
    const part = (index: number) => ({
      ...creator,
      tenantGroupDefinitions: names(20, `g${index}-`, { description: '漢'.repeat(500) }),
    })
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => generate(part(index))))
    expect([...new Set(replies.map(({ status }) => status))].sort()).toEqual([200, 400])
    for (const { body } of replies.filter(({ status }) => status === 400)) {
      expect(body.code).toBe('invalid_body')
      expect(body.errors).toEqual([{ pointer: '/tenantGroupDefinitions', message: expect.stringContaining('bytes') }])
    }
    expect((await generate({ ...creator, embedTenantProfile: { displayName: 'x'.repeat(200) } })).status).toBe(200)
    expect((await generate({ ...creator, externalId: 'other' }, keys.reader)).status).toBe(200)
  })

  test('and types are reported together with unknown groups', async () => {
    expect(
      await pointers({
        groups: ['none'],
        userAttributeDefinitions: [{ name: 'a', type: 'number', defaultValue: 'x' }],
      }),
    ).toEqual(['/userAttributeDefinitions/0/defaultValue', '/groups/0'])
  })
})
