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
const isUpTo = (last: number) => (id: number) => id <= last

/** What all pages of a list cost together. */
type Totals = readonly [pages: number, calls: number, trips: number, entries: number, items: number]

testLists(undefined, 100, {
  'one folder of 1,000 among others': [
    () => folders(3, (at) => at === 1, 1000, 100),
    [10, 70, 40, 1019, 1020],
  ],
  'two folders of 80 far apart': [
    () => folders(60, (at) => at % 49 === 1, 80, 100),
    [2, 15, 8, 224, 166],
  ],
  '300 folders of 5 in a row': [
    () => folders(500, (at) => at >= 100 && at < 400, 5, 5),
    [15, 105, 60, 7400, 2100],
  ],
  '600 shared folders, most empty': [
    () => folders(1201, odd, oneIn(200, 199, 1), 100),
    [1, 46, 8, 56706, 18],
  ],
  'four shared folders that are gone, with 2,000 workbooks': [goneFolders, [4, 41, 27, 1226, 709]],
  '60 workbooks at the bottom of chains': [
    () => chains(60, 'workbook', 32),
    [1, 28, 5, 1950, 2140],
  ],
  '390 workbooks, 90 of them in 1,500 shared folders': [foldersThenDirect, [4, 35, 15, 6610, 870]],
  '500 workbooks shared one by one': [() => direct(500, () => [north]), [5, 38, 15, 1200, 1000]],
  '500 workbooks shared with all, most with the tenant too': [
    () => direct(500, (id) => (id % 3 ? [north, allEmbedUsers] : [allEmbedUsers])),
    [5, 43, 15, 2135, 1334],
  ],
  '1,000 workbooks shared one by one, the first 900 gone': [
    () => direct(1000, (id) => [id > 100 && odd(id) ? north : allEmbedUsers], isUpTo(900)),
    [3, 30, 17, 1400, 1100],
  ],
})
testLists(undefined, 10, {
  '600 workbooks shared with all, each tenth with the tenant, the first 300 gone': [
    () => direct(600, (id) => [id % 10 ? allEmbedUsers : north], isUpTo(300)),
    [32, 263, 105, 1997, 936],
  ],
})
testLists('folder', 100, {
  '200 folders of 1, all shared': [() => folders(200, all, 1), [2, 16, 8, 700, 600]],
  '500 shared folders of 1 between others of 100': [
    () => folders(1000, odd, 1, 100),
    [5, 138, 30, 47836, 1500],
  ],
  '11 shared folders of 1 after 300 empty ones, between others of 300': [
    () => folders(622, odd, (at) => Number(at > 600), 300),
    [1, 293, 9, 7722, 33],
  ],
  '6 shared folders of 300 between others of 300': [
    () => folders(12, odd, 300, 300),
    [18, 130, 72, 3415, 1836],
  ],
  '300 shared folders of 1 between others of 5 or 1,500': [
    () => folders(600, odd, 1, oneIn(50, 0, 1500, 5)),
    [3, 64, 19, 18585, 900],
  ],
  '1,000 empty shared folders between full ones': [
    () => folders(2020, odd, oneIn(202, 5, 30), 100),
    [3, 100, 24, 106730, 324],
  ],
  '10,000 empty shared folders in a row': [
    () => folders(10_010, all, oneIn(1001, 5, 9)),
    [1, 7, 4, 10100, 110],
  ],
  '60 chains of folders, all shared': [() => chains(60, 'folder', 32), [2, 75, 14, 9564, 4860]],
  '150 folders at the bottom of one chain': [broom, [2, 21, 8, 922, 1008]],
  '60 large documents in a folder': [() => largeDocuments('folder'), [2, 18, 12, 206, 68]],
})
testLists('tenant', 100, {
  '120 workbooks, each second below 30 folders': [
    () => chains(120, 'workbook', (id) => (odd(id) ? 30 : 1)),
    [2, 32, 8, 3620, 2272],
  ],
  '120 workbooks out of as many folders': [() => chains(120, 'workbook', 2), [2, 12, 6, 380, 480]],
  '60 large documents shared one by one': [() => largeDocuments('workbook'), [2, 14, 10, 204, 124]],
  '500 workbooks shared one by one, each second gone': [
    () => direct(500, () => [north], odd),
    [3, 25, 19, 520, 750],
  ],
})
testLists('tenant', 200, {
  '200 workbooks, each below three folders of its own': [
    () => chains(200, 'workbook', 3),
    [1, 15, 5, 600, 1000],
  ],
})

type Shape = { readonly catalog: MemoryTables; readonly due: readonly number[] }

/**
 * Tests that lists cost what they did, with so many workbooks a page. A little more or less is no
 * matter, so that a width may change. Some catalogs have 100,000 entries.
 */
function testLists(
  source: Source,
  first: number,
  lists: Readonly<Record<string, readonly [() => Shape, Totals]>>,
) {
  test.each(Object.entries(lists))(
    'A list of %s costs what it did',
    slow,
    async (_, [shape, expected]) => {
      const { catalog, due } = shape()
      const { ids, pages } = await readPages(catalog, source, first)
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

/**
 * Chains of folders, each with a workbook at the bottom. Either the folders or the workbooks are
 * shared.
 */
function chains(count: number, sharedKind: 'folder' | 'workbook', levels: Size): Shape {
  const due = range(count)
  const catalog = new MemoryTables(
    due.flatMap((id) => {
      const chain = range(sizeAt(id, levels), 1000 * id)
      return [
        ...chain.map((above, index) => folder(1, above, chain[index - 1] ?? null)),
        workbook(1, id, { folderId: chain.at(-1) }),
        ...(sharedKind === 'workbook' ? [id] : chain).flatMap((shared) =>
          (odd(shared) ? [north, allEmbedUsers] : [north]).map((grantee) =>
            share(1, sharedKind, shared, grantee),
          ),
        ),
      ]
    }),
  )
  return { catalog, due }
}

/** Documents that can't be made smaller: 135 KB as text, 100 KB as stored. */
function largeDocuments(sharedKind: 'folder' | 'workbook'): Shape {
  const due = range(60)
  const catalog = new MemoryTables([
    folder(1, 1, null),
    ...(sharedKind === 'workbook' ? due : [1]).map((id) => share(1, sharedKind, id, north)),
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
  isGone = (_: number) => false,
): Shape {
  const catalog = new MemoryTables(
    range(count).flatMap((id) => [
      isGone(id) ? without(workbook(1, id)) : workbook(1, id),
      ...granteesOf(id).map((grantee) => share(1, 'workbook', id, grantee)),
    ]),
  )
  return { catalog, due: range(count).filter((id) => !isGone(id)) }
}

function goneFolders(): Shape {
  const catalog = new MemoryTables([
    ...range(4).map((id) => share(1, 'folder', id, north)),
    ...range(2000).map((id) => workbook(1, id, { folderId: 1 + (id % 4) })),
    workbook(1, 9000),
    share(1, 'workbook', 9000, north),
  ])
  return { catalog, due: [9000] }
}

/** Folders at the bottom of one chain, each with a workbook. All are shared. */
function broom(): Shape {
  const [chain, twigs] = [range(31), range(150, 100)]
  const catalog = new MemoryTables([
    ...chain.map((id) => folder(1, id, id === 1 ? null : id - 1)),
    ...twigs.map((id) => folder(1, id, 31)),
    ...[...chain, ...twigs].map((id) => share(1, 'folder', id, north)),
    ...twigs.map((id) => workbook(1, id, { folderId: id })),
  ])
  return { catalog, due: twigs }
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
