import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keys, put, world } from '../support/service.ts'
import { slow } from '../support/time.ts'
import { arbitraryModel, tenants } from './arbitrary-model.ts'
import { changesOf, foldersAbove, type Model, sources, visibleWorkbooks } from './model.ts'
import { allPages } from './pages.ts'

describe('the workbooks an embed tenant can see', () => {
  const service = world()
  let deploymentId = 100

  /** A deployment of its own for each example, so that none sees another's. */
  async function load(model: Model): Promise<number> {
    deploymentId += 1
    const deployment = { kind: 'deployment', data: { accountId: 'acme', id: deploymentId, name: 'Random' } }
    const named = tenants.map((name) => ({ kind: 'embedTenant', data: { accountId: 'acme', name } }))
    await service.apply([deployment, ...named, ...changesOf(deploymentId, model)])
    return deploymentId
  }

  // Each run of the property writes a catalog and reads all of its pages.
  test('are those that a plain model finds, for every source, in pages of every size', slow, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel, fc.integer({ min: 1, max: 32 }), async (model, first) => {
        const deployment = await load(model)
        for (const tenant of tenants) {
          for (const source of sources) {
            const found = await allPages(service, deployment, tenant, source, first)
            const ids = found.map(({ id }) => id)
            expect(ids).toEqual(visibleWorkbooks(model, tenant, source))
            for (const { id, folderPath } of found) {
              expect(folderPath.map((folder) => folder.id)).toEqual(foldersAbove(model, id))
            }
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  test('come in the same order whatever the size of the pages', async () => {
    const workbooks = new Map(
      Array.from({ length: 23 }, (_, index) => [index + 1, [null, 1, 2, 3][index % 4] as number | null]),
    )
    const model: Model = {
      folders: new Map([
        [1, null],
        [2, 1],
        [3, null],
      ]),
      workbooks,
      shares: [
        { type: 'folder', id: 2, tenant: 'north' },
        { type: 'folder', id: 3, tenant: null },
        ...[...workbooks.keys()].map((id) => ({ type: 'workbook' as const, id, tenant: id % 2 ? 'north' : null })),
      ],
    }
    const deployment = await load(model)
    const whole = (await allPages(service, deployment, 'north', undefined, 200)).map(({ id }) => id)
    expect(whole).toHaveLength(23)
    for (let first = 1; first <= 24; first += 1) {
      expect((await allPages(service, deployment, 'north', undefined, first)).map(({ id }) => id)).toEqual(whole)
    }
  })

  // Each run of the property writes a catalog, in an order of its own.
  test('do not depend on the order in which the catalog arrives', slow, async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryModel.chain((model) =>
          fc.tuple(
            fc.constant(model),
            fc.shuffledSubarray(changesOf(0, model), { minLength: changesOf(0, model).length }),
          ),
        ),
        async ([model, shuffled]) => {
          const deployment = await load({ folders: new Map(), workbooks: new Map(), shares: [] })
          await service.apply(
            shuffled.map((change) => ({ ...change, data: { ...change.data, deploymentId: deployment } })),
          )
          for (const source of sources) {
            const ids = (await allPages(service, deployment, 'north', source, 200)).map(({ id }) => id)
            expect(ids).toEqual(visibleWorkbooks(model, 'north', source))
          }
        },
      ),
      { numRuns: 15 },
    )
  })

  test('are none for a tenant that a share of another account names', async () => {
    await service.apply([
      put('embedTenant', { accountId: 'acme', name: 'south' }),
      ...changesOf(9, oneWorkbook('south')),
    ])
    const { body } = await service.get('/api/v1/deployments/1/embed-tenants/south/workbooks', { key: keys.admin })
    expect(body.items).toEqual([])
  })
})

const oneWorkbook = (tenant: string): Model => ({
  folders: new Map(),
  workbooks: new Map([[1, null]]),
  shares: [{ type: 'workbook', id: 1, tenant }],
})
