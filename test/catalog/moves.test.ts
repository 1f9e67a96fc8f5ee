import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { folderKey, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import { describe, expect, inject, test } from 'vitest'
import { functionsOver } from '../../bench/measure.ts'
import { metered } from '../../bench/meter.ts'
import { foldersAbove, type Model, visibleWorkbooks } from '../workbooks/model.ts'
import { allPages } from '../workbooks/pages.ts'
import { world } from '../world.ts'
import { changeOf, Expected, type Step } from './steps.ts'
import { askingBefore, Stopped, stoppingAfter } from './stopping.ts'

const putFolder = (id: number, parentId: number | null): Step => ({ do: 'putFolder', id, parentId })
const endFolder = (id: number): Step => ({ do: 'endFolder', id })
const putWorkbook = (id: number, folderId: number | null): Step => ({ do: 'putWorkbook', id, folderId })
const endWorkbook = (id: number): Step => ({ do: 'endWorkbook', id })
const share = (type: 'folder' | 'workbook', id: number, tenant: string | null): Step => ({
  do: 'share',
  share: { type, id, tenant },
})

const tenants = ['north', 'south'] as const

/** Folders 1 and 2 at the top; 3 in 1, 4 in 3, 5 in 4. Workbooks in each, shared in every way. */
const tree: readonly Step[] = [
  putFolder(1, null),
  putFolder(2, null),
  putFolder(3, 1),
  putFolder(4, 3),
  putFolder(5, 4),
  ...[1, 2, 3, 4, 5, null].map((folder, index) => putWorkbook(11 + index, folder)),
  putWorkbook(23, 3),
  putWorkbook(25, 5),
  share('folder', 1, 'north'),
  share('folder', 2, 'south'),
  share('folder', 3, 'south'),
  share('folder', 4, null),
  share('workbook', 13, 'south'),
  share('workbook', 15, 'north'),
  share('workbook', 15, null),
  share('workbook', 16, 'north'),
]

type Interruption = {
  readonly what: string
  readonly change: Step
  /** Other changes of the same thing that may come instead of the same again. */
  readonly others: readonly Step[]
  /** Changes of other things that may come before the same again. */
  readonly meanwhile?: readonly Step[]
}

const interrupted: readonly Interruption[] = [
  {
    what: 'a folder moves to another one',
    change: putFolder(3, 2),
    others: [putFolder(3, 1), putFolder(3, null), endFolder(3)],
    meanwhile: [putFolder(2, 6), putFolder(4, 1), endFolder(2)],
  },
  {
    what: 'a folder moves to the top',
    change: putFolder(4, null),
    others: [putFolder(4, 3), putFolder(4, 2), endFolder(4)],
    meanwhile: [putFolder(3, 2)],
  },
  {
    what: 'a folder moves into one that has not arrived',
    change: putFolder(3, 98),
    others: [putFolder(3, 1)],
    meanwhile: [putFolder(98, 2)],
  },
  {
    what: 'the folder that others wait for arrives',
    change: putFolder(99, 2),
    others: [putFolder(99, 1), endFolder(99)],
  },
  {
    what: 'a folder ends',
    change: endFolder(3),
    others: [putFolder(3, 1), putFolder(3, 2), putFolder(3, null)],
    meanwhile: [putFolder(1, 2), endFolder(4)],
  },
  {
    what: 'a shared workbook moves',
    change: putWorkbook(15, 2),
    others: [putWorkbook(15, 5), putWorkbook(15, null), putWorkbook(15, 99), endWorkbook(15)],
    meanwhile: [putFolder(5, 2)],
  },
  {
    what: 'a shared workbook ends',
    change: endWorkbook(15),
    others: [putWorkbook(15, 5), putWorkbook(15, null)],
  },
]

/** For the folder that arrives: what lies in it before. */
const waiting: readonly Step[] = [
  putFolder(6, 99),
  putWorkbook(31, 99),
  putWorkbook(32, 6),
  share('folder', 99, 'north'),
]

describe('a change that is interrupted', () => {
  const service = world()
  let deploymentId = 1000

  /** A deployment with these steps applied, and the model of it. */
  async function loaded(...steps: readonly Step[]) {
    deploymentId += 1
    const at = deploymentId
    const model = new Expected()
    let revision = 0
    const changes = (more: readonly Step[]) =>
      more.map((step) => {
        revision += 1
        return { ...changeOf(at, step), ...(at % 2 === 0 && { revision }) }
      })
    await service.apply([
      { kind: 'deployment', data: { accountId: 'acme', id: at, name: 'Moving' } },
      ...tenants.map((name) => ({ kind: 'embedTenant', data: { accountId: 'acme', name } })),
      ...changes(steps),
    ])
    for (const step of steps) model.take(step)
    return { at, model, changes }
  }

  /** Whether the thing itself was written: from then on the change counts as made. */
  const isMade = (at: number, step: Step, written: readonly { pk: string; sk?: string }[]) => {
    const { id } = step as { id: number }
    const { pk, sk } = step.do.endsWith('Folder') ? folderKey(at, id) : workbookKey(at, id)
    return written.some((key) => key.pk === pk && key.sk === sk)
  }

  const seen = async (at: number, tenant: string) => {
    const found = await allPages(service, at, tenant, undefined, 200)
    const ids = found.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    return found
  }

  async function expectAtMost(at: number, model: Model): Promise<void> {
    for (const tenant of tenants) {
      const allowed = visibleWorkbooks(model, tenant, undefined)
      expect((await seen(at, tenant)).map(({ id }) => id).filter((id) => !allowed.includes(id))).toEqual([])
    }
  }

  async function expectExactly(at: number, model: Model): Promise<void> {
    for (const tenant of tenants) {
      const found = await seen(at, tenant)
      expect(found.map(({ id }) => id).toSorted()).toEqual(visibleWorkbooks(model, tenant, undefined).toSorted())
      for (const { id, folderPath } of found) {
        expect(folderPath.map((entry) => entry.id)).toEqual(foldersAbove(model, id))
      }
    }
  }

  /** Stops the change after so many writes. Returns false once it is not stopped any more. */
  async function stopped(at: number, change: object, writes: number) {
    const { storage, written } = stoppingAfter(writes, service.storage)
    try {
      await applyChanges(storage, [change])
    } catch (error) {
      expect(error).toBeInstanceOf(Stopped)
      return { at, written, over: false }
    }
    return { at, written, over: true }
  }

  test.each(interrupted)('at any write shows nobody more, and is finished by the next: $what', async (interruption) => {
    const { change, others, meanwhile = [] } = interruption
    for (let writes = 0, over = false; !over; writes += 1) {
      for (const following of [
        [change],
        ...others.map((other) => [other]),
        ...meanwhile.map((step) => [step, change]),
      ]) {
        const { at, model, changes } = await loaded(...tree, ...waiting)
        const [first, ...next] = changes([change, ...following])
        const stop = await stopped(at, first as object, writes)
        over = stop.over
        if (isMade(at, change, stop.written)) model.take(change)
        if (following[0] === change) await expectAtMost(at, model)
        for (const [index, step] of following.entries()) {
          await service.apply([next[index]])
          model.take(step)
          if (step !== following.at(-1)) await expectAtMost(at, model)
        }
        await expectExactly(at, model)
      }
    }
  })

  test('of a folder with hundreds of workbooks shows none of them through the old place, on any page, at any time', async () => {
    const inside = Array.from({ length: 300 }, (_, index) => 1000 + index)
    const aside = [501, 502, 503, 2501, 2502, 2503]
    const { at, model, changes } = await loaded(
      putFolder(1, null),
      putFolder(2, null),
      putFolder(3, 1),
      putFolder(4, 3),
      share('folder', 1, 'north'),
      share('folder', 2, 'south'),
      ...inside.map((id) => putWorkbook(id, id % 2 ? 3 : 4)),
      ...aside.map((id) => putWorkbook(id, id < 1000 ? 1 : null)),
      ...aside.map((id) => share('workbook', id, 'north')),
    )
    const move = putFolder(3, 2)
    const [change] = changes([move])
    expect(visibleWorkbooks(model, 'north', undefined)).toHaveLength(306)
    let reads = 0
    const reader = askingBefore(async (_key, writes) => {
      if (writes % 40 !== 1) return
      reads += 1
      if (reads === 1) model.take(move)
      const ids = (await allPages(service, at, 'north', undefined, 2)).map(({ id }) => id)
      expect(ids.toSorted((a, b) => a - b)).toEqual(aside)
      const arrived = (await allPages(service, at, 'south', undefined, 100)).map(({ id }) => id)
      expect(new Set(arrived).size).toBe(arrived.length)
      expect(arrived.filter((id) => !inside.includes(id))).toEqual([])
    }, service.storage)
    await applyChanges(reader, [change])
    expect(reads).toBeGreaterThan(7)
    await expectExactly(at, model)
  })

  test('of a folder with hundreds of workbooks, stopped at its start, costs a page no more than one look at the old place', async () => {
    const inside = Array.from({ length: 300 }, (_, index) => 1000 + index)
    const { at, model, changes } = await loaded(
      ...[1, 2].map((id) => putFolder(id, null)),
      ...[3, 4, 5].map((id) => putFolder(id, id === 4 ? 3 : 1)),
      share('folder', 1, 'north'),
      ...inside.map((id) => putWorkbook(id, id % 2 ? 3 : 4)),
      ...[1007, 1250].map((id) => share('workbook', id, 'north')),
      ...[501, 502].map((id) => putWorkbook(id, 5)),
    )
    const move = putFolder(3, 2)
    const [change] = changes([move])
    await stopped(at, change as object, 1)
    model.take(move)
    await expectExactly(at, model)

    const { storage, measure } = metered(service.storage.tables, inject('engineEndpoint'))
    const read = functionsOver(storage)
    const [cost, text] = await measure(() => read({ list: 'list-embed-tenant-workbooks', query: {}, deploymentId: at }))
    storage.client.destroy()
    expect(JSON.parse(text).items).toHaveLength(4)
    expect({ calls: cost.calls, entries: cost.entries }).toEqual({ calls: 15, entries: 107 })
  })

  test('of a folder with a shared one in it, stopped at its start, shows what is in that one on pages of any size', async () => {
    const { at, model, changes } = await loaded(
      ...[1, 2, 3].map((id) => putFolder(id, id === 1 ? null : id - 1)),
      putFolder(4, 2),
      ...[1, 3].map((id) => share('folder', id, 'north')),
      ...[11, 12, 13, 14, 15].map((id) => putWorkbook(id, 2)),
      ...[21, 22, 23].map((id) => putWorkbook(id, 4)),
      ...[31, 32].map((id) => putWorkbook(id, 3)),
      putWorkbook(41, 1),
    )
    const move = putFolder(2, null)
    const [change] = changes([move])
    await stopped(at, change as object, 1)
    model.take(move)
    for (const first of [1, 2, 3, 5, 6, 7, 100]) {
      const ids = (await allPages(service, at, 'north', undefined, first)).map(({ id }) => id)
      expect([first, ids.toSorted()]).toEqual([first, [31, 32, 41]])
    }
  })
})
