import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keys, world } from '../support/service.ts'
import { arbitraryModel, tenants } from './arbitrary-model.ts'
import { changesOf, foldersAbove, type Model } from './model.ts'

describe('why a workbook can be seen', () => {
  const service = world()
  let deploymentId = 100

  const list = (query: string) =>
    service.get(`/api/v1/deployments/${deploymentId}/embed-tenants/north/workbooks?${query}`, { key: keys.admin })

  async function load(model: Model): Promise<void> {
    deploymentId += 1
    await service.apply([
      { kind: 'deployment', data: { accountId: 'acme', id: deploymentId, name: 'Reasons' } },
      ...tenants.map((name) => ({ kind: 'embedTenant', data: { accountId: 'acme', name } })),
      ...changesOf(deploymentId, model),
    ])
  }

  /** Every share with the tenant or with all, of the workbook or of a folder above it. */
  function reasons(model: Model, workbookId: number) {
    const above = foldersAbove(model, workbookId)
    const mine = model.shares.filter(({ tenant }) => tenant === null || tenant === 'north')
    const direct = mine.filter(({ type, id }) => type === 'workbook' && id === workbookId)
    const folders = mine.filter(({ type, id }) => type === 'folder' && above.includes(id))
    return [
      ...direct.map(({ tenant }) => ({ source: tenant === null ? 'allEmbedUsers' : 'tenant' })),
      ...folders.map(({ id, tenant }) => ({
        source: 'folder',
        folder: { id, name: `Folder ${id}` },
        grantee: tenant === null ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name: tenant },
      })),
    ].map((reason) => JSON.stringify(reason))
  }

  test('is told in full on request, for every source, as a plain model has it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel, async (model) => {
        await load(model)
        for (const accessSource of ['', 'tenant', 'allEmbedUsers', 'folder']) {
          const { body } = await list(`include=accessSources&accessSource=${accessSource}`)
          for (const { id, accessSources } of body.items) {
            const told = accessSources.map((reason: object) => JSON.stringify(reason))
            expect(told.toSorted()).toEqual([...new Set(reasons(model, id))].toSorted())
          }
        }
      }),
      { numRuns: 12 },
    )
  })

  test('is left out unless asked for, and nothing else can be included', async () => {
    await load({
      folders: new Map(),
      workbooks: new Map([
        [1, null],
        [2, null],
      ]),
      shares: [1, 2].map((id) => ({ type: 'workbook', id, tenant: null })),
    })
    const plain = await list('first=1')
    expect(plain.body.items[0]).not.toHaveProperty('accessSources')
    const next = await list(`first=1&include=accessSources&after=${plain.body.pageInfo.endCursor}`)
    expect(next.body.items).toMatchObject([{ id: 2, accessSources: [{ source: 'allEmbedUsers' }] }])
    for (const include of ['', 'accesssources', 'shares', 'accessSources&include=accessSources']) {
      expect([include, (await list(`include=${include}`)).status]).toEqual([include, 400])
    }
  })
})
