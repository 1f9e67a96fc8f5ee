import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldersAbove, type Model, visibleWorkbooks } from '../workbooks/model.ts'
import { allPages } from '../workbooks/pages.ts'
import { world } from '../world.ts'
import { randomStep } from './random-step.ts'
import { changeOf, Expected } from './steps.ts'

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
      fc.asyncProperty(fc.array(randomStep, { minLength: 5, maxLength: 40 }), async (steps) => {
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
      fc.asyncProperty(fc.array(randomStep, { minLength: 5, maxLength: 40 }), async (steps) => {
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
