import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import {
  definitionsIn,
  embedTenantKey,
  maxEmbedTenantBytes,
} from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { sessionGroupBytesIn } from '@embed-access/core/embed-tenants/session-groups.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { embedTenantOf, tenantItem } from '../embed-tenants/embed-tenant-of.ts'
import {
  apply,
  cancelling,
  exported,
  interrupted,
  newTables,
  outcomesOf,
  putItem,
  quickTables,
  sentBy,
} from '../support/database.ts'
import {
  acmeTenant,
  keys,
  put,
  revised,
  tenantAttribute,
  tenantGroup,
  without,
  world,
} from '../support/service.ts'
import { sessionsOf, tokenStatus } from '../support/sessions.ts'
import { slow } from '../support/time.ts'
import { contents } from './contents.ts'

const north = { accountId: 'acme', name: 'north' }
const group = (more: object = {}) => tenantGroup('north', 'g', more)
const ofAccount = (name: string, more: object = {}) =>
  put('attributeDefinition', { accountId: 'acme', name, ...more })

const itemOf = (storage: Storage, name = 'north') => tenantItem(storage, name)

describe('changes of an embed tenant', () => {
  test('are in an export, those of the account itself and of a deleted tenant too', async () => {
    const storage = await quickTables([
      revised(2, ofAccount('plan', { defaultValue: 'basic' })),
      ofAccount('tier'),
      revised(1, put('embedTenant', north)),
      revised(1, group({ description: 'r1' })),
      revised(1, tenantAttribute('north', 'a1')),
      revised(2, without(put('embedTenant', north))),
      revised(5, without(ofAccount('gone'))),
    ])
    const lines = await exported(storage, 'acme')
    expect(lines).toHaveLength(6)
    const copy = await quickTables(lines.map((line) => JSON.parse(line)))
    expect(await contents(copy)).toEqual(await contents(storage))
    await apply(copy, [revised(3, put('embedTenant', north))])
    expect(embedTenantOf(await itemOf(copy))?.groups).toEqual([
      { name: 'g', description: 'r1', revision: 1 },
    ])
  })
})

describe('a definition that a session made again', () => {
  const service = world()

  test('is in a copy of the catalog too, which knows as much of revisions', async () => {
    const again = tenantGroup('again', 'g')
    await service.apply([revised(1, again), revised(5, without(again))])
    const tenantGroupDefinitions = [{ name: 'g' }]
    const creator = { creatorMode: true, embedTenantName: 'again', tenantGroupDefinitions }
    expect((await sessionsOf(service).generate(creator, keys.reader)).status).toBe(200)
    const copy = await quickTables()
    for (const line of await exported(service.storage)) await apply(copy, [JSON.parse(line)])
    expect(definitionsIn(await itemOf(copy, 'again')).groups).toEqual([{ name: 'g', revision: 5 }])
    const late = [4, 5].flatMap((revision) => [
      revised(revision, again),
      revised(revision, without(again)),
    ])
    for (const storage of [copy, service.storage]) {
      expect(await outcomesOf(storage, late)).toEqual(late.map(() => 'skipped'))
    }
  })
})

describe('what sessions have defined', () => {
  const service = world()
  const { generate, dryRun, newToken } = sessionsOf(service)
  const name = 'ended'
  const deletion = without(acmeTenant(name))
  const define = (group: string) =>
    generate({
      embedTenantName: name,
      creatorMode: true,
      tenantGroupDefinitions: [{ name: group }],
      userAttributeDefinitions: [{ name: 'region', defaultValue: group }],
    })
  const definitions = async () => definitionsIn(await itemOf(service.storage, name))
  const nothing = { groups: [], attributes: [] }

  test('ends with its embed tenant, and what the catalog has defined is kept', async () => {
    await define('s')
    const tier = tenantAttribute(name, 'tier', { defaultValue: 'basic' })
    await service.apply([tenantGroup(name, 'c'), revised(1, tier)])
    await service.apply([revised(4, deletion)])
    const kept = await definitions()
    expect(kept).toMatchObject({ groups: [{ name: 'c' }], attributes: [{ name: 'tier' }] })
    expect(sessionGroupBytesIn(await itemOf(service.storage, name))).toBe(0)
    const { claims } = (await dryRun({ embedTenantName: name })).body
    expect(claims.userAttributes).toEqual([{ name: 'tier', value: 'basic' }])
    expect(await outcomesOf(service.storage, [revised(3, deletion)])).toEqual(['skipped'])
  })

  test('ends with its tenant, however much it is, and so do the tokens', slow, async () => {
    const many = 'many'
    const named = (start: number) =>
      Array.from({ length: 100 }, (_, index) => ({ name: `${start + index}` }))
    const define = (more: object, key: string) =>
      generate({ embedTenantName: many, creatorMode: true, ...more }, key)
    const ofOthers = [{ name: 'of a reader' }]
    await define({ tenantGroupDefinitions: ofOthers }, keys.reader)
    await service.apply([tenantGroup(many, 'of the catalog')])
    const described = [{ name: 'of the catalog', description: 'by a reader' }]
    await define({ tenantGroupDefinitions: described }, keys.reader)
    for (let start = 0; start < 900; start += 100) {
      const userAttributeDefinitions = start < 200 ? named(start) : undefined
      const request = { tenantGroupDefinitions: named(start), userAttributeDefinitions }
      expect((await define(request, keys.admin)).status).toBe(200)
    }
    const token = await newToken({ embedTenantName: many })
    expect(await outcomesOf(service.storage, [without(acmeTenant(many))])).toEqual(['applied'])
    const left = await itemOf(service.storage, many)
    expect(definitionsIn(left)).toEqual({ groups: described, attributes: [] })
    const stored = left?.['group:of the catalog'] as { bytes: number } | undefined
    expect([left?.deleted, sessionGroupBytesIn(left)]).toEqual([true, stored?.bytes])
    expect(await tokenStatus(service, token)).toBe(401)
  })

  test.each([undefined, 1])(
    'in a group of the catalog of revision %s stays, since it is the catalog’s',
    async (revision) => {
      const again = `described-${revision}`
      await service.apply([{ ...tenantGroup(again, 'g'), revision }])
      const tenantGroupDefinitions = [{ name: 'g', description: 'session' }]
      const request = { embedTenantName: again, creatorMode: true, tenantGroupDefinitions }
      await generate(request, keys.reader)
      await service.apply([without(acmeTenant(again))])
      const { groups } = definitionsIn(await itemOf(service.storage, again))
      expect(groups).toMatchObject([{ name: 'g', description: 'session' }])
    },
  )

  test.each([undefined, 9])(
    'ends too if it comes just before the deletion, of revision %s',
    async (revision) => {
      const again = `ended-${revision}`
      const request = { embedTenantName: again, creatorMode: true }
      const meanwhile = interrupted(service.storage, 1, isTransaction, () =>
        generate({ ...request, tenantGroupDefinitions: [{ name: 's' }] }),
      )
      const change = without(acmeTenant(again))
      expect(await outcomesOf(meanwhile, [{ ...change, revision }])).toEqual(['applied'])
      expect(definitionsIn(await itemOf(service.storage, again))).toEqual(nothing)
    },
  )
})

