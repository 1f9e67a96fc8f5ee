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
