import { read } from '@embed-access/core/catalog/conditional-put.ts'
import { definitionsIn, embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import type { Item } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embedTenantOf } from '../embed-tenants/embed-tenant-of.ts'
import { apply, contents, exported, outcomesOf } from '../support/database.ts'
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
  if (thing === 'tenant') {
    return { kind: 'embedTenant', op, revision, data: { accountId: 'acme', name: 'north', displayName: text } }
  }
  return thing === 'a1'
    ? { kind: 'attributeDefinition', op, revision, data: { ...tenant, name: thing, defaultValue: text } }
    : { kind: 'tenantGroup', op, revision, data: { ...tenant, name: thing, description: text } }
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
      { kind: 'attributeDefinition', revision: 2, data: { accountId: 'acme', name: 'plan', defaultValue: 'basic' } },
      { kind: 'attributeDefinition', data: { accountId: 'acme', name: 'tier' } },
      ...(['tenant', 'g1', 'a1'] as const).map((thing) => changeOf({ thing, op: 'put', revision: 1 })),
      changeOf({ thing: 'tenant', op: 'delete', revision: 2 }),
      { kind: 'attributeDefinition', op: 'delete', revision: 5, data: { accountId: 'acme', name: 'gone' } },
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
    const data = { accountId: 'acme', embedTenantName: 'again', name: 'g' }
    await service.apply([
      { kind: 'tenantGroup', revision: 1, data },
      { kind: 'tenantGroup', op: 'delete', revision: 5, data },
    ])
    const creator = { creatorMode: true, embedTenantName: 'again', tenantGroupDefinitions: [{ name: 'g' }] }
    const body = { deploymentId: 1, ...creator }
    expect((await service.post('/api/v1/embed/generate-session', { key: keys.reader, body })).status).toBe(200)
    const copy = new MemoryTables().storage
    for (const line of await exported(service.storage)) await apply(copy, [JSON.parse(line)])
    expect(definitionsIn(await itemOf(copy, 'again')).groups).toEqual([{ name: 'g', revision: 5 }])
    const late = [4, 5].flatMap((revision) => [
      { kind: 'tenantGroup', revision, data },
      { kind: 'tenantGroup', op: 'delete', revision, data },
    ])
    for (const storage of [copy, service.storage]) {
      expect(await outcomesOf(storage, late)).toEqual(late.map(() => 'skipped'))
    }
  })
})

describe('definitions', () => {
  const group = (name: string, revision?: number) => ({
    kind: 'tenantGroup',
    ...(revision !== undefined && { revision }),
    data: { ...tenant, name, description: 'd' },
  })

  test('bear a version if they have no revision, so the same put twice differs', async () => {
    const storage = new MemoryTables().storage
    await apply(storage, [group('g1', 3), group('g2')])
    const { 'group:g1': first, 'group:g2': second } = (await itemOf(storage)) as Item
    expect(first).toEqual({ description: 'd', revision: 3 })
    expect(second).toEqual({ description: 'd', version: expect.any(String) })
    await apply(storage, [group('g2')])
    expect((await itemOf(storage))?.['group:g2']).not.toEqual(second)
  })
})
