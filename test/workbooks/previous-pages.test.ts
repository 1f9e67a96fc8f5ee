import { Budget } from '@embed-access/core/workbooks/budget.ts'
import { folderKey } from '@embed-access/core/workbooks/keys.ts'
import { type EmbedTenantWorkbooks, listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import { lookout } from '@embed-access/core/workbooks/lookout.ts'
import { describe, expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, folder, share, workbook } from '../changes.ts'
import { PlanDatabase } from './plan-database.ts'
import { sharedDirectly } from './plan-pages.ts'
import { range } from './range.ts'

const north = embedTenant('north')

async function page(database: PlanDatabase, more: Partial<EmbedTenantWorkbooks> = {}) {
  const request = { accountId: 'acme', deploymentId: 1, embedTenantName: 'north', ...more }
  const { result, calls, roundTrips } = await database.measure(() =>
    listEmbedTenantWorkbooks(database.storage, request),
  )
  const ids: number[] = result.items.map((json) => JSON.parse(json).id)
  return { ids, ...result.pageInfo, calls, roundTrips }
}

/** The second page, after these workbooks are gone. */
async function secondPage(count: number, first: number, gone: readonly number[]) {
  const database = sharedDirectly(count)
  const { endCursor: after } = await page(database, { first })
  database.forgetWorkbooks(gone)
  return page(database, { first, after: after as string })
}

describe('a page after workbooks that are gone', () => {
  test.each([1, 39, 40, 41, 79, 80])('has none before it where all %i of the first page are', async (first) => {
    const { ids, hasPreviousPage } = await secondPage(200, first, range(first))
    expect([ids[0], hasPreviousPage]).toEqual([first + 1, false])
  })

  test.each([1, 39, 40, 41, 80])('has one before it where workbook %i is left', async (left) => {
    const { hasPreviousPage } = await secondPage(
      200,
      100,
      range(100).filter((id) => id !== left),
    )
    expect(hasPreviousPage).toBe(true)
  })

  test('looks for it 40 at a time, and only if the last one before is gone', async () => {
    const cost = async (gone: readonly number[]) => {
      const { hasPreviousPage, calls, roundTrips } = await secondPage(200, 100, gone)
      return [hasPreviousPage, calls, roundTrips]
    }
    expect(await cost(range(99))).toEqual([true, 8, 3])
    expect(await cost([100])).toEqual([true, 11, 5])
    expect(await cost([...range(40), 100])).toEqual([true, 13, 7])
  })

  test('says that there is one where looking for it takes too much', async () => {
    const { hasPreviousPage, roundTrips } = await secondPage(200, 81, range(81))
    expect([hasPreviousPage, roundTrips]).toEqual([true, 7])
  })

  test('looks in folders first, and does not look where the page begins at the start', async () => {
    const database = new PlanDatabase().apply([
      folder(1, 1, null),
      share(1, 'folder', 1, allEmbedUsers),
      ...range(5).map((id) => workbook(1, id, { folderId: 1 })),
      ...range(5, 10).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, north)]),
    ])
    const { endCursor: after } = await page(database, { first: 7 })
    database.forgetWorkbooks([11])
    const next = { first: 7, after: after as string }
    expect(await page(database, next)).toMatchObject({ ids: [12, 13, 14], hasPreviousPage: true })
    database.forget(folderKey(1, 1))
    expect(await page(database, next)).toMatchObject({ hasPreviousPage: true })
    database.forgetWorkbooks([10])
    expect(await page(database, next)).toMatchObject({ ids: [12, 13, 14], hasPreviousPage: false })
  })
})

describe('a page that ended early', () => {
  test('before any workbook was found leaves the next one without one before it', async () => {
    const database = sharedDirectly(500)
    database.forgetWorkbooks(range(495))
    const pages = [await page(database, { first: 20 })]
    while (pages.at(-1)?.hasNextPage) {
      pages.push(await page(database, { first: 20, after: pages.at(-1)?.endCursor as string }))
    }
    expect(pages.map(({ ids }) => ids.length)).toEqual([0, 0, 0, 0, 5])
    expect(pages.map(({ hasPreviousPage }) => hasPreviousPage)).toEqual(pages.map(() => false))
    expect(pages[0]?.startCursor).toBeNull()
    expect(pages.at(-1)).toMatchObject({ startCursor: expect.any(String), endCursor: expect.any(String) })
  })
})

describe('a cursor', () => {
  test('of the last page has nothing after it', async () => {
    const database = sharedDirectly(6)
    const { ids, endCursor: after } = await page(database, { accessSource: 'tenant', first: 3 })
    expect(ids).toEqual([1, 2, 3])
    const last = await page(database, { accessSource: 'tenant', first: 3, after: after as string })
    expect(last.ids).toEqual([4, 5, 6])
    const beyond = await page(database, { accessSource: 'tenant', first: 3, after: last.endCursor as string })
    expect(beyond).toMatchObject({ ids: [], hasNextPage: false, hasPreviousPage: true, endCursor: null })
  })

  test('is of one source, and of no other', async () => {
    const database = sharedDirectly(5)
    for (const accessSource of ['tenant', 'allEmbedUsers', 'folder', undefined] as const) {
      const { endCursor } = await page(database, { accessSource: 'tenant', first: 3 })
      const other = page(database, { accessSource, first: 3, after: endCursor as string })
      if (accessSource === 'tenant') expect((await other).ids).toEqual([4, 5])
      else await expect(other).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
  })
})

describe('the look at shares and folders with which a page begins', () => {
  const grantees = [north, allEmbedUsers]
  const search = { deploymentId: 1, grantees, directGrantees: grantees, inFolders: true, isExplained: false }

  test('counts its calls, and those one after the other', async () => {
    const database = new PlanDatabase(1000).apply([
      ...range(40, 100).map((id) => folder(1, id, 1)),
      ...range(3).map((id) => share(1, 'workbook', id, north)),
    ])
    const budget = new Budget(99, 10)
    const { calls, roundTrips } = await database.measure(() =>
      lookout(database.storage, { ...search, after: '', size: 10, budget }),
    )
    expect([calls, roundTrips]).toEqual([11, 2])
    expect([budget.calls, budget.roundTrips]).toEqual([88, 8])
  })

  test('leaves 50 calls and 5 round trips, whatever it took', async () => {
    const budget = new Budget(3, 3)
    await lookout(sharedDirectly(1).storage, { ...search, after: '', size: 10, budget })
    expect([budget.calls, budget.roundTrips]).toEqual([50, 5])
  })
})
