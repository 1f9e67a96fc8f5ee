import { AccessReason } from '@embed-access/core/workbooks/grantee.ts'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { pagesOf } from '../support/pages.ts'
import { acmeTenant, keptDecisions, keys, people, world } from '../support/service.ts'
import { slow } from '../support/time.ts'
import { arbitraryModel, tenants } from './arbitrary-model.ts'
import { changesOf, foldersAbove, reasonsOf, sources, visibleWorkbooks } from './model.ts'

const service = world([...people, ...tenants.map((name) => acmeTenant(name))], keptDecisions)

type Seen = {
  readonly id: number
  readonly folderPath: { readonly id: number }[]
  readonly accessSources: object[]
}

const pathOf = (deploymentId: number, tenant: string) =>
  `/api/v1/deployments/${deploymentId}/embed-tenants/${tenant}/workbooks`

// plan.test.ts tries many models in memory. These go through the engine.
test(
  'A tenant sees what a plain model finds, by every source, in pages of every size',
  slow,
  async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel, fc.integer({ min: 1, max: 32 }), async (model, first) => {
        const deployment = await service.newDeployment((at) => changesOf(at, model))
        for (const tenant of tenants) {
          for (const source of sources) {
            const query = { accessSource: source ?? '', include: 'accessSources' }
            const found = (await pagesOf(
              service,
              pathOf(deployment, tenant),
              query,
              first,
            )) as Seen[]
            expect(found.map(({ id }) => id)).toEqual(visibleWorkbooks(model, tenant, source))
            for (const { id, folderPath, accessSources } of found) {
              expect(folderPath.map((folder) => folder.id)).toEqual(foldersAbove(model, id))
              const parsed = accessSources.map((each) => v.parse(AccessReason, each))
              expect(parsed).toEqual(reasonsOf(model, id, [tenant, null]))
            }
          }
        }
      }),
      { numRuns: 4 },
    )
  },
)

/** Workbooks at the top level, each shared with this tenant or with all. */
const sharedWith = (deploymentId: number, tenant: string | null, ids: readonly number[]) =>
  changesOf(deploymentId, {
    folders: new Map(),
    workbooks: new Map(ids.map((id) => [id, null])),
    shares: ids.map((id) => ({ type: 'workbook', id, tenant })),
  })

test('A tenant sees nothing by a share of another account that names it', async () => {
  await service.apply(sharedWith(9, 'south', [1]))
  expect(await pagesOf(service, pathOf(1, 'south'), {}, 10)).toEqual([])
})

test('Why a tenant sees a workbook is told if asked for', async () => {
  const at = await service.newDeployment((at) => sharedWith(at, null, [1, 2]))
  const list = (query: string) =>
    service.get(`${pathOf(at, 'north')}?${query}`, { key: keys.admin })
  const plain = await list('first=1')
  expect(plain.body.items[0]).not.toHaveProperty('accessSources')
  const next = await list(`first=1&include=accessSources&after=${plain.body.pageInfo.endCursor}`)
  expect(next.body.items).toMatchObject([{ id: 2, accessSources: [{ source: 'allEmbedUsers' }] }])
  for (const include of ['', 'accesssources', 'shares', 'accessSources&include=accessSources']) {
    expect([include, (await list(`include=${include}`)).status]).toEqual([include, 400])
  }
})
