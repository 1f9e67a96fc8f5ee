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
const hardToCompress = randomBytes(105_000).toString('base64')

/** One for each way in which a list could become expensive. */
const lists: readonly List[] = [
  // Of many shared folders, the entries between them are passed over.
  [
    '200 shared folders of 1 between others of 100',
    'folder',
    100,
    () => folders(400, odd, 1, () => 100),
    [2, 54, 12, 17203, 600],
  ],
  // Of few, each is read to its end.
  [
    '6 shared folders of 300 between others of 300',
    'folder',
    100,
    () => folders(12, odd, 300, () => 300),
    [18, 130, 72, 3415, 1836],
  ],
  // If they are empty, each trip reads more of them. A page whose trips are used ends.
  [
    '450 empty shared folders, the first 4 between others of 600',
    'folder',
    100,
    () => folders(900, odd, 0, (index) => (index < 8 ? 600 : 1)),
    [2, 382, 9, 2018, 0],
  ],
  // A trip reads no more than a Query gives.
  [
    '300 empty shared folders between others of 200',
    'folder',
    200,
    () => folders(600, odd, 0, () => 200),
    [1, 31, 5, 54902, 0],
  ],
  // Shares of workbooks that are gone.
  [
    '600 workbooks shared with all, each tenth with the tenant, half of them gone',
    undefined,
    10,
    () =>
      direct(
        600,
        (id) => [id % 10 ? allEmbedUsers : north],
        (id) => id <= 300,
      ),
    [32, 263, 105, 1997, 936],
  ],
  [
    '300 workbooks shared with all, half of them gone, in large pages',
    'allEmbedUsers',
    100,
    () => direct(300, () => [allEmbedUsers], odd),
    [2, 16, 12, 310, 450],
  ],
  // A trip has room for few folders, so it reads few workbooks.
  [
    '60 workbooks in shared folders of 32 levels',
    'folder',
    100,
    sharedChains,
    [2, 35, 14, 3924, 2040],
  ],
  // A trip reads few large documents, since the page has no room for more.
  [
    '60 workbooks of 140 KB',
    'tenant',
    100,
    () =>
      direct(
        60,
        () => [north],
        () => false,
        { meta: { text: hardToCompress } },
      ),
    [2, 16, 12, 205, 120],
  ],
]

test.each(lists)(
  'A list of %s costs what it did',
  slow,
  async (_, source, first, shape, expected) => {
    const { catalog, due } = shape()
    const { ids, pages } = await readPages(catalog, source, first)
    expect(ids).toEqual(due)
    const sum = (of: 'calls' | 'roundTrips' | 'entries' | 'items') =>
      pages.reduce((total, page) => total + page[of], 0)
    const totals = [pages.length, sum('calls'), sum('roundTrips'), sum('entries'), sum('items')]
    // A little more or less is no matter, so that a width may change.
    const isNear = expected.every(
      (total, index) => Math.abs((totals[index] as number) - total) <= total * 0.03,
    )
    if (!isNear) expect(totals).toEqual(expected)
  },
)

/** What all pages cost together. */
type Totals = readonly [pages: number, calls: number, trips: number, entries: number, items: number]

type List = readonly [
  name: string,
  source: Source,
  first: number,
  shape: () => Shape,
  expected: Totals,
]

type Shape = { readonly catalog: MemoryTables; readonly due: readonly number[] }

/**
 * Folders at the top level, each with its number of workbooks. Some are shared with the tenant or
 * with all. Of workbooks in the others, only the entries in the index by folder count.
 */
function folders(
  count: number,
  isShared: (index: number) => boolean,
  size: number,
  otherSize: (index: number) => number,
): Shape {
  const catalog = new MemoryTables()
  const due: number[] = []
  let next = 1
  for (const index of range(count, 0)) {
    const ids = range(isShared(index) ? size : otherSize(index), next)
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

/** As {@link chains}, but the lowest folder of each is shared. */
function sharedChains(): Shape {
  const { catalog, due } = chains(60, 32)
  catalog.add(due.map((id) => share(1, 'folder', 1000 * id + 31, north)))
  return { catalog, due }
}

/** Workbooks at the top level, with whom each is shared and which are gone by their ids. */
function direct(
  count: number,
  granteesOf: (id: number) => readonly object[],
  isGone: (id: number) => boolean,
  more = {},
): Shape {
  const catalog = new MemoryTables(
    range(count).flatMap((id) => [
      isGone(id) ? without(workbook(1, id)) : workbook(1, id, more),
      ...granteesOf(id).map((grantee) => share(1, 'workbook', id, grantee)),
    ]),
  )
  return { catalog, due: range(count).filter((id) => !isGone(id)) }
}
