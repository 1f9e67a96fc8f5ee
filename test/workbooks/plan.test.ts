import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, folder, share, workbook } from '../changes.ts'
import { changesOf, type Model, sources, visibleWorkbooks } from './model.ts'
import { PlanDatabase } from './plan-database.ts'
import { readPages } from './plan-pages.ts'
import { range } from './range.ts'

const firstOf = (count: number) => range(count, 0)

/** Folders at the top level, each with its number of workbooks. Some are shared with the tenant or with all. */
function row(count: number, isShared: (index: number) => boolean, sizeOf: (index: number) => number) {
  const database = new PlanDatabase()
  const due: number[] = []
  let id = 1
  for (const index of firstOf(count)) {
    database.apply([folder(1, index, null)])
    if (isShared(index)) database.apply([share(1, 'folder', index, index % 2 ? embedTenant('north') : allEmbedUsers)])
    const ids = range(sizeOf(index), id)
    // What lies in a folder that is not shared is never read itself.
    if (isShared(index)) database.apply(ids.map((id) => workbook(1, id, { folderId: index })))
    else database.addToFolder(1, index, ids)
    if (isShared(index)) due.push(...ids)
    id += ids.length
  }
  return { database, due }
}

const most = (pages: readonly { calls: number; roundTrips: number }[]) => ({
  calls: Math.max(...pages.map(({ calls }) => calls)),
  roundTrips: Math.max(...pages.map(({ roundTrips }) => roundTrips)),
})

describe('the plan by which a page of workbooks is read', () => {
  test('finds what a plain model finds, in order, in whole pages, whatever lies where', async () => {
    const arbitrary = fc.record({
      parents: fc.array(fc.option(fc.nat({ max: 29 }), { nil: null }), { maxLength: 30 }),
      isDeep: fc.boolean(),
      gone: fc.array(fc.nat({ max: 29 }), { maxLength: 5 }),
      places: fc.array(fc.option(fc.nat({ max: 33 }), { nil: null }), { maxLength: 60 }),
      shares: fc.array(
        fc.record({
          isFolder: fc.boolean(),
          id: fc.nat({ max: 60 }),
          tenant: fc.constantFrom('north', 'south', null),
        }),
        { maxLength: 20 },
      ),
      first: fc.integer({ min: 1, max: 20 }),
    })
    // Ids of one and of three digits. Folders may lie too deep, within themselves, or in one that is gone.
    const idOf = (index: number) => index * 7
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ parents, isDeep, gone, places, shares, first }) => {
        const folders = new Map<number, number | null>()
        for (const [index, parent] of parents.entries()) {
          const isChained = isDeep && index > 0 && parent !== null && parent % 4 > 0
          const parentId = isChained ? idOf(index - 1) : parent === null ? null : idOf(parent)
          if (!gone.includes(index)) folders.set(idOf(index), parentId)
        }
        const model: Model = {
          folders,
          workbooks: new Map(places.map((place, index) => [index + 1, place === null ? null : idOf(place)])),
          shares: shares.map(({ isFolder, id, tenant }) => ({
            type: isFolder ? 'folder' : 'workbook',
            id: isFolder ? idOf(id % 33) : id,
            tenant,
          })),
        }
        const database = new PlanDatabase().apply(changesOf(1, model))
        for (const source of sources) {
          const { ids, pages } = await readPages(database, source, first)
          expect(ids).toEqual(visibleWorkbooks(model, 'north', source))
          expect(pages.filter(({ isEarly }) => isEarly)).toEqual([])
          if (pages.length > 1) expect(pages.at(-1)?.returned).toBeGreaterThan(0)
        }
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    [
      'one folder of 10,000',
      () =>
        row(
          3,
          (index) => index === 1,
          (index) => (index === 1 ? 10_000 : 100),
        ),
    ],
    [
      'two folders of 80 far apart',
      () =>
        row(
          60,
          (index) => index === 1 || index === 50,
          (index) => (index % 49 === 1 ? 80 : 100),
        ),
    ],
    [
      '1,000 folders of 5 side by side',
      () =>
        row(
          1200,
          (index) => index >= 100 && index < 1100,
          () => 5,
        ),
    ],
  ] as const)('takes at most 8 calls and 4 round trips for %s', async (_, shape) => {
    const { database, due } = shape()
    for (const source of ['folder', undefined] as const) {
      const { ids, pages } = await readPages(database, source)
      expect(ids).toEqual(due)
      expect(pages.filter(({ isEarly }) => isEarly)).toEqual([])
      const { calls, roundTrips } = most(pages)
      expect([calls <= 8, roundTrips <= 4]).toEqual([true, true])
    }
  })

  test('takes 9 calls and 4 round trips for a page out of 100 folders that are each shared', async () => {
    const { database, due } = row(
      200,
      () => true,
      () => 1,
    )
    const { ids, pages } = await readPages(database, 'folder')
    expect(ids).toEqual(due)
    expect(most(pages)).toEqual({ calls: 9, roundTrips: 4 })
  })

  test('passes 10,000 empty shared folders between full ones, on pages that end early', async () => {
    const { database, due } = row(
      20_020,
      (index) => index % 2 === 1,
      (index) => (index % 2 === 0 ? 100 : index % 2002 === 5 ? 30 : 0),
    )
    const { ids, pages } = await readPages(database, 'folder')
    expect(ids).toEqual(due)
    expect(pages.length).toBeLessThan(150)
  })

  test('passes 10,000 empty shared folders side by side on one page', async () => {
    const { database, due } = row(
      10_010,
      () => true,
      (index) => (index % 1001 === 5 ? 9 : 0),
    )
    const { ids, pages } = await readPages(database, 'folder')
    expect(ids).toEqual(due)
    expect(pages).toHaveLength(1)
  })

  test('finds 1,000 shared folders of one workbook between unshared ones, in pages of which few end early', async () => {
    const { database, due } = row(
      2000,
      (index) => index % 2 === 1,
      (index) => (index % 2 === 1 ? 1 : 100),
    )
    const { ids, pages } = await readPages(database, 'folder')
    expect(ids).toEqual(due)
    expect(pages.length).toBeLessThanOrEqual(20)
  })

  test('shows nothing of a shared folder that is gone, and its 2,000 workbooks hold up no page for long', async () => {
    const database = new PlanDatabase().apply([
      share(1, 'folder', 1, embedTenant('north')),
      ...range(2000, 1).map((id) => workbook(1, id, { folderId: 1 })),
      workbook(1, 9000),
      share(1, 'workbook', 9000, embedTenant('north')),
    ])
    const { ids, pages } = await readPages(database, undefined)
    expect(ids).toEqual([9000])
    expect(pages).toHaveLength(1)
    expect(pages[0]?.calls).toBeLessThanOrEqual(12)
  })

  test('reads a tree of 100,000 folders within the bounds of a page', async () => {
    function* changes() {
      for (const id of firstOf(10)) yield folder(1, id, null)
      yield share(1, 'folder', 3, embedTenant('north'))
      for (const id of range(100_000, 10)) yield folder(1, id, id % 10)
      for (const id of firstOf(3000)) yield workbook(1, id, { folderId: 10 + ((id * 7919) % 100_000) })
    }
    const { ids } = await readPages(new PlanDatabase().apply(changes()), 'folder')
    const due = firstOf(3000).filter((id) => (10 + ((id * 7919) % 100_000)) % 10 === 3)
    expect(ids.toSorted((a, b) => a - b)).toEqual(due)
  })
})
