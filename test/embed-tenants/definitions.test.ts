import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import {
  definitionsIn,
  definitionsKey,
  embedTenantKey,
  maxEmbedTenantBytes,
} from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { cancelling, interrupted } from '../support/database.ts'
import { admin, keys, put, revised, without, world } from '../support/service.ts'
import { embedTenantOf } from './embed-tenant-of.ts'

const service = world()

const generate = (request: object, query = '') =>
  service.post(`/api/v1/embed/generate-session${query}`, { key: keys.admin, body: { deploymentId: 1, ...request } })

/** Generates a session over this storage. */
function generateOver(storage: Storage, request: object) {
  const limits = { issuer: 'x', audience: 'x', lifetimeSeconds: 60, maxTokenBytes: 7168 }
  const recent = recentLookups(() => service.now)
  return generateSession(storage, admin, { deploymentId: 1, ...request }, service.now, limits, recent)
}

/** What is stored of a tenant, or of the account's own definitions. */
async function stored(name?: string): Promise<Record<string, unknown>> {
  const get = { TableName: service.storage.tables.catalog, Key: definitionsKey('acme', name), ConsistentRead: true }
  return (await service.storage.client.send(new GetCommand(get))).Item ?? {}
}

const tenant = async (name: string) => embedTenantOf((await stored(name)) as never)
const claims = async (request: object) => (await generate(request, '?dryRun=true')).body.claims

const change = (name: string, more: object = {}) => put('embedTenant', { accountId: 'acme', name, ...more })
const group = (embedTenantName: string, name: string, more: object = {}) =>
  put('tenantGroup', { accountId: 'acme', embedTenantName, name, ...more })

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

