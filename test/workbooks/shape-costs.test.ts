import { randomBytes } from 'node:crypto'
import { deploymentPartition, folderEntry, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import { expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { allEmbedUsers, embedTenant, folder, share, without, workbook } from '../support/catalog.ts'
import { slow } from '../support/time.ts'
import type { Source } from './model.ts'
import { range } from './range.ts'
import { readPages } from './read-pages.ts'

const north = embedTenant('north')
const odd = (index: number) => index % 2 === 1
const all = () => true

/** What all pages of a list cost together. */
type Totals = readonly [pages: number, calls: number, trips: number, entries: number, items: number]

/** One for each way in which a list could become expensive. The others of a page are bounded. */
testLists([
  // Empty shared folders, of which a page must not read each one.
  [
    'folder',
    '10,000 empty shared folders in a row',
    () => folders(10_010, all, oneIn(1001, 5, 9)),
    [1, 7, 4, 10100, 110],
  ],
  // The union of folders and direct shares.
  [
    undefined,
    '390 workbooks, 90 of them in 1,500 shared folders',
    foldersThenDirect,
    [4, 35, 15, 6610, 870],
  ],
  // Entries of other folders between those that are shared.
  [
    'folder',
    '500 shared folders of 1 between others of 100',
    () => folders(1000, odd, 1, 100),
    [5, 138, 30, 47836, 1500],
  ],
  // The way up, 32 folders for each workbook.
  [undefined, '60 workbooks at the bottom of chains', () => chains(60, 32), [1, 28, 5, 1950, 2140]],
  // Shares of workbooks that are gone.
  [
    'tenant',
    '500 workbooks shared one by one, each second gone',
    () => direct(500, () => [north], odd),
    [3, 25, 19, 520, 750],
  ],
  // Pages that end by their bytes.
  ['folder', '60 large documents in a folder', largeDocuments, [2, 18, 12, 206, 68]],
])

type Shape = { readonly catalog: MemoryTables; readonly due: readonly number[] }

type List = readonly [source: Source, name: string, shape: () => Shape, expected: Totals]

/**
 * Tests that lists cost what they did, in pages of 100. A little more or less is no matter, so that
 * a width may change. Some catalogs have 100,000 entries.
 */
function testLists(lists: readonly List[]) {
  test.each(lists)(
    '%s: a list of %s costs what it did',
    slow,
    async (source, _, shape, expected) => {
      const { catalog, due } = shape()
      const { ids, pages } = await readPages(catalog, source, 100)
      expect(ids).toEqual(due)
      const sum = (of: 'calls' | 'roundTrips' | 'entries' | 'items') =>
        pages.reduce((total, page) => total + page[of], 0)
      const totals = [pages.length, sum('calls'), sum('roundTrips'), sum('entries'), sum('items')]
      const isNear = expected.every(
        (total, index) => Math.abs((totals[index] as number) - total) <= total * 0.03,
      )
      if (!isNear) expect(totals).toEqual(expected)
    },
  )
}

type Size = number | ((index: number) => number)

const sizeAt = (index: number, size: Size) => (typeof size === 'number' ? size : size(index))
const oneIn =
  (count: number, which: number, size: number, otherSize = 0): Size =>
  (index) =>
    index % count === which ? size : otherSize

/**
 * Folders at the top level, each with its number of workbooks. Some are shared with the tenant or
 * with all. Of workbooks in the others, only the entries in the index by folder count.
 */
function folders(
  count: number,
  isShared: (index: number) => boolean,
  size: Size,
  otherSize: Size = 0,
): Shape {
  const catalog = new MemoryTables()
  const due: number[] = []
  let next = 1
  for (const index of range(count, 0)) {
    const ids = range(sizeAt(index, isShared(index) ? size : otherSize), next)
    next += ids.length
    catalog.add([folder(1, index, null)])
    if (isShared(index)) {
      catalog.add([share(1, 'folder', index, odd(index) ? north : allEmbedUsers)])
      catalog.add(ids.map((id) => workbook(1, id, { folderId: index })))
      due.push(...ids)
      continue
    }
    for (const id of ids) {
      const entry = { contents: deploymentPartition(1), folderEntry: folderEntry(index, id) }
      catalog.put('catalog', { ...workbookKey(1, id), ...entry })
    }
  }
  return { catalog, due }
}

/** Chains of folders, each with a workbook at the bottom that is shared. */
function chains(count: number, levels: number): Shape {
  const due = range(count)
  const catalog = new MemoryTables(
    due.flatMap((id) => {
      const chain = range(levels, 1000 * id)
      return [
        ...chain.map((above, index) => folder(1, above, chain[index - 1] ?? null)),
        workbook(1, id, { folderId: chain.at(-1) }),
        ...(odd(id) ? [north, allEmbedUsers] : [north]).map((grantee) =>
          share(1, 'workbook', id, grantee),
        ),
      ]
    }),
  )
  return { catalog, due }
}

/** Documents that can't be made smaller: 135 KB as text, 100 KB as stored. */
function largeDocuments(): Shape {
  const due = range(60)
  const catalog = new MemoryTables([
    folder(1, 1, null),
    share(1, 'folder', 1, north),
    ...due.map((id) =>
      workbook(1, id, { folderId: 1, meta: { text: randomBytes(100_000).toString('base64') } }),
    ),
  ])
  return { catalog, due }
}

/** Workbooks at the top level, with whom each is shared and which are gone by their ids. */
function direct(
  count: number,
  granteesOf: (id: number) => readonly object[],
  isGone: (id: number) => boolean,
): Shape {
  const catalog = new MemoryTables(
    range(count).flatMap((id) => [
      isGone(id) ? without(workbook(1, id)) : workbook(1, id),
      ...granteesOf(id).map((grantee) => share(1, 'workbook', id, grantee)),
    ]),
  )
  return { catalog, due: range(count).filter((id) => !isGone(id)) }
}

/**
 * More shared folders than a page reads shares, few workbooks in them, and many that are shared
 * directly.
 */
function foldersThenDirect(): Shape {
  const catalog = new MemoryTables([
    ...range(1500).flatMap((id) => [folder(1, id, null), share(1, 'folder', id, north)]),
    ...range(90).map((id) => workbook(1, id, { folderId: id * 7 })),
    ...range(300, 91).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, north)]),
  ])
  return { catalog, due: range(390) }
}