const isTransaction = (command: object) => command instanceof TransactWriteCommand

test.each(['ConditionalCheckFailed', 'ValidationError', 'TransactionConflict'])(
  'A definition is written again after %s, with waits',
  async (code) => {
    const storage = await newTables()
    const racing = cancelling(storage, 9, 'None', code)
    expect(await outcomesOf(racing.storage, [group()])).toEqual(['applied'])
    expect(racing.pauses).toEqual(Array(9).fill(20))
    expect(embedTenantOf(await itemOf(storage))?.groups).toMatchObject([{ name: 'g' }])
  },
)

test('A definition whose write is cancelled for another reason has failed, at once', async () => {
  const { storage, pauses } = cancelling(await newTables(), 1, 'None', 'AccessDenied')
  expect(await apply(storage, [group()])).toMatchObject([
    { outcome: 'failed', reason: 'TransactionCanceledException: no' },
  ])
  expect(pauses).toEqual([])
})

test.each([
  [
    'put',
    'another one',
    [group({ description: 'between' })],
    group({ description: 'after' }),
    ['after'],
  ],
  [
    'deleted',
    'itself, and then the same words again',
    [without(group()), group()],
    without(group()),
    [],
  ],
])(
  'A definition that is %s without a revision is written again after %s',
  async (_, __, others, change, left) => {
    const storage = await newTables([group()])
    let writes = 0
    const counting = sentBy(storage, (command, on) => {
      if (isTransaction(command)) writes += 1
      return on(command)
    })
    const meanwhile = interrupted(counting, 1, isTransaction, () => apply(storage, others))
    expect(await outcomesOf(meanwhile, [change])).toEqual(['applied'])
    expect(writes).toBe(2)
    expect(
      embedTenantOf(await itemOf(storage))?.groups.map(({ description }) => description),
    ).toEqual(left)
  },
)

test('A put that is skipped names the tenant all the same, and a delete does not', async () => {
  const storage = await newTables([revised(5, without(group()))])
  expect(embedTenantOf(await itemOf(storage))).toBeUndefined()
  expect(await outcomesOf(storage, [revised(4, without(group()))])).toEqual(['skipped'])
  expect(embedTenantOf(await itemOf(storage))).toBeUndefined()
  expect(await outcomesOf(storage, [revised(4, group())])).toEqual(['skipped'])
  expect(embedTenantOf(await itemOf(storage))).toMatchObject({ name: 'north', groups: [] })
  const ofOthers = put('attributeDefinition', { accountId: 'other', name: 'a' })
  await apply(storage, [revised(5, without(ofOthers)), revised(4, ofOthers)])
  expect((await contents(storage)).filter(({ accountId }) => accountId === 'other')).toEqual([])
})

test('A definition that makes its tenant too large is refused, to the byte', async () => {
  const storage = await newTables()
  const own = { ...embedTenantKey('acme', 'north'), kind: 'embedTenant', ...north }
  const store = (bytes: number) => {
    const Item = {
      ...own,
      'group:other': '',
      'group:g': { description: 'x'.repeat(100), revision: 1 },
    }
    Item['group:other'] = 'x'.repeat(bytes - JSON.stringify(Item).length)
    return putItem(storage, 'catalog', Item)
  }
  const grown = (by: number) => revised(2, group({ description: 'x'.repeat(100 + by) }))
  await store(maxEmbedTenantBytes - 1)
  const reason =
    `all definitions of the embed tenant or account would have ${maxEmbedTenantBytes + 1} ` +
    `bytes; the limit is ${maxEmbedTenantBytes}`
  expect(await apply(storage, [grown(2)])).toEqual([
    { outcome: 'refused', problems: [{ pointer: '/data', reason }] },
  ])
  expect(await outcomesOf(storage, [grown(1)])).toEqual(['applied'])
  for (const [by, outcome] of [
    [1, 'refused'],
    [0, 'applied'],
    [-1, 'applied'],
  ] as const) {
    await store(maxEmbedTenantBytes + 100)
    expect(await outcomesOf(storage, [grown(by)])).toEqual([outcome])
  }
})
