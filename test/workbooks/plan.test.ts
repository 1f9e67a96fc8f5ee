import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { allEmbedUsers, embedTenant, folder, share, workbook } from '../support/catalog.ts'
import { arbitraryModel } from './arbitrary-model.ts'
import {
  changesOf,
  foldersAbove,
  type Model,
  reasonsOf,
  sources,
  visibleWorkbooks,
} from './model.ts'
import { range } from './range.ts'
import { readPage, readPages } from './read-pages.ts'

const north = embedTenant('north')

describe('the plan by which a page of workbooks is read', () => {
  test('finds what a plain model finds, in order, in whole pages, and says why', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryModel, fc.integer({ min: 1, max: 20 }), async (model, first) => {
        const catalog = new MemoryTables(changesOf(1, model))
        for (const source of sources) {
          const { ids, pages } = await readPages(catalog, source, first, 'accessSources')
          expect(ids).toEqual(visibleWorkbooks(model, 'north', source))
          for (const { id, folderPath, accessSources } of pages.flatMap((page) => page.workbooks)) {
            expect(folderPath.map((folder) => folder.id)).toEqual(foldersAbove(model, id))
            expect(accessSources).toEqual(reasonsOf(model, id, ['north', null]))
          }
          expect(pages.filter(({ isEarly }) => isEarly)).toEqual([])
        }
      }),
      { numRuns: 150 },
    )
  })

  test('counts folders to 32 levels, and takes a deeper one for one at the top', async () => {
    const levels = range(40)
    const chain = levels.map((id): [number, number | null] => [id, id === 1 ? null : id - 1])
    const circle: [number, number][] = [
      [50, 52],
      [51, 50],
      [52, 51],
    ]
    const placed = [...levels, 50, 51, 52]
    for (const id of [1, 2, 8, 9, 32, 33, 40, 51]) {
      const model: Model = {
        folders: new Map([...chain, ...circle]),
        workbooks: new Map(placed.map((folderId) => [100 + folderId, folderId])),
        shares: [
          { type: 'folder', id, tenant: 'north' },
          ...[120, 132, 140, 152].map((id) => ({ type: 'workbook' as const, id, tenant: null })),
        ],
      }
      for (const source of sources) {
        const { ids, pages } = await readPages(new MemoryTables(changesOf(1, model)), source, 7)
        expect([id, ids]).toEqual([id, visibleWorkbooks(model, 'north', source)])
        expect(pages.flatMap(({ paths }) => paths)).toEqual(
          ids.map((each) => foldersAbove(model, each)),
        )
      }
    }
  })

  test('goes on where a page ends exactly after the last folder', async () => {
    const catalog = new MemoryTables([
      // More folders than the first page reads shares at once.
      ...range(50).flatMap((id) => [folder(1, id, null), share(1, 'folder', id, north)]),
      ...range(4).map((id) => workbook(1, id, { folderId: id })),
      ...range(2, 5).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, north)]),
    ])
    const { pages } = await readPages(catalog, undefined, 4)
    // A page that is full reads no more shares.
    expect(pages.map(({ ids, roundTrips }) => [ids, roundTrips])).toEqual([
      [[1, 2, 3, 4], 5],
      [[5, 6], 3],
    ])
  })

  test.each([3, 7, 10_000])(
    'reads shares and folders on, where a Query gives %i of them',
    async (mostEntries) => {
      const greatest = Number.MAX_SAFE_INTEGER
      const below = [...range(20, 100), greatest - 1, greatest]
      const catalog = new MemoryTables(
        [
          ...range(30).flatMap((id) => [
            folder(1, id, null),
            share(1, 'folder', id, id % 3 ? north : allEmbedUsers),
          ]),
          ...below.map((id, index) => folder(1, id, index + 1)),
          ...below.map((folderId, index) => workbook(1, 1 + index, { folderId })),
          ...range(30, 101).flatMap((id) => [
            workbook(1, id),
            share(1, 'workbook', id, id % 2 ? north : allEmbedUsers),
          ]),
          ...range(10, 111).map((id) => share(1, 'workbook', id, north)),
        ],
        mostEntries,
      )
      const ids: number[] = []
      for (let after: string | undefined, more = true; more; ) {
        const page = await readPage(catalog, { first: 9, after })
        ids.push(...page.ids)
        more = page.hasNextPage
        after = page.endCursor as string
      }
      expect(ids).toEqual([...range(below.length), ...range(30, 101)])
    },
  )
})
