import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { accountAttributesKey, definitionsIn, embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import type { Item, ItemKey } from '@embed-access/core/storage/batch-get.ts'
import { describe, expect, test } from 'vitest'
import { cancelling } from '../support/database.ts'
import { admin, keys, world } from '../support/service.ts'
import { slow } from '../support/time.ts'
import { embedTenantOf } from './embed-tenant-of.ts'

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

describe('the definitions of an embed tenant', () => {
  const service = world()

  const generate = (request: object, key = keys.admin) =>
    service.post('/api/v1/embed/generate-session', { key, body: { deploymentId: 1, ...request } })

  const claims = async (request: object) =>
    (
      await service.post('/api/v1/embed/generate-session?dryRun=true', {
        key: keys.admin,
        body: { deploymentId: 1, ...request },
      })
    ).body.claims

  const itemAt = async (Key: ItemKey) => {
    const TableName = service.storage.tables.catalog
    const { Item } = await service.storage.client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    return Item as Item | undefined
  }

  const tenant = async (name: string) => embedTenantOf(await itemAt(embedTenantKey('acme', name)))

  const tenantGroup = (name: string, more: object = {}) => ({
    kind: 'tenantGroup',
    data: { accountId: 'acme', embedTenantName: 'busy', name, ...more },
  })

  test('are all kept of 100 sessions at once, while the catalog changes others', async () => {
    const creator = { creatorMode: true, embedTenantName: 'busy' }
    const [replies] = await Promise.all([
      Promise.all(
        names(100, 'g').map((name, index) =>
          generate({
            ...creator,
            ...(index % 2 === 0
              ? { tenantGroupDefinitions: [{ name, description: name }], tenantGroups: [name] }
              : { userAttributeDefinitions: [{ name, displayName: name }] }),
          }),
        ),
      ),
      service.apply(names(50, 'c').map((name) => tenantGroup(name, { description: 'of the catalog' }))),
      service.apply([{ kind: 'embedTenant', data: { accountId: 'acme', name: 'busy', displayName: 'Busy' } }]),
    ])
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    const { displayName, groups, attributes } = (await tenant('busy')) ?? { groups: [], attributes: [] }
    expect(displayName).toBe('Busy')
    expect(groups.map(({ name }) => name).sort()).toEqual(
      [...names(100, 'g').filter((_, index) => index % 2 === 0), ...names(50, 'c')].sort(),
    )
    expect(attributes.map(({ name }) => name).sort()).toEqual(
      names(100, 'g')
        .filter((_, index) => index % 2 === 1)
        .sort(),
    )
  })

  test('lose no field when sessions that each bring another field of the same ones race', async () => {
    const fields = [{ description: 'd' }, { displayName: 'n' }, { defaultValue: 'v' }]
    const replies = await Promise.all(
      fields.map((field) =>
        generate({
          embedTenantName: 'fields',
          userAttributeDefinitions: names(60, 'a').map((name) => ({ name, ...(name < 'a3' && field) })),
        }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const { attributes = [] } = (await tenant('fields')) ?? {}
    expect(attributes).toHaveLength(60)
    for (const { name, description, displayName, defaultValue } of attributes) {
      expect([name, description, displayName, defaultValue]).toEqual(
        name < 'a3' ? [name, 'd', 'n', 'v'] : [name, undefined, undefined, undefined],
      )
    }
  })

  test('wait their turn where another transaction has the item', async () => {
    const recent = recentLookups(() => service.now)
    const limits = { issuer: service.issuer, audience: service.issuer, lifetimeSeconds: 60, maxTokenBytes: 7168 }
    const request = { deploymentId: 1, embedTenantName: 'contended', userAttributeDefinitions: [{ name: 'a' }] }
    const some = cancelling(service.storage, 6, 'None', 'TransactionConflict')
    await generateSession(some.storage, admin, request, service.now, limits, recent)
    expect(some.pauses).toHaveLength(6)
    expect((await tenant('contended'))?.attributes).toEqual([{ name: 'a' }])

    const endless = cancelling(service.storage, Number.POSITIVE_INFINITY, 'None', 'TransactionConflict')
    const another = { ...request, embedTenantName: 'never' }
    await expect(generateSession(endless.storage, admin, another, service.now, limits, recent)).rejects.toMatchObject({
      name: 'ThrottlingException',
    })
    expect(endless.pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(10_000)
    expect(await tenant('never')).toBeUndefined()
  })

  // All 1,200 changes are of one item, so they come one after the other.
  test('take little room once they are gone', slow, async () => {
    await service.apply([{ kind: 'embedTenant', data: { accountId: 'acme', name: 'gone' } }])
    const before = JSON.stringify(await itemAt(embedTenantKey('acme', 'gone'))).length
    for (const op of ['put', 'delete']) {
      const changes = names(600, 'g').map((name) => {
        const data = { accountId: 'acme', embedTenantName: 'gone', name }
        return { kind: 'tenantGroup', op, revision: op === 'put' ? 1 : 2, data }
      })
      await service.apply(changes)
    }
    expect(JSON.stringify(await itemAt(embedTenantKey('acme', 'gone'))).length).toBe(before)
    await service.apply([
      { kind: 'tenantGroup', revision: 1, data: { accountId: 'acme', embedTenantName: 'gone', name: 'g1' } },
    ])
    expect((await tenant('gone'))?.groups).toEqual([])
  })

  test('count for nothing while their tenant is deleted, and again when it is back', async () => {
    const data = { accountId: 'acme', name: 'back', displayName: 'Back' }
    await service.apply([
      { kind: 'embedTenant', revision: 1, data },
      { kind: 'tenantGroup', data: { accountId: 'acme', embedTenantName: 'back', name: 'kept' } },
      { kind: 'embedTenant', op: 'delete', revision: 2, data },
    ])
    expect(await tenant('back')).toBeUndefined()
    expect((await service.get('/api/v1/deployments/1/embed-tenants/back/workbooks', { key: keys.admin })).status).toBe(
      404,
    )
    const creator = { creatorMode: true, embedTenantName: 'back', tenantGroups: ['kept'] }
    expect((await generate(creator)).status).toBe(200)
    expect(await tenant('back')).toMatchObject({ name: 'back', groups: [{ name: 'kept' }] })
    await service.apply([{ kind: 'embedTenant', op: 'delete', revision: 2, data }])
    expect((await tenant('back'))?.name).toBe('back')
    await service.apply([{ kind: 'embedTenant', op: 'delete', revision: 3, data }])
    expect(await tenant('back')).toBeUndefined()
  })

  test('have the revision that the catalog knows, whatever sessions do', async () => {
    const data = { accountId: 'acme', embedTenantName: 'revised', name: 'g', description: 'first' }
    const creator = { creatorMode: true, embedTenantName: 'revised' }
    const of = async () => (await tenant('revised'))?.groups
    await service.apply([{ kind: 'tenantGroup', revision: 5, data }])
    await generate({ ...creator, tenantGroupDefinitions: [{ name: 'g', description: 'of a session' }] })
    await service.apply([{ kind: 'tenantGroup', revision: 5, data }])
    await service.apply([{ kind: 'tenantGroup', op: 'delete', revision: 4, data }])
    expect(await of()).toEqual([{ name: 'g', description: 'of a session', revision: 5 }])
    await service.apply([{ kind: 'tenantGroup', op: 'delete', revision: 6, data }])
    expect(await of()).toEqual([])
    await generate({ ...creator, tenantGroupDefinitions: [{ name: 'g', description: 'again' }] })
    await service.apply([
      { kind: 'tenantGroup', revision: 5, data },
      { kind: 'tenantGroup', op: 'delete', revision: 6, data },
    ])
    expect(await of()).toEqual([{ name: 'g', description: 'again' }])
    await service.apply([{ kind: 'tenantGroup', data: { ...data, description: 'last' } }])
    expect(await of()).toEqual([{ name: 'g', description: 'last', revision: 6 }])
  })

  test('are the account’s own where no tenant is named, with those of the catalog', async () => {
    const data = { accountId: 'acme', name: 'plan', type: 'number', defaultValue: '5', displayName: 'Plan' }
    await service.apply([{ kind: 'attributeDefinition', data }])
    expect((await claims({})).userAttributes).toEqual([{ name: 'plan', value: 5 }])
    expect((await claims({ embedTenantName: 'busy' })).userAttributes).toBeUndefined()
    const ofTenant = { ...data, embedTenantName: 'typed', type: 'string_array', defaultValue: ['a', 'b'] }
    await service.apply([{ kind: 'attributeDefinition', data: ofTenant }])
    expect((await claims({ embedTenantName: 'typed' })).userAttributes).toEqual([{ name: 'plan', value: ['a', 'b'] }])
    await service.apply([{ kind: 'attributeDefinition', op: 'delete', data: { accountId: 'acme', name: 'plan' } }])
    expect((await claims({})).userAttributes).toBeUndefined()
    expect(definitionsIn(await itemAt(accountAttributesKey('acme'))).attributes).toEqual([])
    expect((await claims({ embedTenantName: 'typed' })).userAttributes).toEqual([{ name: 'plan', value: ['a', 'b'] }])
  })
})
