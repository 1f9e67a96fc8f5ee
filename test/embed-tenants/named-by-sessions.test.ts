import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/deployment.ts'
import {
  accountAttributesKey,
  embedTenantKey,
  maxEmbedTenantBytes,
} from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { describe, expect, test } from 'vitest'
import { interrupted } from '../support/database.ts'
import { admin, keys, world } from '../support/service.ts'

describe('an embed tenant that a session names', () => {
  const service = world()

  const generate = async (request: object) => {
    const { status } = await service.post('/api/v1/embed/generate-session', {
      key: keys.admin,
      body: { deploymentId: 1, ...request },
    })
    expect(status).toBe(200)
  }

  async function stored(name: string): Promise<Record<string, unknown>> {
    const get = { TableName: service.storage.tables.catalog, Key: embedTenantKey('acme', name), ConsistentRead: true }
    return (await service.storage.client.send(new GetCommand(get))).Item ?? {}
  }

  test('comes to exist, and keeps its display name until another one is given', async () => {
    const named = (displayName?: string) =>
      generate({ embedTenantName: 'north', ...(displayName && { embedTenantProfile: { displayName } }) })
    await named()
    expect(await stored('north')).toMatchObject({ kind: 'embedTenant', accountId: 'acme', name: 'north' })
    expect(await stored('north')).not.toHaveProperty('displayName')
    await named('North')
    expect((await stored('north')).displayName).toBe('North')
    await named()
    expect((await stored('north')).displayName).toBe('North')
    await named('The North')
    expect((await stored('north')).displayName).toBe('The North')
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
    const define = (description: string) =>
      generate({ creatorMode: true, embedTenantName: 'own', tenantGroupDefinitions: [{ name: 'g', description }] })
    await define('one')
    const first = await stored('own')
    await define('two')
    const second = await stored('own')
    expect(second.version).not.toBe(first.version)
    expect(second.tenantVersion).toBe(first.tenantVersion)
    await generate({ embedTenantName: 'own', embedTenantProfile: { displayName: 'Own' } })
    const third = await stored('own')
    expect(third.tenantVersion).not.toBe(first.tenantVersion)
    expect(third.tenantVersion).toBe(third.version)
  })

  test('that was deleted is there again, with its name, as another tenant', async () => {
    const change = { kind: 'embedTenant', data: { accountId: 'acme', name: 'again', displayName: 'Again' } }
    await service.apply([change, { ...change, op: 'delete' }])
    expect((await stored('again')).deleted).toBe(true)
    await generate({ embedTenantName: 'again' })
    const item = await stored('again')
    expect(item).toMatchObject({ name: 'again' })
    expect(item).not.toHaveProperty('deleted')
    expect(item).not.toHaveProperty('identity')
  })

  test('has its definitions audited, each with what it was before', async () => {
    const define = (...userAttributeDefinitions: object[]) =>
      generate({ embedTenantName: 'audited', userAttributeDefinitions })
    await define({ name: 'a', defaultValue: '1' }, { name: 'b', defaultValue: '2' })
    service.logged.length = 0
    await define({ name: 'b', defaultValue: '3' }, { name: 'c' }, { name: 'a', defaultValue: '1' })
    const [event] = service.logged.filter(({ event }) => event === 'definitions.changed')
    const list = 'userAttributeDefinitions'
    expect(event?.changes).toEqual([
      { list, name: 'b', before: { name: 'b', defaultValue: '2' }, after: { name: 'b', defaultValue: '3' } },
      { list, name: 'c', after: { name: 'c' } },
    ])
  })

  /** Makes a session, while something else happens just before it is written. */
  async function generateWhile(request: object, happens: () => Promise<unknown>): Promise<void> {
    const isWrite = (command: object) => command instanceof TransactWriteCommand
    const storage = interrupted(service.storage, 1, isWrite, happens)
    const limits = { issuer: 'x', audience: 'x', lifetimeSeconds: 60, maxTokenBytes: 7168 }
    const recent = recentLookups(() => service.now)
    await generateSession(storage, admin, { deploymentId: 1, ...request }, service.now, limits, recent)
  }

  test('keeps what a definition had where a session sends null for it', async () => {
    const define = (field: object) => ({
      embedTenantName: 'nulls',
      userAttributeDefinitions: [{ name: 'a', ...field }],
    })
    await generate(define({ description: 'd', defaultValue: 'v' }))
    await generate(define({ description: null, displayName: 'A' }))
    expect((await stored('nulls'))['attribute:a']).toEqual({ description: 'd', defaultValue: 'v', displayName: 'A' })
  })

  test('keeps what another session brings to the same definition at the same moment', async () => {
    const define = (field: object) => ({ embedTenantName: 'both', userAttributeDefinitions: [{ name: 'a', ...field }] })
    await generate(define({ defaultValue: 'v' }))
    await generateWhile(define({ displayName: 'A' }), () => generate(define({ description: 'first' })))
    expect((await stored('both'))['attribute:a']).toEqual({ defaultValue: 'v', displayName: 'A', description: 'first' })
  })

  test('is there after a session that names it, though the catalog deletes it', async () => {
    const change = { kind: 'embedTenant', data: { accountId: 'acme', name: 'leaving', displayName: 'Leaving' } }
    await service.apply([change])
    const request = { embedTenantName: 'leaving', embedTenantProfile: { displayName: 'Staying' } }
    await generateWhile(request, () => service.apply([{ ...change, op: 'delete' }]))
    const item = await stored('leaving')
    expect(item.displayName).toBe('Staying')
    expect(item).not.toHaveProperty('deleted')
  })

  test('takes no more definitions once all that it has take as much as an item can hold', async () => {
    const { catalog } = service.storage.tables
    const full = { ...embedTenantKey('acme', 'full'), kind: 'embedTenant', accountId: 'acme', name: 'full' }
    const Item = { ...full, version: 'v', 'group:large': { description: 'x'.repeat(maxEmbedTenantBytes) } }
    await service.storage.client.send(new PutCommand({ TableName: catalog, Item }))
    const more = { creatorMode: true, embedTenantName: 'full', tenantGroupDefinitions: [{ name: 'small' }] }
    const reply = await service.post('/api/v1/embed/generate-session', {
      key: keys.admin,
      body: { deploymentId: 1, ...more },
    })
    expect([reply.status, reply.body.errors]).toMatchObject([400, [{ pointer: '/tenantGroupDefinitions' }]])
  })

  test('is not held back by a default that is stored and does not fit its type', async () => {
    const { catalog } = service.storage.tables
    const old = { ...embedTenantKey('acme', 'old'), kind: 'embedTenant', accountId: 'acme', name: 'old' }
    const Item = { ...old, version: 'v', 'attribute:a': { type: 'number', defaultValue: 'many' } }
    await service.storage.client.send(new PutCommand({ TableName: catalog, Item }))
    await generate({ embedTenantName: 'old', userAttributeDefinitions: [{ name: 'b', defaultValue: 'v' }] })
    expect((await stored('old'))['attribute:b']).toEqual({ defaultValue: 'v' })
  })

  test('is needed for nothing: a session without one writes nothing to the catalog', async () => {
    await generate({ externalId: 'u' })
    const get = { TableName: service.storage.tables.catalog, Key: accountAttributesKey('acme'), ConsistentRead: true }
    expect((await service.storage.client.send(new GetCommand(get))).Item).toBeUndefined()
  })
})
