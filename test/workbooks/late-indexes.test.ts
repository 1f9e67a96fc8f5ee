import { describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { allEmbedUsers, embedTenant, folder, share, without, workbook } from '../support/catalog.ts'
import { range } from './range.ts'
import { readPages } from './read-pages.ts'

const north = embedTenant('north')

/**
 * Folders 1 and 2 are shared, 3 is not; 4 lies in 1, 5 in 2 and 6 in 3. Each has workbooks 10, 11
 * and so on of its id.
 */
const six = () =>
  new MemoryTables([
    ...[1, 2, 3].map((id) => folder(1, id, null)),
    ...[4, 5, 6].map((id) => folder(1, id, id - 3)),
    share(1, 'folder', 1, north),
    share(1, 'folder', 2, allEmbedUsers),
    ...[1, 2, 3, 4, 5, 6].flatMap((id) =>
      [10, 11].map((more) => workbook(1, 100 * id + more, { folderId: id })),
    ),
  ])

const seen = async (catalog: MemoryTables, source?: 'folder', first?: number) =>
  (await readPages(catalog, source, first)).ids

const due = [110, 111, 210, 211, 410, 411, 510, 511]
const dueIn = (folderIds: readonly number[]) =>
  due.filter((id) => folderIds.includes(Math.floor(id / 100)))

/** What was written a moment ago, while all indexes are as they were before. */
describe('a list that reads late indexes', () => {
  const inFolder = (folderId: number | null) => [workbook(1, 110, { folderId })]
  const moved = (parentId: number | null) => [folder(1, 4, parentId)]

  test.each<[string, (readonly object[])[], number[]]>([
    ['all in shared folders and below while nothing changes', [[]], due],
    [
      'no workbook in the folder that it has left, wherever it went',
      [null, 2, 3, 5].map(inFolder),
      due.filter((id) => id !== 110),
    ],
    [
      'nothing below a folder that has left a shared one',
      [null, 3, 6].map(moved),
      dueIn([1, 2, 5]),
    ],
    ['what is below a folder that went from one shared folder to another', [2, 5].map(moved), due],
    ['all in and below a shared folder that moved, as the indexes say', [[folder(1, 1, 6)]], due],
    [
      'nothing in or below a folder that was deleted',
      [[without(folder(1, 2, null))]],
      dueIn([1, 4]),
    ],
    [
      'nothing in or below a folder that moved and is shared no longer',
      [[folder(1, 1, 6), without(share(1, 'folder', 1, north))]],
      dueIn([2, 5]),
    ],
  ])('shows %s', async (_, late, expected) => {
    for (const changes of late) expect(await seen(six().addLate(changes))).toEqual(expected)
  })

  test.each([1, 2, 3, 100])(
    'shows no workbook that was deleted, and all others, %i at a time',
    async (first) => {
      const catalog = six().addLate([211, 410].map((id) => without(workbook(1, id))))
      expect(await seen(catalog, undefined, first)).toEqual(
        due.filter((id) => id !== 211 && id !== 410),
      )
    },
  )

  test('shows what is below a folder that went to a shared one by one that moved too', async () => {
    const catalog = six().addLate([folder(1, 6, 2), folder(1, 4, 6)])
    expect(await seen(catalog)).toEqual(dueIn([1, 2, 5]))
    expect(await seen(catalog.catchUp())).toEqual([...due, 610, 611])
  })

  test('shows nothing at a path of which a part is not known, until it is', async () => {
    const catalog = six().add([20, 21, 22].map((id) => folder(1, id, null)))
    catalog.addLate([folder(1, 1, 20), folder(1, 20, 21), folder(1, 21, 22)])
    expect(await seen(catalog)).toEqual(dueIn([2, 5]))
    expect(await seen(catalog.catchUp())).toEqual(due)
  })

  test('shows what is shared twice, of which one share is gone', async () => {
    for (const grantee of [north, allEmbedUsers]) {
      const shares = [north, allEmbedUsers].map((each) => share(1, 'workbook', 1, each))
      const catalog = new MemoryTables([workbook(1, 1), ...shares])
      expect(await seen(catalog.addLate([without(share(1, 'workbook', 1, grantee))]))).toEqual([1])
    }
  })

  test.each([
    [16, 16],
    [1, 31],
    [32, 32],
  ])(
    'counts to 32 levels where a chain of %i folders moved below one of %i',
    async (below, above) => {
      const chain = (count: number, from: number) =>
        range(count, from).flatMap((id) => [
          folder(1, id, id === from ? null : id - 1),
          ...[north, allEmbedUsers].map((grantee) => share(1, 'folder', id, grantee)),
        ])
      const catalog = new MemoryTables([
        ...[...chain(above, 100), ...chain(below, 200)],
        workbook(1, 1, { folderId: 199 + below }),
      ]).addLate([folder(1, 200, 99 + above)])
      const source = 'folder'
      const { ids } = await readPages(catalog, source)
      expect((await readPages(catalog.catchUp(), source)).ids).toEqual(ids)
      expect(ids).toEqual([1])
    },
  )

  test('shows no workbook whose own share is gone, unless a folder gives it', async () => {
    const both = [210, 211, 610, 611].map((id) => share(1, 'workbook', id, north))
    const catalog = six().add(both)
    expect(await seen(catalog)).toEqual([...due, 610, 611])
    catalog.addLate([
      without(share(1, 'workbook', 610, north)),
      without(share(1, 'folder', 2, allEmbedUsers)),
    ])
    expect(await seen(catalog)).toEqual([...dueIn([1, 4]), 210, 211, 611])
  })

  test('leaves out of the union what went to a shared folder a moment ago', async () => {
    const catalog = six().add([share(1, 'workbook', 610, north)])
    catalog.addLate([workbook(1, 610, { folderId: 2 })])
    expect(await seen(catalog)).toEqual(due)
    expect((await readPages(catalog, 'tenant')).ids).toEqual([610])
    expect(await seen(catalog.catchUp())).toEqual([...due.slice(0, 4), 610, ...due.slice(4)])
  })

  test('says that a page follows if the indexes name more, which may be gone', async () => {
    const { pages } = await readPages(six().addLate([without(workbook(1, 511))]), 'folder', 7)
    expect(pages.map(({ ids }) => ids.length)).toEqual([7, 0])
  })

  test.each(['folder', undefined] as const)(
    'keeps within the bounds of a page while very many folders move (%s)',
    async (source) => {
      const moved = range(60)
      const chainOf = (id: number) => range(30, 1000 * id)
      const catalog = new MemoryTables([
        ...moved.flatMap((id) => [
          folder(1, id, null),
          share(1, 'folder', id, north),
          workbook(1, id, { folderId: id }),
          workbook(1, 1000 + id, { folderId: id + 10_000_000 }),
          share(1, 'workbook', 1000 + id, north),
          ...chainOf(id).map((above, index) => folder(1, above, index === 0 ? null : above - 1)),
        ]),
      ]).addLate(moved.map((id) => folder(1, id, chainOf(id).at(-1) as number)))
      const before = (await readPages(catalog, source, 200)).ids
      expect(before.filter((id) => id > 1000)).toEqual(source ? [] : range(60, 1001))
      expect(before.length).toBeGreaterThan(source ? 0 : 60)
      const { ids } = await readPages(catalog.catchUp(), source, 200)
      expect(ids).toEqual(source ? moved : [...moved, ...range(60, 1001)])
    },
  )
})
