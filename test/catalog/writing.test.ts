import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { accountKey } from '@embed-access/core/access/keys.ts'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { nameEmbedTenant } from '@embed-access/core/catalog/named-tenants.ts'
import { paced } from '@embed-access/core/catalog/pace.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import {
  acmeDeployment,
  acmeTenant,
  embedTenant,
  folder,
  put,
  revised,
  share,
  tenantGroup,
  without,
} from '../support/catalog.ts'
import {
  apply,
  exported,
  interrupted,
  newTables,
  now,
  outcomesOf,
  quickTables,
  refusing,
  sentBy,
} from '../support/database.ts'
import { contents } from './contents.ts'

test('A change whose answer was lost and that is sent again is applied', async () => {
  const storage = await quickTables()
  const isWrite = (command: object) =>
    command instanceof PutCommand || command instanceof UpdateCommand
  const twice = sentBy(storage, async (command, on) => {
    if (isWrite(command)) await on(command)
    return on(command)
  })
  const changes = [
    { ...acmeDeployment(1), revision: 1 },
    folder(1, 1, null),
    acmeTenant('north', { displayName: 'North' }),
  ]
  expect(await outcomesOf(twice, changes)).toEqual(['applied', 'applied', 'applied'])
})

test('A change is applied though the tombstone that it has read expires meanwhile', async () => {
  const storage = await quickTables()
  const { client, tables } = storage
  const acme = put('account', { id: 'acme', name: 'Acme' })
  await apply(storage, [without(acme)])
  const isPut = (command: object) => command instanceof PutCommand
  const expiring = interrupted(storage, 1, isPut, () =>
    client.send(new DeleteCommand({ TableName: tables.catalog, Key: accountKey('acme') })),
  )
  expect(await outcomesOf(expiring, [acme])).toEqual(['applied'])
  expect(await getItem(storage, 'catalog', accountKey('acme'))).toMatchObject({ name: 'Acme' })
})

test('A change of an embed tenant that the database refuses has failed', async () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' })
  const storage = sentBy(await quickTables(), (command, on) =>
    command instanceof UpdateCommand ? Promise.reject(denied) : on(command),
  )
  const change = acmeTenant('north')
  const failed = { outcome: 'failed', reason: 'AccessDeniedException: no' }
  expect(await apply(storage, [change])).toMatchObject([failed])
  expect(await apply(storage, [{ ...change, revision: 1 }])).toMatchObject([failed])
})

describe('a paced storage', () => {
  /** How long a storage waits that sends so many requests, whose first ones are refused. */
  async function pausesOf(
    refusals: number,
    send: (send: () => Promise<object>) => Promise<unknown>,
    error?: string,
  ): Promise<number[]> {
    let left = refusals
    const answering = sentBy(await quickTables(), async () => ({}))
    const { storage, pauses } = refusing(answering, () => left-- > 0, error)
    const { client } = paced(storage)
    await send(() => client.send(new GetCommand({ TableName: 'x', Key: {} })))
    return pauses
  }

  test('halves its pace each time it is throttled, down to a request in a second', async () => {
    expect(await pausesOf(9, (send) => send())).toEqual([10, 20, 40, 80, 160, 320, 640, 1000, 1000])
  })

  test('becomes a little quicker with each success, and goes at full pace at last', async () => {
    const pauses = await pausesOf(1, async (send) => {
      for (let count = 0; count < 200; count += 1) await send()
    })
    expect(pauses.slice(0, 3)).toEqual([10, 10 * 0.98, 10 * 0.98 * 0.98])
    // 10 ms times 0.98 to the power of 114 is the last interval of a millisecond or more.
    expect(pauses).toHaveLength(115)
  })

  test('is slowed down once by requests that are throttled together', async () => {
    const pauses = await pausesOf(5, (send) => Promise.all(Array.from({ length: 5 }, send)))
    expect([pauses[0], Math.max(...pauses)]).toEqual([10, 10])
  })

  test('waits before it repeats what met a conflict, and keeps its pace', async () => {
    const twice = async (send: () => Promise<object>) => [await send(), await send()]
    expect(await pausesOf(2, twice, 'TransactionConflictException')).toEqual([20, 20])
  })

  test('is that of a writer, which ends, however little the database lets through', async () => {
    let requests = 0
    const { storage, pauses } = refusing(await quickTables(), () => ++requests % 5 !== 0)
    const changes = Array.from({ length: 300 }, (_, index) => folder(1, index, null))
    expect(new Set(await outcomesOf(storage, changes))).toEqual(new Set(['applied']))
    expect(pauses.length).toBeGreaterThan(300)
    expect(Math.max(...pauses)).toBe(1000)
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
    for (const write of writes)
      await expect(storage.client.send(write as never)).rejects.toThrow(/condition/i)
    expect(await exported(storage)).toEqual(before)
  })
})

