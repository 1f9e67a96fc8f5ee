import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { purge } from '@embed-access/core/catalog/purge.ts'
import { isLive } from '@embed-access/core/storage/item.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tenantItem } from '../embed-tenants/embed-tenant-of.ts'
import { exported, itemAt } from '../support/database.ts'
import {
  embeddingAccount,
  embedTenant,
  keys,
  people,
  put,
  revised,
  share,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { generateWhile } from './past-the-gateway.ts'

/** Each account has one admin, with a key of the account's name, and one deployment. */
const accounts = ['few', 'none', 'racing', 'any', 'purged', 'many']
const account = (id: string, more: object = {}) =>
  put('account', { id, name: id, embeddingEnabled: true, ...more })
const deploymentOf = (id: string) => 100 + accounts.indexOf(id)
const whole = (id: string) => embeddingAccount(id, deploymentOf(id))
const service = world([...people, ...accounts.flatMap(whole)])
const { generate, dryRun } = sessionsOf(service)

const naming = (id: string, embedTenantName: string, ask = generate) =>
  ask({ deploymentId: deploymentOf(id), embedTenantName }, `sk-${id}`)
const statusOf = async (id: string, name: string) => (await naming(id, name)).status

const tenant = (accountId: string, name: string, more: object = {}) =>
  put('embedTenant', { accountId, name, ...more })
const counted = async (id: string) =>
  (await itemAt(service.storage, 'catalog', { pk: `embedTenant#${id}`, sk: 'namedBySessions' }))
    ?.count ?? 0

describe('the embed tenants that sessions name', () => {
  test('are as many as the account may have; what the catalog names does not count', async () => {
    await service.apply([account('few', { maxEmbedTenants: 2 }), tenant('few', 'of-catalog')])
    for (const name of ['one', 'one', 'of-catalog', 'two', 'one'])
      expect([name, await statusOf('few', name)]).toEqual([name, 200])
    for (const ask of [generate, dryRun]) {
      expect((await naming('few', 'three', ask)).body).toMatchObject({
        ...{ status: 400, code: 'too_many_embed_tenants' },
        detail: 'The limit of the account is 2 embed tenants that sessions have named.',
        errors: [
          {
            pointer: '/embedTenantName',
            message: 'names no existing embed tenant, and would be one too many',
          },
        ],
      })
    }
    expect(await tenantItem(service.storage, 'three', 'few')).toBeUndefined()
    expect(await statusOf('few', 'two')).toBe(200)
    expect((await generate({ embedTenantName: 'three' }, keys.reader)).status).toBe(200)
    await service.apply([account('few', { maxEmbedTenants: 3 })])
    expect([await statusOf('few', 'three'), await statusOf('few', 'four')]).toEqual([200, 400])
    await service.apply([account('none', { maxEmbedTenants: 0 })])
    expect(await statusOf('none', 'one')).toBe(400)
  })

  test('are not those that the catalog names while the session is written', async () => {
    const happens = () => service.apply([share(1, 'folder', 7, embedTenant('shared'))])
    expect(await generateWhile(service.storage, { embedTenantName: 'shared' }, happens)).toBe(1)
    const item = await tenantItem(service.storage, 'shared')
    expect(item).not.toHaveProperty('namedBySession')
  })

  test('are 10,000 unless the account says otherwise', async () => {
    const Update = {
      TableName: service.storage.tables.catalog,
      Key: { pk: 'embedTenant#many', sk: 'namedBySessions' },
      UpdateExpression: 'SET #count = :count',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':count': 9999 },
    }
    await service.storage.client.send(new UpdateCommand(Update))
    expect([await statusOf('many', 'one'), await statusOf('many', 'two')]).toEqual([200, 400])
  })

  test('are no more when many requests name others at once, and no fewer', async () => {
    await service.apply([account('racing', { maxEmbedTenants: 10 })])
    const names = Array.from({ length: 40 }, (_, index) => `t${index % 20}`)
    const statuses = await Promise.all(names.map((name) => statusOf('racing', name)))
    const made = new Set(names.filter((_, index) => statuses[index] === 200))
    expect([made.size, await counted('racing')]).toEqual([10, 10])
    expect(new Set(statuses)).toEqual(new Set([200, 400]))
  })

  test('are counted while they are there, whoever else puts and deletes them', async () => {
    const step = fc.record({
      by: fc.constantFrom('session', 'put', 'delete', 'old put', 'old delete'),
      name: fc.constantFrom('t1', 't2', 't3'),
    })
    let revision = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), async (steps) => {
        await Promise.all(
          steps.map(async ({ by, name }) => {
            if (by === 'session') return expect(await statusOf('any', name)).toBe(200)
            const change = by.endsWith('put') ? tenant('any', name) : without(tenant('any', name))
            revision += 1
            return service.apply([by.startsWith('old') ? change : revised(revision, change)])
          }),
        )
        const items = await Promise.all(
          ['t1', 't2', 't3'].map((name) => tenantItem(service.storage, name, 'any')),
        )
        expect(await counted('any')).toBe(items.filter((item) => item?.namedBySession).length)
        for (const item of items) if (item?.namedBySession) expect(isLive(item)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('leave no number in an export, and none for the next account after a purge', async () => {
    await service.apply([account('purged', { maxEmbedTenants: 1 })])
    expect([await statusOf('purged', 'one'), await statusOf('purged', 'two')]).toEqual([200, 400])
    const lines = (await exported(service.storage, 'purged')).filter((line) => /Tenant/.test(line))
    expect(lines.sort()).toEqual([
      expect.stringContaining('"maxEmbedTenants":1'),
      expect.stringContaining('"data":{"accountId":"purged","name":"one","createdAt"'),
    ])
    await service.apply([without(account('purged'))])
    await purge(service.storage, () => service.now)
    expect(await counted('purged')).toBe(0)
    // An instance goes by what it knows of the account for five seconds.
    service.now += 5000
    await service.apply([...whole('purged'), account('purged', { maxEmbedTenants: 1 })])
    expect([await statusOf('purged', 'two'), await statusOf('purged', 'three')]).toEqual([200, 400])
  })
})
