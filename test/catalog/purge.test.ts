import { randomBytes } from 'node:crypto'
import { GetCommand, PutCommand, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyUses } from '@embed-access/core/access/api-keys.ts'
import { deploymentKey } from '@embed-access/core/access/keys.ts'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { purge, purgeable } from '@embed-access/core/catalog/purge.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { generateWhile } from '../sessions/past-the-gateway.ts'
import {
  apply,
  exported,
  interrupted,
  itemAt,
  newTables,
  now,
  outcomesOf,
  putItem,
  sentBy,
} from '../support/database.ts'
import { filledMemory } from '../support/filled-tables.ts'
import {
  acmeDeployment,
  acmeGroup,
  acmeTenant,
  allEmbedUsers,
  embedTenant,
  folder,
  people,
  put,
  revised,
  share,
  tenantGroup,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { sessionsOf, tokenStatus } from '../support/sessions.ts'
import { contents, everything } from './contents.ts'

const account = put('account', { id: 'acme', name: 'Acme' })
const deployment = acmeDeployment(1)

/**
 * 120 workbooks and a share in deployment 1, more than a transaction takes; one workbook in
 * deployment 2, both of acme; and one in deployment 9.
 */
const inDeployments = [
  folder(1, 1, null),
  ...Array.from({ length: 120 }, (_, id) => workbook(1, id, { folderId: 1 })),
  share(1, 'folder', 1, allEmbedUsers),
  workbook(2, 1),
  workbook(9, 1),
]

const usersOfAcme = people.filter(
  ({ kind, data }) => kind !== 'deployment' && JSON.stringify(data).includes('"acme"'),
)

let storage: Storage
beforeEach(async () => {
  const inAccount = [acmeTenant('north'), acmeGroup('g')]
  storage = (await filledMemory([...people, ...inDeployments, ...inAccount])).storage
})

const purged = (from = storage, after = 0) => purge(from, () => now + after)

const interruptedAt = (
  n: number,
  kind: new (input: never) => object,
  happens: () => Promise<unknown>,
) => interrupted(storage, n, (command) => command instanceof kind, happens)

describe('a purge', () => {
  test('leaves an item alone that does not say whose it is', async () => {
    const strange = { pk: 'strange', sk: 'record', kind: 'strange' }
    await putItem(storage, 'catalog', strange)
    await apply(storage, [without(account)])
    expect((await purged()).removed).toBeGreaterThan(120)
    expect(await contents(storage)).toContainEqual(strange)
  })

  test.each([
    ['a removal', TransactWriteCommand],
    ['the tombstone of an account', PutCommand],
  ])('ends with the error of %s, unless the owner came back', async (_, kind) => {
    await apply(storage, [without(account)])
    const refusing = interruptedAt(1, kind, () => Promise.reject(new Error('not allowed')))
    await expect(purged(refusing)).rejects.toThrow('not allowed')
  })

  test('removes what is in a deleted deployment, and nothing else', async () => {
    await apply(storage, [without(deployment)])
    const all = await exported(storage)
    expect(await purged()).toMatchObject({ removed: 122 })
    expect(await exported(storage)).toEqual(all.filter((line) => !/"deploymentId":1\b/.test(line)))
    expect(await purged()).toMatchObject({ removed: 0 })
  })

  test('removes the largest items, at most 4 MB of them in a transaction', async () => {
    const large = Array.from({ length: 12 }, (_, id) =>
      workbook(2, 300 + id, { meta: { text: randomBytes(280_000).toString('base64') } }),
    )
    // Only the engine gives a scan page by page.
    const paged = await newTables([
      account,
      acmeDeployment(2),
      ...large,
      without(acmeDeployment(2)),
    ])
    const removed: number[] = []
    const counted = sentBy(paged, (command, on) => {
      if (command instanceof TransactWriteCommand) {
        const keys = command.input.TransactItems?.flatMap(({ Delete }) => Delete?.Key?.pk ?? [])
        removed.push(keys?.filter((pk) => pk.startsWith('2#workbook#3')).length ?? 0)
      }
      return on(command)
    })
    await purged(counted)
    expect(removed.reduce((sum, each) => sum + each)).toBe(12)
    expect(Math.max(...removed)).toBeLessThan(4_000_000 / 390_000)
  })

  test('leaves of an account, byte for byte, only what says that an id is taken', async () => {
    const small = await newTables()
    const name = 'secret'
    const own = { accountId: 'acme', name }
    const ofTenant = { accountId: 'acme', embedTenantName: 'north', name }
    const tenant = acmeTenant('north', { displayName: name })
    const their = put('deployment', { accountId: 'other', id: 3, name: 'Theirs' })
    await apply(small, [
      ...[account, ...usersOfAcme],
      ...['group', 'attributeDefinition'].map((kind) => put(kind, own)),
      revised(2, put('deployment', { ...own, id: 1 })),
      revised(1, put('tenantGroup', ofTenant)),
      put('attributeDefinition', { ...ofTenant, defaultValue: name }),
      revised(4, tenant),
      folder(1, 1, null, name),
      ...[1, 2].map((id) => share(1, 'folder', id, embedTenant('south'))),
      folder(9, 1, null, 'of nobody'),
    ])
    await apiKeyUses()(small, { tokenHash: 'a'.repeat(64), accountId: 'acme' }, now)
    await apply(small, [
      revised(5, without(tenant)),
      revised(6, without(folder(1, 2, null))),
      revised(1, their),
      revised(2, put('deployment', { accountId: 'acme', id: 3, name })),
      revised(7, without(account)),
    ])
    await purged(small)
    expect(await purged(small)).toMatchObject({ removed: 0 })
    const tombstone = (kind: string, pk: string, identity: object, more: object) => ({
      ...{ pk, sk: 'record', kind, deleted: true, identity: JSON.stringify(identity) },
      ...more,
    })
    const expires = { tombstoneExpiresAt: now / 1000 + 90 * 24 * 3600 }
    const of1 = { id: 1, accountId: 'acme' }
    expect(await everything(small)).toEqual([
      tombstone('folder', '1#folder#2', { deploymentId: 1, id: 2 }, { revision: 6, ...expires }),
      expect.objectContaining({ pk: '9#folder#1' }),
      tombstone('account', 'account#acme', { id: 'acme' }, { revision: 7, ...expires }),
      tombstone('deployment', 'deployment#1', of1, { revision: 2, accountId: 'acme' }),
      expect.objectContaining({ pk: 'deployment#3', ...their.data, revision: 1 }),
      tombstone(
        'embedTenant',
        'embedTenant#acme#north',
        { accountId: 'acme', name: 'north' },
        { revision: 5, deletionRevision: 5, accountId: 'acme', name: 'north' },
      ),
    ])
    expect(JSON.stringify(await everything(small))).not.toContain(name)
    const mine = put('deployment', { ...their.data, id: 1 })
    expect(await outcomesOf(small, [mine])).toEqual(['refused'])
  })

  test('leaves a tombstone that came meanwhile, and removes its neighbours', async () => {
    const grant = share(1, 'workbook', 5, embedTenant('east'))
    await apply(storage, [revised(5, grant), without(account)])
    const meanwhile = interruptedAt(1, TransactWriteCommand, () =>
      apply(storage, [revised(9, without(grant))]),
    )
    expect((await purged(meanwhile)).removed).toBeGreaterThan(120)
    expect(await purged()).toMatchObject({ removed: 0 })
    expect(await outcomesOf(storage, [revised(5, grant)])).toEqual(['skipped'])
  })

  test('removes what a deleted account claimed of a deployment that is deleted too', async () => {
    const claimed = put('deployment', { accountId: 'other', id: 3, name: 'claimed' })
    const third = acmeDeployment(3)
    await apply(storage, [revised(1, third)])
    await outcomesOf(storage, [revised(5, claimed)])
    await apply(storage, [revised(9, without(third)), without(put('account', { id: 'other' }))])
    await purged()
    expect(JSON.stringify(await everything(storage))).not.toContain('claimed')
    expect(await purged()).toMatchObject({ removed: 0, left: 0 })
  })

  test('leaves the claims of others beside those of deleted accounts', async () => {
    const claim = (accountId: string, name: string) =>
      revised(5, put('deployment', { accountId, id: 3, name }))
    await apply(storage, [revised(1, acmeDeployment(3))])
    const gone = ['gone', 'gone-too']
    await outcomesOf(storage, [claim('other', 'theirs'), ...gone.map((id) => claim(id, 'purged'))])
    const deletions = gone.map((id) => without(put('account', { id })))
    await apply(storage, deletions)
    await purged()
    const stored = await itemAt(storage, 'catalog', deploymentKey(3))
    const left = { op: 'put', revision: 5, data: expect.objectContaining({ name: 'theirs' }) }
    expect(stored).toMatchObject({ name: 'Deployment 3', others: [left] })
  })

  test('removes as many items as were said before', async () => {
    await apply(storage, [without(deployment)])
    expect(await purgeable(storage)).toEqual([{ kind: 'deployment', id: '1', count: 122 }])
    expect(await purged()).toEqual({ removed: 122, left: 0 })
  })

  test('leaves what is in a deployment that comes back meanwhile', async () => {
    const all = await exported(storage)
    await apply(storage, [without(deployment)])
    const meanwhile = interruptedAt(1, TransactWriteCommand, () => apply(storage, [deployment]))
    expect(await purged(meanwhile)).toMatchObject({ removed: 0 })
    expect(await exported(storage)).toEqual(all)
  })
})

test('a purge ends where a deployment is deleted after its item was read', async () => {
  const gone = without(deployment)
  await purged(interruptedAt(1, GetCommand, () => apply(storage, [gone])))
  expect(await purged()).toMatchObject({ removed: 0 })
  expect(JSON.stringify(await exported(storage))).not.toContain('"deploymentId":1,')
})

test('a writer from before a purge names the tenants of an account that comes back', async () => {
  let time = now
  const write = catalogWriter(storage, { now: () => time })
  const grant = share(1, 'workbook', 5, embedTenant('east'))
  await write([grant])
  await apply(storage, [without(account)])
  await purged()
  time += 60_000
  await write([account, deployment, grant])
  const east = await itemAt(storage, 'catalog', { pk: 'embedTenant#acme#east', sk: 'record' })
  expect(east).toMatchObject({ name: 'east' })
})

test.each<[string, (happens: () => Promise<unknown>) => Promise<unknown>]>([
  [
    'the catalog',
    (happens) =>
      apply(interruptedAt(1, TransactWriteCommand, happens), [tenantGroup('north', 'editors')]),
  ],
  [
    'a session',
    (happens) => {
      const tenantGroupDefinitions = [{ name: 'editors' }]
      const request = { embedTenantName: 'north', creatorMode: true, tenantGroupDefinitions }
      return generateWhile(storage, request, happens)
    },
  ],
])('a tenant that is purged while %s defines a group in it is listed again', async (_, define) => {
  await define(async () => {
    await apply(storage, [without(account)])
    await purged()
  })
  const north = await itemAt(storage, 'catalog', { pk: 'embedTenant#acme#north', sk: 'record' })
  const listed = { embedTenantList: 'acme', order: 'north', createdAt: expect.any(String) }
  expect(north).toMatchObject({ name: 'north', 'group:editors': {}, ...listed })
})

describe('the tombstone of an account', () => {
  const day = 24 * 3600
  const tombstone = async () =>
    (await contents(storage)).find(({ pk, deleted }) => pk === 'account#acme' && deleted === true)

  test('stays until the account is purged, and then for 90 days more', async () => {
    await apply(storage, [without(account)])
    expect(await tombstone()).not.toHaveProperty('tombstoneExpiresAt')
    await purged(storage, 7 * day * 1000)
    expect(await tombstone()).toMatchObject({ tombstoneExpiresAt: now / 1000 + 97 * day })
    await apply(storage, [account])
    const apiKeys = (await exported(storage, 'acme')).filter(
      (line) => JSON.parse(line).kind === 'apiKey',
    )
    expect([await tombstone(), apiKeys]).toEqual([undefined, []])
  })

  test('expires 90 days after the last purge that found something', async () => {
    await apply(storage, [without(account)])
    const expiry = async (after: number) => {
      await purged(storage, after * day * 1000)
      return ((await tombstone())?.tombstoneExpiresAt as number) / day - now / 1000 / day
    }
    expect([await expiry(0), await expiry(1)]).toEqual([90, 90])
    await apply(storage, [acmeGroup('late')])
    expect([await expiry(2), await expiry(3)]).toEqual([92, 92])
  })

  test('expires after a purge too if the account never had anything', async () => {
    const empty = put('account', { id: 'empty', name: 'Empty' })
    await apply(storage, [empty, without(empty)])
    await purged()
    expect(await contents(storage)).toContainEqual(
      expect.objectContaining({ pk: 'account#empty', tombstoneExpiresAt: expect.any(Number) }),
    )
  })

  test('expires too if the account was deleted after its item was read', async () => {
    await purged(interruptedAt(1, GetCommand, () => apply(storage, [without(account)])))
    expect(await tombstone()).toHaveProperty('tombstoneExpiresAt')
  })

  test('stays where something of the account has changed while the purge ran', async () => {
    const group = acmeGroup('g', { description: 'changed' })
    await apply(storage, [without(account)])
    const meanwhile = interruptedAt(1, TransactWriteCommand, () => apply(storage, [group]))
    expect(await purged(meanwhile)).toMatchObject({ left: 1 })
    expect(await tombstone()).not.toHaveProperty('tombstoneExpiresAt')
    expect(await purged()).toMatchObject({ removed: 1, left: 0 })
    expect(await tombstone()).toHaveProperty('tombstoneExpiresAt')
  })

  test('is left alone where the account comes back meanwhile', async () => {
    await apply(storage, [without(account)])
    await purged(interruptedAt(1, PutCommand, () => apply(storage, [account])))
    expect(await contents(storage)).toContainEqual({
      ...{ pk: 'account#acme', sk: 'record', kind: 'account' },
      ...account.data,
    })
  })

  test('stays where the account is deleted while the purge runs', async () => {
    const meanwhile = interruptedAt(2, ScanCommand, () => apply(storage, [without(account)]))
    expect(await purged(meanwhile)).toMatchObject({ removed: 0 })
    expect(await tombstone()).not.toHaveProperty('tombstoneExpiresAt')
    expect((await purged()).removed).toBeGreaterThan(120)
  })
})

describe('the next account of an id', () => {
  const service = world(undefined, { isInMemory: true })

  test('is not open to tokens and sessions of the account that was purged', async () => {
    const { newToken, newSession, redeem } = sessionsOf(service)
    const endUser = { externalId: 'u-1', embedTenantName: 'north' }
    const tokens = [await newToken(endUser), await newToken({ internalId: 'ada' })]
    const waiting = await newSession(endUser)
    await service.apply([without(account)])
    await purged(service.storage)
    service.now += 60_000
    await service.apply(people)
    tokens.push((await redeem(waiting)).body.token, await newToken(endUser))
    const statuses = tokens.map((token) => tokenStatus(service, token))
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 200])
  })

  test('has nothing in its tokens of the account that was purged', async () => {
    const own = { accountId: 'acme', name: 'region', defaultValue: 'of the former' }
    const tenant = acmeTenant('north')
    await service.apply(
      [own, { ...own, embedTenantName: 'north' }].map((data) => put('attributeDefinition', data)),
    )
    await service.apply([without(tenant), without(account)])
    await purged(service.storage)
    service.now += 60_000
    await service.apply(people)
    const { dryRun } = sessionsOf(service)
    for (const request of [{}, { embedTenantName: 'north' }]) {
      const { status, body } = await dryRun(request)
      expect([status, body.claims.userAttributes]).toEqual([200, undefined])
    }
  })
})