describe('the definitions of an embed tenant', () => {
  test('are all kept of 100 sessions at once, while the catalog changes others', async () => {
    const [inGroups, inAttributes, inCatalog] = [names(50, 'g'), names(50, 'a'), names(50, 'c')]
    const creator = { creatorMode: true, embedTenantName: 'busy' }
    const [replies] = await Promise.all([
      Promise.all([
        ...inGroups.map((name) => generate({ ...creator, tenantGroupDefinitions: [{ name }], tenantGroups: [name] })),
        ...inAttributes.map((name) => generate({ embedTenantName: 'busy', userAttributeDefinitions: [{ name }] })),
      ]),
      service.apply(inCatalog.map((name) => group('busy', name))),
      service.apply([change('busy', { displayName: 'Busy' })]),
    ])
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    const { displayName, groups = [], attributes = [] } = (await tenant('busy')) ?? {}
    expect(displayName).toBe('Busy')
    expect(groups.map(({ name }) => name)).toEqual([...inGroups, ...inCatalog].sort())
    expect(attributes.map(({ name }) => name)).toEqual(inAttributes.sort())
  })

  test('wait their turn where another transaction has the item', async () => {
    const request = (embedTenantName: string) => ({ embedTenantName, userAttributeDefinitions: [{ name: 'a' }] })
    const some = cancelling(service.storage, 6, 'None', 'TransactionConflict')
    await generateOver(some.storage, request('contended'))
    expect(some.pauses).toHaveLength(6)
    expect((await tenant('contended'))?.attributes).toEqual([{ name: 'a' }])

    const endless = cancelling(service.storage, Number.POSITIVE_INFINITY, 'None', 'TransactionConflict')
    const attempt = generateOver(endless.storage, request('never'))
    await expect(attempt).rejects.toMatchObject({ name: 'ThrottlingException' })
    expect(endless.pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(10_000)
    expect(await stored('never')).toEqual({})
  })

  test('take little room once they are gone', async () => {
    await service.apply([change('gone')])
    const size = async () => JSON.stringify(await stored('gone')).length
    const before = await size()
    const groups = names(60, 'g').map((name) => group('gone', name))
    await service.apply(groups.map((each) => ({ ...each, revision: 1 })))
    await service.apply(groups.map((each) => ({ ...without(each), revision: 2 })))
    expect(await size()).toBe(before)
    await service.apply([{ ...group('gone', 'g1'), revision: 1 }])
    expect((await tenant('gone'))?.groups).toEqual([])
  })

  test('count for nothing while their tenant is deleted, and again when it is back', async () => {
    const back = change('back', { displayName: 'Back' })
    const deleted = (revision: number) => ({ ...without(back), revision })
    await service.apply([{ ...back, revision: 1 }, group('back', 'kept'), deleted(2)])
    expect(await tenant('back')).toBeUndefined()
    const path = '/api/v1/deployments/1/embed-tenants/back/workbooks'
    expect((await service.get(path, { key: keys.admin })).status).toBe(404)
    const creator = { creatorMode: true, embedTenantName: 'back', tenantGroups: ['kept'] }
    expect((await generate(creator)).status).toBe(200)
    expect(await tenant('back')).toMatchObject({ name: 'back', groups: [{ name: 'kept' }] })
    await service.apply([deleted(2)])
    expect((await tenant('back'))?.name).toBe('back')
    await service.apply([deleted(3)])
    expect(await tenant('back')).toBeUndefined()
  })

  test('have the revision that the catalog knows, whatever sessions do', async () => {
    const g = group('revised', 'g', { description: 'first' })
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
    expect(await groupsAfter(put5, delete4)).toEqual([{ name: 'g', description: 'of a session', revision: 5 }])
    expect(await groupsAfter(delete6)).toEqual([])
    await define('again')
    expect(await groupsAfter(put5, delete6)).toEqual([{ name: 'g', description: 'again' }])
    const last = group('revised', 'g', { description: 'last' })
    expect(await groupsAfter(last)).toEqual([{ name: 'g', description: 'last', revision: 6 }])
  })

  test('are the account’s own where no tenant is named, with those of the catalog', async () => {
    const plans = async (request: object) => (await claims(request)).userAttributes
    const data = { accountId: 'acme', name: 'plan', type: 'number', defaultValue: '5', displayName: 'Plan' }
    const ofTenant = { ...data, embedTenantName: 'typed', type: 'string_array', defaultValue: ['a', 'b'] }
    const plan = put('attributeDefinition', data)
    await service.apply([plan])
    expect(await plans({})).toEqual([{ name: 'plan', value: 5 }])
    expect(await plans({ embedTenantName: 'untyped' })).toBeUndefined()
    await service.apply([put('attributeDefinition', ofTenant), without(plan)])
    expect(await plans({})).toBeUndefined()
    expect(definitionsIn(await stored()).attributes).toEqual([])
    expect(await plans({ embedTenantName: 'typed' })).toEqual([{ name: 'plan', value: ['a', 'b'] }])
  })
})

describe('an embed tenant that a session names', () => {
  /** Generates a session, while something else happens just before it is written. */
  const generateWhile = (request: object, happens: () => Promise<unknown>) => {
    const isWrite = (command: object) => command instanceof TransactWriteCommand
    return generateOver(interrupted(service.storage, 1, isWrite, happens), request)
  }
  const storeTenant = (name: string, more: object) => {
    const Item = {
      ...embedTenantKey('acme', name),
      kind: 'embedTenant',
      accountId: 'acme',
      name,
      version: 'v',
      ...more,
    }
    return service.storage.client.send(new PutCommand({ TableName: service.storage.tables.catalog, Item }))
  }

  test('comes to exist, and keeps its display name until another one is given', async () => {
    for (const [given, displayName] of [
      [undefined, undefined],
      ['North', 'North'],
      [undefined, 'North'],
      ['The North', 'The North'],
    ]) {
      await generate({ embedTenantName: 'north', ...(given && { embedTenantProfile: { displayName: given } }) })
      const { kind, accountId, name, ...own } = await stored('north')
      expect([kind, accountId, name, own.displayName]).toEqual(['embedTenant', 'acme', 'north', displayName])
    }
  })

  test('is not written by a session that says nothing new of it', async () => {
    const request = {
      creatorMode: true,
      embedTenantName: 'still',
      embedTenantProfile: { displayName: 'Still' },
      tenantGroupDefinitions: [{ name: 'g', description: 'G' }],
      userAttributeDefinitions: [{ name: 'a', defaultValue: 'v' }],
    }
    await generate(request)
    const { version, tenantVersion } = await stored('still')
    expect([version, tenantVersion]).toEqual([expect.any(String), version])
    await generate(request)
    await generate({ embedTenantName: 'still' })
    expect(await stored('still')).toMatchObject({ version, tenantVersion })
  })

  test('has another version when its name changes, and not when its definitions do', async () => {
    const storedAfter = async (request: object) => {
      await generate({ creatorMode: true, embedTenantName: 'own', ...request })
      return stored('own')
    }
    const define = (description: string) => storedAfter({ tenantGroupDefinitions: [{ name: 'g', description }] })
    const [first, second] = [await define('one'), await define('two')]
    expect(second.version).not.toBe(first.version)
    expect(second.tenantVersion).toBe(first.tenantVersion)
    const third = await storedAfter({ embedTenantProfile: { displayName: 'Own' } })
    expect(third.tenantVersion).not.toBe(first.tenantVersion)
    expect(third.tenantVersion).toBe(third.version)
  })

  test('that was deleted is there again, with its name, as another tenant', async () => {
    const again = change('again', { displayName: 'Again' })
    await service.apply([again, without(again)])
    expect((await stored('again')).deleted).toBe(true)
    await generate({ embedTenantName: 'again' })
    expect(await stored('again')).toMatchObject({ name: 'again' })
    for (const gone of ['deleted', 'identity']) expect(await stored('again')).not.toHaveProperty(gone)
  })

  test('keeps what a definition had where a session sends null for it', async () => {
    const define = (field: object) =>
      generate({ embedTenantName: 'nulls', userAttributeDefinitions: [{ name: 'a', ...field }] })
    await define({ description: 'd', defaultValue: 'v' })
    await define({ description: null, displayName: 'A' })
    expect((await stored('nulls'))['attribute:a']).toEqual({ description: 'd', defaultValue: 'v', displayName: 'A' })
  })

  test('keeps what another session brings to the same definition at the same moment', async () => {
    const define = (field: object) => ({ embedTenantName: 'both', userAttributeDefinitions: [{ name: 'a', ...field }] })
    await generate(define({ defaultValue: 'v' }))
    await generateWhile(define({ displayName: 'A' }), () => generate(define({ description: 'first' })))
    expect((await stored('both'))['attribute:a']).toEqual({ defaultValue: 'v', displayName: 'A', description: 'first' })
  })

  test('is there after a session that names it, though the catalog deletes it', async () => {
    const leaving = change('leaving', { displayName: 'Leaving' })
    await service.apply([leaving])
    const request = { embedTenantName: 'leaving', embedTenantProfile: { displayName: 'Staying' } }
    await generateWhile(request, () => service.apply([without(leaving)]))
    expect(await stored('leaving')).toMatchObject({ displayName: 'Staying' })
    expect(await stored('leaving')).not.toHaveProperty('deleted')
  })

  test('takes no more definitions once all that it has take as much as an item can hold', async () => {
    await storeTenant('full', { 'group:large': { description: 'x'.repeat(maxEmbedTenantBytes) } })
    const more = { creatorMode: true, embedTenantName: 'full', tenantGroupDefinitions: [{ name: 'small' }] }
    const { status, body } = await generate(more)
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/tenantGroupDefinitions' }]])
  })

  test('is not held back by a default that is stored and does not fit its type', async () => {
    await storeTenant('old', { 'attribute:a': { type: 'number', defaultValue: 'many' } })
    await generate({ embedTenantName: 'old', userAttributeDefinitions: [{ name: 'b', defaultValue: 'v' }] })
    expect((await stored('old'))['attribute:b']).toEqual({ defaultValue: 'v' })
  })

  test('is needed for nothing: a session without one writes nothing to the catalog', async () => {
    const before = await stored()
    expect((await generate({ externalId: 'u' })).status).toBe(200)
    expect(await stored()).toEqual(before)
  })
})
