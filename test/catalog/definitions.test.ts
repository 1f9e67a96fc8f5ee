import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { definitionsIn, embedTenantKey, maxEmbedTenantBytes } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { read } from '@embed-access/core/storage/conditional-writes.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embedTenantOf } from '../embed-tenants/embed-tenant-of.ts'
import { put, revised, without } from '../support/catalog.ts'
import {
  apply,
  cancelling,
  contents,
  exported,
  interrupted,
  newTables,
  outcomesOf,
  sentBy,
} from '../support/database.ts'
import { MemoryTables } from '../support/memory-tables.ts'
import { keys, world } from '../support/service.ts'
import { slow } from '../support/time.ts'

type Op = 'put' | 'delete'
type Thing = 'tenant' | 'g1' | 'g2' | 'a1'
type Step = { readonly thing: Thing; readonly op: Op; readonly revision: number }

const tenant = { accountId: 'acme', embedTenantName: 'north' }

/** A change whose content follows from its revision. */
function changeOf({ thing, op, revision }: Step): object {
  const text = `r${revision}`
  const change = {
    tenant: put('embedTenant', { accountId: 'acme', name: 'north', displayName: text }),
    a1: put('attributeDefinition', { ...tenant, name: thing, defaultValue: text }),
    g1: put('tenantGroup', { ...tenant, name: thing, description: text }),
    g2: put('tenantGroup', { ...tenant, name: thing, description: text }),
  }[thing]
  return { ...change, op, revision }
}

const itemOf = (storage: Storage, name = 'north') => read(storage, 'catalog', embedTenantKey('acme', name))

/** Each thing is what its newest change says; any put names the tenant, and only its own delete takes it away. */
function modelOf(steps: readonly Step[]) {
  const newest = new Map<Thing, Step>()
  for (const step of steps) if (step.revision > (newest.get(step.thing)?.revision ?? -1)) newest.set(step.thing, step)
  const live = (thing: Thing) => (newest.get(thing)?.op === 'put' ? newest.get(thing) : undefined)
  const own = newest.get('tenant')
  const exists = own ? own.op === 'put' : steps.some(({ op }) => op === 'put')
  const groups = (['g1', 'g2'] as const).flatMap((name) => {
    const step = live(name)
    return step ? [{ name, description: `r${step.revision}`, revision: step.revision }] : []
  })
  const a1 = live('a1')
  const attributes = a1 ? [{ name: 'a1', defaultValue: `r${a1.revision}`, revision: a1.revision }] : []
  return { displayName: exists && own ? `r${own.revision}` : undefined, exists, groups, attributes }
}

const things: readonly Thing[] = ['tenant', 'g1', 'g2', 'a1']

/** Up to four revisions of each thing, each a put or a delete. */
const histories = fc
  .tuple(...things.map(() => fc.array(fc.constantFrom<Op>('put', 'delete'), { maxLength: 4 })))
  .map((all) =>
    all.flatMap((ops, index) => ops.map((op, revision): Step => ({ thing: things[index] as Thing, op, revision }))),
  )