const isNaming = (command: object) =>
  command instanceof PutCommand && command.input.Item?.kind === 'embedTenant'

const tenantsIn = async (storage: Storage) =>
  (await contents(storage)).filter(({ kind }) => kind === 'embedTenant')

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
])('An embed tenant is there if its writer stops between %s and name', async (_, change) => {
  const storage = await quickTables([acmeDeployment(1)])
  const stopping = refusing(storage, isNaming, 'AccessDeniedException').storage
  const first = revised(1, change)
  expect(await outcomesOf(stopping, [first])).toEqual(['failed'])
  expect(await tenantsIn(storage)).toEqual([])
  expect(await outcomesOf(storage, [first])).toEqual(['skipped'])
  expect(await tenantsIn(storage)).toMatchObject([{ accountId: 'acme', name: 'later' }])
})

test('The embed tenants of a deployment follow it where another account was first', async () => {
  const storage = await quickTables()
  const shared = (name: string) => share(1, 'workbook', 5, embedTenant(name))
  const claim = (accountId: string, revision: number) =>
    revised(revision, put('deployment', { accountId, id: 1, name: 'First' }))
  const tenantsOf = async (account: string) =>
    (await tenantsIn(storage)).flatMap(({ accountId, name }) => (accountId === account ? name : []))
  await apply(storage, [shared('early')])
  await apply(storage, [claim('acme', 5)])
  await apply(storage, [shared('late')])
  expect(await tenantsOf('acme')).toEqual(['early', 'late'])
  const stopping = refusing(storage, isNaming, 'AccessDeniedException').storage
  expect(await outcomesOf(stopping, [claim('other', 3)])).toEqual(['failed'])
  // While a writer names another one, the owner changes.
  const meanwhile = interrupted(storage, 1, isNaming, () => apply(storage, [claim('other', 3)]))
  await apply(meanwhile, [shared('last')])
  expect(await tenantsOf('other')).toEqual(['early', 'last', 'late'])
  expect(await outcomesOf(storage, [claim('acme', 6)])).toEqual(['refused'])
})

test('A deployment names its many tenants side by side, and goes on where it stopped', async () => {
  const storage = await quickTables()
  const names = Array.from({ length: 100 }, (_, index) => `many-${index}`)
  await apply(
    storage,
    names.map((name) => share(1, 'workbook', 5, embedTenant(name))),
  )
  const deployment = acmeDeployment(1)
  let [named, underWay, most] = [0, 0, 0]
  const counted = (until: number) =>
    sentBy(storage, async (command, on) => {
      if (!isNaming(command)) return on(command)
      if (named >= until) throw new Error('The time is over.')
      named += 1
      most = Math.max(most, ++underWay)
      return on(command).finally(() => (underWay -= 1))
    })
  expect(await outcomesOf(counted(60), [deployment])).toEqual(['failed'])
  expect(await outcomesOf(counted(200), [deployment])).toEqual(['applied'])
  expect(await tenantsIn(storage)).toHaveLength(100)
  expect(most).toBeGreaterThan(1)
  // Those that were under way as it stopped may have been named again.
  expect(named).toBeLessThanOrEqual(100 + 32)
  expect(await outcomesOf(counted(0), [deployment])).toEqual(['applied'])
})

