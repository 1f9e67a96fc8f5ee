import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { folderKey, shareSortKey, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleWorkbooks } from '../workbooks/model.ts'
import { allPages } from '../workbooks/pages.ts'
import { allEmbedUsers, embedTenant, world } from '../world.ts'
import { randomStep } from './random-step.ts'
import { changeOf, Expected, type Step } from './steps.ts'
import { Stopped, stoppingAfter } from './stopping.ts'

describe('changes of which any may stop at any write', () => {
  const service = world()
  const tenants = ['north', 'south'] as const
  let deploymentId = 100

  const newDeployment = async () => {
    deploymentId += 1
    await service.apply([
      { kind: 'deployment', data: { accountId: 'acme', id: deploymentId, name: 'Interrupted' } },
      ...tenants.map((name) => ({ kind: 'embedTenant', data: { accountId: 'acme', name } })),
    ])
    return deploymentId
  }

  /** Returns whether the change was made: its own item was written, whatever else is left to do. */
  async function applied(at: number, step: Step, allowed: number): Promise<boolean> {
    const { storage, written } = stoppingAfter(allowed, service.storage)
    try {
      const [result] = await applyChanges(storage, [changeOf(at, step)])
      return result?.outcome === 'applied'
    } catch (error) {
      expect(error).toBeInstanceOf(Stopped)
      const own = keyOf(at, step)
      return written.some(({ pk, sk }) => pk === own.pk && sk === own.sk)
    }
  }

  const seen = async (at: number, tenant: string) =>
    (await allPages(service, at, tenant, undefined, 2)).map(({ id }) => id)

  test('show nobody more meanwhile, and what they should once each thing is written again', async () => {
    const steps = fc.array(fc.record({ step: randomStep, allowed: fc.option(fc.nat({ max: 12 })) }), {
      minLength: 10,
      maxLength: 40,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const at = await newDeployment()
        const expected = new Expected()
        for (const { step, allowed } of steps) {
          if (await applied(at, step, allowed ?? Number.POSITIVE_INFINITY)) expected.take(step)
          for (const tenant of tenants) {
            const visible = visibleWorkbooks(expected, tenant, undefined)
            expect((await seen(at, tenant)).filter((id) => !visible.includes(id))).toEqual([])
          }
        }
        for (const { step } of steps) await applied(at, again(step, expected), Number.POSITIVE_INFINITY)
        for (const tenant of tenants) {
          expect((await seen(at, tenant)).toSorted()).toEqual(visibleWorkbooks(expected, tenant, undefined).toSorted())
        }
      }),
      { numRuns: 12 },
    )
  })
})

function keyOf(at: number, step: Step) {
  if (!('share' in step)) return step.do.endsWith('Folder') ? folderKey(at, step.id) : workbookKey(at, step.id)
  const { type, id, tenant } = step.share
  const { pk } = type === 'folder' ? folderKey(at, id) : workbookKey(at, id)
  return { pk, sk: shareSortKey(tenant === null ? allEmbedUsers : embedTenant(tenant)) }
}

/** The change that says once more what a thing is by now. */
function again(step: Step, { folders, workbooks, shares }: Expected): Step {
  if ('share' in step) {
    const isThere = shares.some((each) => JSON.stringify(each) === JSON.stringify(step.share))
    return { do: isThere ? 'share' : 'unshare', share: step.share }
  }
  const { id } = step
  if (step.do.endsWith('Folder')) {
    const parentId = folders.get(id)
    return parentId === undefined ? { do: 'endFolder', id } : { do: 'putFolder', id, parentId }
  }
  const folderId = workbooks.get(id)
  return folderId === undefined ? { do: 'endWorkbook', id } : { do: 'putWorkbook', id, folderId }
}