describe('changes of an embed tenant and of its definitions', () => {
  // Each run of the property writes the changes three times.
  test('come to the same in any order, however often, from any number of writers', slow, async () => {
    await fc.assert(
      fc.asyncProperty(
        histories.chain((steps) =>
          fc.tuple(
            fc.shuffledSubarray(steps, { minLength: steps.length }),
            fc.shuffledSubarray(steps),
            fc.shuffledSubarray(steps, { minLength: steps.length }),
          ),
        ),
        async ([first, again, elsewhere]) => {
          const storage = new MemoryTables().storage
          const batches = [[...first, ...again], elsewhere]
          await Promise.all(
            batches.map(async (steps) => {
              for (const step of steps) {
                const [outcome] = await outcomesOf(storage, [changeOf(step)])
                expect(['applied', 'skipped']).toContain(outcome)
              }
            }),
          )
          const model = modelOf(first)
          const item = await itemOf(storage)
          const found = embedTenantOf(item)
          expect({ ...definitionsIn(item), exists: found !== undefined, displayName: found?.displayName }).toEqual(
            model,
          )
          expect(await outcomesOf(storage, first.map(changeOf))).toEqual(first.map(() => 'skipped'))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('are in an export, those of the account itself and of a deleted tenant too', async () => {
    const storage = new MemoryTables().storage
    await apply(storage, [
      revised(2, put('attributeDefinition', { accountId: 'acme', name: 'plan', defaultValue: 'basic' })),
      put('attributeDefinition', { accountId: 'acme', name: 'tier' }),
      ...(['tenant', 'g1', 'a1'] as const).map((thing) => changeOf({ thing, op: 'put', revision: 1 })),
      changeOf({ thing: 'tenant', op: 'delete', revision: 2 }),
      revised(5, without(put('attributeDefinition', { accountId: 'acme', name: 'gone' }))),
    ])
    const lines = await exported(storage, 'acme')
    expect(lines).toHaveLength(6)
    const copy = new MemoryTables().storage
    await apply(
      copy,
      lines.map((line) => JSON.parse(line)),
    )
    expect(await contents(copy)).toEqual(await contents(storage))
    await apply(copy, [changeOf({ thing: 'tenant', op: 'put', revision: 3 })])
    expect(embedTenantOf(await itemOf(copy))?.groups).toEqual([{ name: 'g1', description: 'r1', revision: 1 }])
  })
})

describe('a definition that a session made again after its deletion', () => {
  const service = world()

  test('is in a copy of the catalog too, which knows as much of revisions', async () => {
    const again = put('tenantGroup', { accountId: 'acme', embedTenantName: 'again', name: 'g' })
    await service.apply([revised(1, again), revised(5, without(again))])
    const creator = { creatorMode: true, embedTenantName: 'again', tenantGroupDefinitions: [{ name: 'g' }] }
    const body = { deploymentId: 1, ...creator }
    expect((await service.post('/api/v1/embed/generate-session', { key: keys.reader, body })).status).toBe(200)
    const copy = new MemoryTables().storage
    for (const line of await exported(service.storage)) await apply(copy, [JSON.parse(line)])
    expect(definitionsIn(await itemOf(copy, 'again')).groups).toEqual([{ name: 'g', revision: 5 }])
    const late = [4, 5].flatMap((revision) => [revised(revision, again), revised(revision, without(again))])
    for (const storage of [copy, service.storage]) {
      expect(await outcomesOf(storage, late)).toEqual(late.map(() => 'skipped'))
    }
  })
})

const group = (more: object = {}) => put('tenantGroup', { ...tenant, name: 'g', ...more })
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
  ['put', 'another one', [group({ description: 'between' })], group({ description: 'after' }), ['after']],
  ['deleted', 'itself, and then the same words again', [without(group()), group()], without(group()), []],
])('A definition that is %s without a revision is written again after %s', async (_, __, others, change, left) => {
  const storage = await newTables()
  await apply(storage, [group()])
  let writes = 0
  const counting = sentBy(storage, (command, on) => {
    if (isTransaction(command)) writes += 1
    return on(command)
  })
  const meanwhile = interrupted(counting, 1, isTransaction, () => apply(storage, others))
  expect(await outcomesOf(meanwhile, [change])).toEqual(['applied'])
  expect(writes).toBe(2)
  expect(embedTenantOf(await itemOf(storage))?.groups.map(({ description }) => description)).toEqual(left)
})

test('A put that is skipped names the tenant all the same, and a delete does not', async () => {
  const storage = await newTables()
  await apply(storage, [revised(5, without(group()))])
  expect(embedTenantOf(await itemOf(storage))).toBeUndefined()
  expect(await outcomesOf(storage, [revised(4, without(group()))])).toEqual(['skipped'])
  expect(embedTenantOf(await itemOf(storage))).toBeUndefined()
  expect(await outcomesOf(storage, [revised(4, group())])).toEqual(['skipped'])
  expect(embedTenantOf(await itemOf(storage))).toMatchObject({ name: 'north', groups: [] })
  const ofAccount = put('attributeDefinition', { accountId: 'other', name: 'a' })
  await apply(storage, [revised(5, without(ofAccount)), revised(4, ofAccount)])
  expect((await contents(storage)).filter(({ accountId }) => accountId === 'other')).toEqual([])
})

test('A definition that makes its tenant too large is refused, to the byte', async () => {
  const storage = await newTables()
  const own = { ...embedTenantKey('acme', 'north'), kind: 'embedTenant', accountId: 'acme', name: 'north' }
  const store = (bytes: number) => {
    const Item = { ...own, 'group:other': '', 'group:g': { description: 'x'.repeat(100), revision: 1 } }
    Item['group:other'] = 'x'.repeat(bytes - JSON.stringify(Item).length)
    return storage.client.send(new PutCommand({ TableName: storage.tables.catalog, Item }))
  }
  const grown = (by: number) => revised(2, group({ description: 'x'.repeat(100 + by) }))
  await store(maxEmbedTenantBytes - 1)
  const reason = `all definitions of the embed tenant or account would have ${maxEmbedTenantBytes + 1} bytes; the limit is ${maxEmbedTenantBytes}`
  expect(await apply(storage, [grown(2)])).toEqual([{ outcome: 'refused', problems: [{ pointer: '/data', reason }] }])
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