test('An embed tenant that only deletions name does not come to exist', async () => {
  const storage = await quickTables()
  const recipient = { type: 'embedUser', embedTenantName: 'never', externalId: 'u' }
  const deletions = [
    share(1, 'workbook', 5, embedTenant('never')),
    put('recipient', { deploymentId: 1, notificationId: 2, recipient }),
  ].map(without)
  await apply(storage, [acmeDeployment(1), ...deletions])
  expect(await tenantsIn(storage)).toEqual([])
})

test('A writer names an embed tenant once, and again after that has failed', async () => {
  const storage = await quickTables()
  let reads = 0
  let isDown = true
  const counting = sentBy(storage, (command, on) => {
    reads += 1
    return isDown ? Promise.reject(new Error('down')) : on(command)
  })
  const writer = { storage: counting, now: () => now, named: new Map() }
  const readsFor = async (deploymentId: number, ...names: string[]) => {
    const before = reads
    await Promise.all(names.map((name) => nameEmbedTenant(writer, deploymentId, name)))
    return reads - before
  }
  await expect(readsFor(5, 'north')).rejects.toThrow('down')
  isDown = false
  for (const [deploymentId, name] of [
    [5, 'north'],
    [5, 'south'],
    [6, 'north'],
  ] as const) {
    expect(await readsFor(deploymentId, name)).toBeGreaterThan(0)
  }
  expect(await readsFor(5, 'north', 'south', 'north')).toBe(0)
})

test('A writer forgets all embed tenants that it has named at 100,000 of them', async () => {
  const storage = await quickTables()
  const known = async () => {}
  const named = new Map(Array.from({ length: 100_000 }, (_, id) => [`1 ${id}`, known] as const))
  await nameEmbedTenant({ storage, now: () => now, named }, 5, 'north')
  expect([...named.keys()]).toEqual(['5 north'])
})

test('A writer whose time is over names no embed tenant any more', async () => {
  const end = new AbortController()
  const sent: string[] = []
  const emptied = sentBy(await quickTables(), async (command) => {
    sent.push(command.constructor.name)
    if (command instanceof BatchGetCommand) end.abort(new Error('over'))
    return {}
  })
  const change = share(5, 'folder', 7, embedTenant('late'))
  const [result] = await catalogWriter(emptied, { now: () => now })([change], end.signal)
  expect(result).toMatchObject({ outcome: 'failed', reason: 'Error: over' })
  await new Promise((resolve) => setImmediate(resolve))
  // It has read the deployment and the note. To write the note would be next.
  expect(sent).toEqual(['GetCommand', 'PutCommand', 'BatchGetCommand'])
})

const account = (name: string) => put('account', { id: 'acme', name })
const group = (revision: number) => revised(revision, tenantGroup('north', 'g'))

test('However late the database reads, a change goes by the newest item', async () => {
  const tables = new MemoryTables()
  const { storage } = tables
  await apply(storage, [account('before')])
  tables.readItemsLate()
  await apply(storage, [account('after')])
  expect(await getItem(storage, 'catalog', accountKey('acme'))).toMatchObject({ name: 'after' })
  expect(await exported(storage)).toEqual([expect.stringContaining('"name":"after"')])
})

test('However late the database reads, an older definition is skipped', async () => {
  const tables = new MemoryTables()
  const { storage } = tables
  await apply(storage, [group(1)])
  tables.readItemsLate()
  await apply(storage, [group(3)])
  const pause = () => Promise.reject(new Error('It met another change.'))
  expect(await outcomesOf({ ...storage, pause }, [group(2)])).toEqual(['skipped'])
})
