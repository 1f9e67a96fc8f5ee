import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { deploymentKey } from '@embed-access/core/access/keys.ts'
import { catalogWriter, checkChanges } from '@embed-access/core/catalog/apply.ts'
import { deploymentsWith } from '@embed-access/core/catalog/explain.ts'
import { itemsOf } from '@embed-access/core/catalog/export.ts'
import { paced } from '@embed-access/core/catalog/pace.ts'
import { newWriter } from '@embed-access/core/catalog/writer.ts'
import { embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { describe, expect, test } from 'vitest'
import { type Change, embedTenant, folder, put, share, without, workbook } from '../support/catalog.ts'
import {
  apply,
  contents,
  exported,
  interrupted,
  newTables,
  now,
  outcomesOf,
  refusing,
  sentBy,
  throttled,
} from '../support/database.ts'

describe('a deployment', () => {
  const named = (name: string, revision?: number) => ({
    ...put('deployment', { accountId: 'acme', id: 1, name }),
    ...(revision !== undefined && { revision }),
  })

  test('stays as its newest revision made it, and is gone once that deletes it', async () => {
    const storage = await newTables()
    const lines = async () => (await exported(storage)).map((line) => JSON.parse(line))
    const since4 = ({ data, ...change }: Change) => ({ ...change, data: { ...data, accountSince: 4 } })
    expect(await outcomesOf(storage, [named('five', 5), named('four', 4), named('five again', 5)])).toEqual([
      'applied',
      'skipped',
      'skipped',
    ])
    expect(await lines()).toEqual([since4(named('five', 5))])
    expect(await outcomesOf(storage, [{ ...without(named('')), revision: 4 }])).toEqual(['skipped'])
    expect(await lines()).toEqual([since4(named('five', 5))])
    expect(await outcomesOf(storage, [named('unrevised'), named('six', 6)])).toEqual(['applied', 'applied'])
    expect(await lines()).toEqual([since4(named('six', 6))])
    expect(await outcomesOf(storage, [{ ...without(named('')), revision: 7 }, named('six', 6)])).toEqual([
      'applied',
      'skipped',
    ])
    expect(await lines()).toMatchObject([{ kind: 'deployment', op: 'delete', revision: 7 }])
  })

  test('is refused to another account, and the reason is told', async () => {
    const storage = await newTables()
    await apply(storage, [named('one')])
    const [result] = await apply(storage, [put('deployment', { accountId: 'other', id: 1, name: 'theirs' })])
    const reason = 'this id belongs to another account, and ids are never reused'
    expect(result).toEqual({ outcome: 'refused', problems: [{ pointer: '/data/accountId', reason }] })
  })

  test('that is deleted is remembered for good, with its account', async () => {
    const storage = await newTables()
    await apply(storage, [named('one'), { kind: 'deployment', op: 'delete', data: { id: 1 } }])
    const get = { TableName: storage.tables.catalog, Key: deploymentKey(1), ConsistentRead: true }
    const { Item } = await storage.client.send(new GetCommand(get))
    expect(Item).toMatchObject({ kind: 'deployment', deleted: true, accountId: 'acme' })
    expect(Item).not.toHaveProperty('tombstoneExpiresAt')
  })
})

test('A change whose answer was lost and that is sent again is applied', async () => {
  const storage = await newTables()
  const isWrite = (command: object) => command instanceof PutCommand || command instanceof UpdateCommand
  const twice = sentBy(storage, async (command, on) => {
    if (isWrite(command)) await on(command)
    return on(command)
  })
  const changes = [
    { ...put('deployment', { accountId: 'acme', id: 1, name: 'One' }), revision: 1 },
    folder(1, 1, null),
    put('embedTenant', { accountId: 'acme', name: 'north', displayName: 'North' }),
  ]
  expect(await outcomesOf(twice, changes)).toEqual(['applied', 'applied', 'applied'])
})

test('A change of an embed tenant that the database refuses has failed', async () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' })
  const storage = sentBy(await newTables(), (command, on) =>
    command instanceof UpdateCommand ? Promise.reject(denied) : on(command),
  )
  const change = put('embedTenant', { accountId: 'acme', name: 'north' })
  const failed = { outcome: 'failed', reason: 'AccessDeniedException: no', retryable: false }
  expect(await apply(storage, [change])).toMatchObject([failed])
  expect(await apply(storage, [{ ...change, revision: 1 }])).toMatchObject([failed])
})

test('A workbook is found in all deployments that have one of its id', async () => {
  const storage = await newTables()
  await apply(storage, [workbook(1, 5), workbook(2, 5), workbook(2, 6), folder(3, 5, null)])
  expect((await deploymentsWith(storage, 5)).toSorted()).toEqual([1, 2])
  expect(await deploymentsWith(storage, 7)).toEqual([])
})

