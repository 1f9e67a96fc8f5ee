import { randomBytes } from 'node:crypto'
import { byFolderPartition, folderEntry, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import { expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { allEmbedUsers, embedTenant, folder, share, without, workbook } from '../support/catalog.ts'
import { slow } from '../support/time.ts'
import type { Source } from './model.ts'
import { range } from './range.ts'
import { readPages } from './read-pages.ts'

const north = embedTenant('north')
const odd = (index: number) => index % 2 === 1
const isUpTo = (last: number) => (id: number) => id <= last

type Shape = { readonly catalog: MemoryTables; readonly due: readonly number[] }

type Row = { readonly isShared: boolean; readonly size: number }
const shared = (size: number): Row => ({ isShared: true, size })
const others = (size: number): Row => ({ isShared: false, size })

/**
 * Folders at the top level, each with its number of workbooks. Some are shared with the tenant or with all. Of workbooks in
 * the others, only the entries in the index by folder count.
 */
function folders(count: number, at: (index: number) => Row): Shape {
  const catalog = new MemoryTables()
  const due: number[] = []
  let next = 1
  for (const index of range(count, 0)) {
    const { isShared, size } = at(index)
    const ids = range(size, next)
    next += size
    catalog.add([folder(1, index, null)])
    if (isShared) {
      catalog.add([share(1, 'folder', index, index % 2 ? north : allEmbedUsers)])
      catalog.add(ids.map((id) => workbook(1, id, { folderId: index })))
      due.push(...ids)
      continue
    }
    for (const id of ids) {
      const entry = { contents: byFolderPartition(1), folderEntry: folderEntry(index, id) }
      catalog.put('catalog', { ...workbookKey(1, id), ...entry })
    }
  }
  return { catalog, due }
}

/** Chains of folders, as deep as may be or less, with a workbook at the bottom. Either the folders or the workbooks are shared. */
function chains(count: number, sharedKind: 'folder' | 'workbook', levelsOf = (_: number) => 32): Shape {
  const due = range(count)
  const idsOf = (chain: number) => range(levelsOf(chain), 1000 * chain)
  const catalog = new MemoryTables(
    due.flatMap((id) => [
      ...idsOf(id).map((above, index, ids) => folder(1, above, ids[index - 1] ?? null)),
      workbook(1, id, { folderId: idsOf(id).at(-1) }),
      ...(sharedKind === 'workbook' ? [id] : idsOf(id)).flatMap((shared) => [
        share(1, sharedKind, shared, north),
        ...(shared % 2 ? [share(1, sharedKind, shared, allEmbedUsers)] : []),
      ]),
    ]),
  )
  return { catalog, due }
}

/** Documents that can't be made smaller: 135 KB as text, 100 KB as stored. */
function largeDocuments(isDirect: boolean): Shape {
  const due = range(60)
  const catalog = new MemoryTables([
    folder(1, 1, null),
    ...(isDirect ? due.map((id) => share(1, 'workbook', id, north)) : [share(1, 'folder', 1, north)]),
    ...due.map((id) => workbook(1, id, { folderId: 1, meta: { text: randomBytes(100_000).toString('base64') } })),
  ])
  return { catalog, due }
}

/** Workbooks at the top level, with whom each is shared and which are gone by their ids. */
function direct(
  count: number,
  granteesOf: (id: number) => readonly object[],
  isGone: (id: number) => boolean = () => false,
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

/** More shared folders than a page reads shares, few workbooks in them, and many that are shared directly. */
function foldersThenDirect(): Shape {
  const catalog = new MemoryTables([
    ...range(1500).flatMap((id) => [folder(1, id, null), share(1, 'folder', id, north)]),
    ...range(90).map((id) => workbook(1, id, { folderId: id * 7 })),
    ...range(300, 91).flatMap((id) => [workbook(1, id), share(1, 'workbook', id, north)]),
  ])
  return { catalog, due: range(390) }
}

type Totals = readonly [pages: number, calls: number, trips: number, entries: number, items: number]
type Query = { readonly source?: Source; readonly first?: number }

const inFolders: Query = { source: 'folder' }
const ofTenant: Query = { source: 'tenant' }
const oneByOne = () => [north]

/** Lists of 100 workbooks a page, if not told otherwise, and what all their pages cost together. */
const lists: Readonly<Record<string, readonly [() => Shape, Query, Totals]>> = {
  'one folder of 1,000 among others': [
    () => folders(3, (at) => (at === 1 ? shared(1000) : others(100))),
    {},
    [10, 70, 40, 1019, 1020],
  ],
  'two folders of 80 far apart': [
    () => folders(60, (at) => (at % 49 === 1 ? shared(80) : others(100))),
    {},
    [2, 15, 8, 224, 166],
  ],
  '300 folders of 5 side by side': [
    () => folders(500, (at) => (at >= 100 && at < 400 ? shared(5) : others(5))),
    {},
    [15, 105, 60, 7400, 2100],
  ],
  '200 folders of 1, all shared': [() => folders(200, () => shared(1)), inFolders, [2, 16, 8, 700, 600]],
  '500 shared folders of 1 between unshared ones of 100': [
    () => folders(1000, (at) => (odd(at) ? shared(1) : others(100))),
    inFolders,
    [5, 138, 30, 47836, 1500],
  ],
  '200 shared folders of 1 or none between unshared ones of 300': [
    () => folders(400, (at) => (odd(at) ? shared(Number(at > 200)) : others(300))),
    inFolders,
    [3, 157, 22, 19299, 300],
  ],
  '6 shared folders of 300 between unshared ones of 300': [
    () => folders(12, (at) => (odd(at) ? shared(300) : others(300))),
    inFolders,
    [18, 130, 72, 3415, 1836],
  ],
  '300 shared folders of 1 between unshared ones of 5 or 1,500': [
    () => folders(600, (at) => (odd(at) ? shared(1) : others(at % 50 === 0 ? 1500 : 5))),
    inFolders,
    [3, 64, 19, 18585, 900],
  ],
  '1,000 empty shared folders between full ones': [
    () => folders(2020, (at) => (odd(at) ? shared(at % 202 === 5 ? 30 : 0) : others(100))),
    inFolders,
    [3, 100, 24, 106730, 324],
  ],
  '600 shared folders that are mostly empty': [
    () => folders(1201, (at) => (odd(at) ? shared(Number(at % 200 === 199)) : others(100))),
    {},
    [1, 46, 8, 56706, 18],
  ],
  '10,000 empty shared folders side by side': [
    () => folders(10_010, (at) => shared(at % 1001 === 5 ? 9 : 0)),
    inFolders,
    [1, 7, 4, 10100, 110],
  ],
  'four shared folders that are gone, with 2,000 workbooks': [goneFolders, {}, [4, 41, 27, 1226, 709]],
  '60 chains of folders, all shared': [() => chains(60, 'folder'), inFolders, [2, 75, 14, 9564, 4860]],
  '60 workbooks at the bottom of chains': [() => chains(60, 'workbook'), {}, [1, 28, 5, 1950, 2140]],
  '120 workbooks, each second below 30 folders': [
    () => chains(120, 'workbook', (id) => (odd(id) ? 30 : 1)),
    ofTenant,
    [2, 32, 8, 3620, 2272],
  ],
  '150 folders at the bottom of one chain': [broom, inFolders, [2, 21, 8, 922, 1008]],
  '120 workbooks out of as many folders': [() => chains(120, 'workbook', () => 2), ofTenant, [2, 12, 6, 380, 480]],
  '60 large documents in a folder': [() => largeDocuments(false), inFolders, [2, 18, 12, 206, 68]],
  '60 large documents shared one by one': [() => largeDocuments(true), ofTenant, [2, 14, 10, 204, 124]],
  '390 workbooks, 90 of them in 1,500 shared folders': [foldersThenDirect, {}, [4, 35, 15, 6610, 870]],
  '500 workbooks shared one by one': [() => direct(500, oneByOne), {}, [5, 38, 15, 1200, 1000]],
  '500 workbooks shared with all, most with the tenant too': [
    () => direct(500, (id) => (id % 3 ? [north, allEmbedUsers] : [allEmbedUsers])),
    {},
    [5, 43, 15, 2135, 1334],
  ],
  '600 workbooks shared with all, each tenth with the tenant, the first 300 gone': [
    () => direct(600, (id) => [id % 10 ? allEmbedUsers : north], isUpTo(300)),
    { first: 10 },
    [32, 263, 105, 1997, 936],
  ],
  '200 workbooks, each below three folders of its own': [
    () => chains(200, 'workbook', () => 3),
    { source: 'tenant', first: 200 },
    [1, 15, 5, 600, 1000],
  ],
  '1,000 workbooks shared one by one, the first 900 gone': [
    () => direct(1000, (id) => [id > 100 && odd(id) ? north : allEmbedUsers], isUpTo(900)),
    {},
    [3, 30, 17, 1400, 1100],
  ],
  '500 workbooks shared one by one, each second gone': [
    () => direct(500, oneByOne, odd),
    ofTenant,
    [3, 25, 19, 520, 750],
  ],
}

const isNear = (actual: number, expected: number) => Math.abs(actual - expected) <= expected * 0.03

// A little more or less is no matter, so that a width may change. Some catalogs have 100,000 entries.
test.each(Object.entries(lists))('A list of %s costs what it did', slow, async (_, [shape, query, expected]) => {
  const { catalog, due } = shape()
  const { ids, pages } = await readPages(catalog, query.source, query.first)
  expect(ids).toEqual(due)
  const sum = (of: 'calls' | 'roundTrips' | 'entries' | 'items') => pages.reduce((total, page) => total + page[of], 0)
  const totals: Totals = [pages.length, sum('calls'), sum('roundTrips'), sum('entries'), sum('items')]
  if (!totals.every((actual, index) => isNear(actual, expected[index] as number))) expect(totals).toEqual(expected)
})
