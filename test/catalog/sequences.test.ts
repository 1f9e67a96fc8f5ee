import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldersAbove, type Model, type Share, visibleWorkbooks } from '../access/model.ts'
import { allPages } from '../access/pages.ts'
import { world } from '../world.ts'
import { changeOf, Expected, type Step } from './steps.ts'

const folderId = fc.integer({ min: 1, max: 6 })
const workbookId = fc.integer({ min: 11, max: 16 })
const shares: fc.Arbitrary<Share> = fc.oneof(
  fc.record({
    type: fc.constant('folder' as const),
    id: folderId,
    tenant: fc.constantFrom('north', 'south', null),
  }),
  fc.record({
    type: fc.constant('workbook' as const),
    id: workbookId,
    tenant: fc.constantFrom('north', 'south', null),
  }),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('putFolder' as const), id: folderId, parentId: fc.option(folderId) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('endFolder' as const), id: folderId }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('putWorkbook' as const), id: workbookId, folderId: fc.option(folderId) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('endWorkbook' as const), id: workbookId }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('share' as const), share: shares }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unshare' as const), share: shares }) },
)

describe('after any sequence of changes', () => {
  const service = world()
  let deploymentId = 100

  const newDeployment = async () => {
    deploymentId += 1
    await service.apply([
      { kind: 'deployment', data: { accountId: 'acme', id: deploymentId, name: 'Random' } },
      { kind: 'embedTenant', data: { accountId: 'acme', name: 'north' } },
    ])
    return deploymentId
  }

  const compare = async (deployment: number, expected: Model) => {
    for (const source of ['tenant', 'allEmbedUsers', 'folder', undefined] as const) {
      const found = await allPages(service, deployment, 'north', source, 4)
      expect(found.map(({ id }) => id).toSorted()).toEqual(visibleWorkbooks(expected, 'north', source).toSorted())
      for (const { id, folderPath } of found) {
        expect(folderPath.map((entry) => entry.id)).toEqual(foldersAbove(expected, id))
      }
    }
  }

  test.each([true, false])('an embed tenant sees what a plain model says (revisions in use: %s)', async (revised) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const deployment = await newDeployment()
        const expected = new Expected()
        for (const [index, each] of steps.entries()) {
          const change = { ...changeOf(deployment, each), ...(revised && { revision: index }) }
          const [result] = await applyChanges(service.storage, [change])
          expect([each, result?.outcome]).toEqual([each, expected.take(each) ? 'applied' : 'refused'])
          if (index % 7 === 6) await compare(deployment, expected)
        }
        await compare(deployment, expected)
      }),
      { numRuns: 25 },
    )
  })

  test('a batch gives the same as its changes one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const deployment = await newDeployment()
        const expected = new Expected()
        const outcomes = steps.map((each) => (expected.take(each) ? 'applied' : 'refused'))
        const results = await applyChanges(
          service.storage,
          steps.map((each) => changeOf(deployment, each)),
        )
        expect(results.map(({ outcome }) => outcome)).toEqual(outcomes)
        await compare(deployment, expected)
      }),
      { numRuns: 25 },
    )
  })
})