test('Each embed tenant that the changes of one batch name comes to exist', async () => {
  const storage = await newTables()
  const names = ['north', 'south', 'east']
  await apply(storage, [
    put('deployment', { accountId: 'acme', id: 1, name: 'One' }),
    ...names.map((name) => share(1, 'workbook', 5, embedTenant(name))),
  ])
  for (const name of names) {
    const get = { TableName: storage.tables.catalog, Key: embedTenantKey('acme', name), ConsistentRead: true }
    expect((await storage.client.send(new GetCommand(get))).Item).toMatchObject({ name })
  }
})

test('A document that lists carry may have 262,144 bytes, and no more', () => {
  const data = (length: number) => ({
    syncJobId: 'x',
    deploymentId: 1,
    branchName: 'main',
    source: 'github',
    startedAt: '2026-01-01T00:00:00Z',
    status: 'FAILED',
    trigger: 'api',
    errorMessage: 'x'.repeat(length),
  })
  const sized = (bytes: number) => put('dbtSync', data(bytes - JSON.stringify(data(0)).length))
  expect(checkChanges([sized(262_144), sized(262_145)])).toMatchObject([
    { outcome: 'applied' },
    { problems: [{ pointer: '/data', reason: 'the document has 262145 bytes; the limit is 262144' }] },
  ])
})

describe('a paced storage', () => {
  const command = new GetCommand({ TableName: 'x', Key: {} })

  test('halves its pace each time it is throttled, down to a request in five seconds', async () => {
    const answering = sentBy(await newTables(), async () => ({}))
    let refusals = 11
    const { storage, pauses } = throttled(answering, () => refusals-- > 0)
    await paced(storage).client.send(command)
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5000, 5000])
  })

  test('becomes a little quicker with each success, and goes at full pace at last', async () => {
    const answering = sentBy(await newTables(), async () => ({}))
    let refusals = 1
    const { storage, pauses } = throttled(answering, () => refusals-- > 0)
    const { client } = paced(storage)
    for (let count = 0; count < 200; count += 1) await client.send(command)
    expect(pauses.slice(0, 3)).toEqual([10, 10 * 0.98, 10 * 0.98 * 0.98])
    // 10 ms times 0.98 to the power of 114 is the last interval of a millisecond or more.
    expect(pauses).toHaveLength(115)
  })

  test('is slowed down once by requests that are throttled together', async () => {
    const answering = sentBy(await newTables(), async () => ({}))
    let refusals = 5
    const { storage, pauses } = throttled(answering, () => refusals-- > 0)
    const { client } = paced(storage)
    await Promise.all(Array.from({ length: 5 }, () => client.send(command)))
    expect(pauses[0]).toBe(10)
    expect(Math.max(...pauses)).toBe(10)
  })
})

