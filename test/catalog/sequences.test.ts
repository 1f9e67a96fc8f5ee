import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldersAbove, type Model, type Share, visibleWorkbooks } from '../access/model.ts'
import { allPages } from '../access/pages.ts'
import { allEmbedUsers, embedTenant, folder, share, without, workbook, world } from '../world.ts'

type Step =
  | { readonly do: 'putFolder'; readonly id: number; readonly parentId: number | null }
  | { readonly do: 'endFolder'; readonly id: number }
  | { readonly do: 'putWorkbook'; readonly id: number; readonly folderId: number | null }
  | { readonly do: 'endWorkbook'; readonly id: number }
  | { readonly do: 'share' | 'unshare'; readonly share: Share }

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

/** What the steps do to plain maps. Shares of things that are gone have ended; those of things to come wait. */
class Expected implements Model {
  readonly folders = new Map<number, number | null>()
  readonly workbooks = new Map<number, number | null>()
  shares: Share[] = []

  /** @returns false where the catalog has to refuse the step */
  take(step: Step): boolean {
    switch (step.do) {
      case 'putFolder':
        if (this.#liesWithin(step.parentId, step.id)) return false
        this.folders.set(step.id, step.parentId)
        return true
      case 'endFolder':
        this.folders.delete(step.id)
        this.#endShares('folder', step.id)
        return true
      case 'putWorkbook':
        this.workbooks.set(step.id, step.folderId)
        return true
      case 'endWorkbook':
        this.workbooks.delete(step.id)
        this.#endShares('workbook', step.id)
        return true
      case 'share':
        this.shares.push(step.share)
        return true
      case 'unshare':
        this.shares = this.shares.filter((each) => JSON.stringify(each) !== JSON.stringify(step.share))
        return true
    }
  }

  #liesWithin(id: number | null, folder: number): boolean {
    if (id === folder) return true
    return id !== null && this.folders.has(id) && this.#liesWithin(this.folders.get(id) ?? null, folder)
  }

  #endShares(type: Share['type'], id: number): void {
    this.shares = this.shares.filter((each) => each.type !== type || each.id !== id)
  }
}

function changeOf(deploymentId: number, step: Step) {
  switch (step.do) {
    case 'putFolder':
      return folder(deploymentId, step.id, step.parentId)
    case 'endFolder':
      return without(folder(deploymentId, step.id, null))
    case 'putWorkbook':
      return workbook(deploymentId, step.id, { folderId: step.folderId })
    case 'endWorkbook':
      return without(workbook(deploymentId, step.id))
    default: {
      const { type, id, tenant } = step.share
      const change = share(deploymentId, type, id, tenant === null ? allEmbedUsers : embedTenant(tenant))
      return step.do === 'share' ? change : without(change)
    }
  }
}

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