describe('a write without a revision', () => {
  test.each([
    ['deployment', { accountId: 'acme', id: 1 }, 'name'],
    ['folder', { deploymentId: 1, id: 7, parentId: null }, 'name'],
    ['embedTenant', { accountId: 'acme', name: 'north' }, 'displayName'],
    ['tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'g' }, 'description'],
  ])('of a %s is refused if it arrives again after another one', async (kind, identity, field) => {
    const storage = await newTables()
    const writes: object[] = []
    const kept = sentBy(storage, (command, on) => {
      if (/Put|Update|TransactWrite/.test(command.constructor.name)) writes.push(command)
      return on(command)
    })
    await apply(kept, [put(kind, { ...identity, [field]: 'one' })])
    await apply(storage, [put(kind, { ...identity, [field]: 'two' })])
    const before = await exported(storage)
    expect(writes.length).toBeGreaterThan(0)
    for (const write of writes) await expect(storage.client.send(write as never)).rejects.toThrow(/condition/i)
    expect(await exported(storage)).toEqual(before)
  })
})

describe('an item without a version', () => {
  const recipient = put('recipient', { deploymentId: 1, notificationId: 2, recipient: { type: 'user', userId: 3 } })
  const group = put('tenantGroup', { accountId: 'acme', embedTenantName: 'north', name: 'g' })
  test.each([
    ['a deployment', put('deployment', { accountId: 'acme', id: 1, name: 'One' })],
    ['a folder', folder(1, 7, null)],
    ['a deleted folder', without(folder(1, 7, null))],
    ['a recipient', recipient],
    ['a deleted group of an embed tenant', without(group)],
  ])('is changed once and then has one: %s', async (_, change) => {
    const storage = await newTables()
    await apply(storage, [change])
    for await (const { items } of itemsOf(storage)) {
      for (const { version, ...Item } of items) {
        await storage.client.send(new PutCommand({ TableName: storage.tables.catalog, Item }))
      }
    }
    let requests = 0
    const counted = sentBy(storage, (command, on) => {
      requests += 1
      return requests > 20 ? Promise.reject(new Error('without end')) : on(command)
    })
    expect(await outcomesOf(counted, [{ ...change, op: 'put' }])).toEqual(['applied'])
    const items = (await Array.fromAsync(itemsOf(storage))).flatMap((page) => page.items)
    expect(items).toMatchObject([{ version: expect.any(String) }])
  })

  test('is not changed by a writer who read it before another one changed it', async () => {
    const storage = await newTables()
    const Item = { pk: '1#folder#7', sk: 'record', kind: 'folder', deploymentId: 1, id: 7, name: 'Old', parentId: null }
    await storage.client.send(new PutCommand({ TableName: storage.tables.catalog, Item }))
    const isPut = (command: object) => command instanceof PutCommand
    const late = interrupted(storage, 1, isPut, () => apply(storage, [{ ...folder(1, 7, 5, 'Newest'), revision: 9 }]))
    await apply(late, [{ ...folder(1, 7, 6), revision: undefined }])
    expect(await contents(storage)).toMatchObject([{ parentId: 6, revision: 9 }])
  })
})

describe('what is deleted', () => {
  test('is remembered for 90 days, in seconds since the epoch', async () => {
    const storage = await newTables()
    await apply(storage, [folder(1, 7, null), without(folder(1, 7, null))])
    const [tombstone] = await contents(storage)
    expect(tombstone).toMatchObject({ deleted: true, tombstoneExpiresAt: now / 1000 + 90 * 24 * 3600 })
  })
})

test('An embed tenant that a share named is there once its deployment has arrived', async () => {
  const storage = await newTables()
  await apply(storage, [share(5, 'folder', 7, embedTenant('early'))])
  const tenants = async () => (await contents(storage)).filter(({ kind }) => kind === 'embedTenant')
  expect(await tenants()).toEqual([])
  // The note is in the partition of the deployment, which finds it when it arrives.
  const Key = { pk: 'deployment#5', sk: 'embedTenant#early' }
  const { Item } = await storage.client.send(new GetCommand({ TableName: storage.tables.catalog, Key }))
  expect(Item).toMatchObject({ name: 'early' })
  await apply(storage, [put('deployment', { accountId: 'acme', id: 5, name: 'Late' })])
  expect(await tenants()).toMatchObject([{ accountId: 'acme', name: 'early' }])
})

test.each([
  ['share', share(1, 'workbook', 5, embedTenant('later'))],
  [
    'recipient',
    put('recipient', {
      deploymentId: 1,
      notificationId: 2,
      recipient: { type: 'embedUser', embedTenantName: 'later', externalId: 'u' },
    }),
  ],
])('An embed tenant is there after a writer stopped between its %s and its name', async (_, change) => {
  const storage = await newTables()
  await apply(storage, [put('deployment', { accountId: 'acme', id: 1, name: 'First' })])
  const tenants = async () => (await contents(storage)).filter(({ kind }) => kind === 'embedTenant')
  const isNaming = (command: object) => command instanceof PutCommand && command.input.Item?.kind === 'embedTenant'
  const stopping = refusing(storage, 'AccessDeniedException', isNaming).storage
  const revised = { ...change, revision: 1 }
  expect(await outcomesOf(stopping, [revised])).toEqual(['failed'])
  expect(await tenants()).toEqual([])
  expect(await outcomesOf(storage, [revised])).toEqual(['skipped'])
  expect(await tenants()).toMatchObject([{ accountId: 'acme', name: 'later' }])
})

test('An embed tenant that only deletions name does not come to exist', async () => {
  const storage = await newTables()
  const recipient = { type: 'embedUser', embedTenantName: 'never', externalId: 'u' }
  const deletions = [
    share(1, 'workbook', 5, embedTenant('never')),
    put('recipient', { deploymentId: 1, notificationId: 2, recipient }),
  ].map(without)
  await apply(storage, [put('deployment', { accountId: 'acme', id: 1, name: 'First' }), ...deletions])
  expect((await contents(storage)).filter(({ kind }) => kind === 'embedTenant')).toEqual([])
})

test('A writer names an embed tenant once, and again after that has failed', async () => {
  const storage = await newTables()
  let reads = 0
  let isDown = true
  const counting = sentBy(storage, (command, on) => {
    reads += 1
    return isDown ? Promise.reject(new Error('down')) : on(command)
  })
  const writer = newWriter(counting, () => now)
  await expect(writer.nameEmbedTenant(5, 'north')).rejects.toThrow('down')
  isDown = false
  await writer.nameEmbedTenant(5, 'north')
  await writer.nameEmbedTenant(5, 'south')
  const before = reads
  await Promise.all(['north', 'south', 'north'].map((name) => writer.nameEmbedTenant(5, name)))
  expect(reads).toBe(before)
  await writer.nameEmbedTenant(6, 'north')
  expect(reads).toBeGreaterThan(before)
})

test('A writer whose time is over names no embed tenant any more', async () => {
  const end = new AbortController()
  const sent: string[] = []
  const emptied = sentBy(await newTables(), async (command) => {
    sent.push(command.constructor.name)
    end.abort(new Error('over'))
    return {}
  })
  const change = share(5, 'folder', 7, embedTenant('late'))
  const [result] = await catalogWriter(emptied, { now: () => now })([change], end.signal)
  expect(result).toMatchObject({ outcome: 'failed', reason: 'Error: over' })
  await new Promise((resolve) => setImmediate(resolve))
  // It has read the deployment. The note of the name would be next.
  expect(sent).toEqual(['GetCommand'])
})
