import { maxDocumentBytes } from '@embed-access/core/storage/document.ts'
import { type Entry, pageBytes } from '@embed-access/core/storage/page.ts'
import { accessReasons } from '@embed-access/core/workbooks/access-sources.ts'
import { Budget } from '@embed-access/core/workbooks/budget.ts'
import { directHits } from '@embed-access/core/workbooks/direct-hits.ts'
import { folderPath } from '@embed-access/core/workbooks/folder-path.ts'
import { largeDocumentBytes } from '@embed-access/core/workbooks/keys.ts'
import { portionOf } from '@embed-access/core/workbooks/portion.ts'
import { directPosition } from '@embed-access/core/workbooks/position.ts'
import type { SharesWith } from '@embed-access/core/workbooks/shares-with.ts'
import { describe, expect, test } from 'vitest'

describe('the portion of hits that is read next', () => {
  const hits = Array.from({ length: 200 }, (_, id) => ({ id, position: directPosition(id), grantees: [] }))
  const portion = (large: (id: number) => boolean, taken = 0) => {
    const listing = { folders: { isLarge: large } } as unknown as Parameters<typeof portionOf>[0]
    const entries = taken > 0 ? [{ json: 'x'.repeat(taken) } as unknown as Entry] : []
    return portionOf(listing, hits, entries).length
  }

  test('comes to less than twice the room, however large the documents are', () => {
    expect(portion(() => false)).toBe(Math.floor((1.9 * pageBytes) / largeDocumentBytes))
    expect(portion(() => true)).toBe(Math.floor((1.9 * pageBytes) / maxDocumentBytes))
    expect(portion((id) => id === 0)).toBe(Math.floor((1.9 * pageBytes - maxDocumentBytes) / largeDocumentBytes) + 1)
  })

  test('is smaller where the page is partly full, and one hit where it is full', () => {
    const half = pageBytes / 2
    expect(portion(() => false, half)).toBe(Math.floor((1.9 * half) / largeDocumentBytes))
    expect(portion(() => false, pageBytes)).toBe(1)
  })

  test('is all of few hits', () => {
    const listing = { folders: { isLarge: () => false } } as unknown as Parameters<typeof portionOf>[0]
    expect(portionOf(listing, hits.slice(0, 3), [])).toEqual(hits.slice(0, 3))
    expect(portionOf(listing, [], [])).toEqual([])
  })
})

describe('the path of a folder', () => {
  const path = (from: number | null, parents: Readonly<Record<number, number | null>>) =>
    folderPath(from, (id) => {
      const parentId = parents[id]
      return parentId === undefined ? undefined : { name: `Folder ${id}`, parentId }
    }).map(({ id }) => id)

  test('goes from the root to the folder, up to ten levels', () => {
    const chain = Object.fromEntries(Array.from({ length: 11 }, (_, id) => [id, id === 0 ? null : id - 1]))
    expect(path(null, chain)).toEqual([])
    expect(path(0, chain)).toEqual([0])
    expect(path(9, chain)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(path(10, chain)).toEqual([10])
  })

  test('begins where a parent is not there, and is the folder alone where it lies within itself', () => {
    expect(path(2, { 2: 1, 1: 99 })).toEqual([1, 2])
    expect(path(99, {})).toEqual([])
    expect(path(1, { 1: 2, 2: 1 })).toEqual([1])
    expect(path(1, { 1: 1 })).toEqual([1])
  })
})

test('The reasons for a workbook are its direct shares and then each share of each folder, root first', () => {
  const north = { type: 'embedTenant', name: 'north' } as const
  const everybody = { type: 'allEmbedUsers' } as const
  const folders = [
    { id: 1, name: 'Root', parentId: null, grantees: [north, everybody] },
    { id: 2, name: 'Leaf', parentId: 1, grantees: [] },
  ]
  expect(accessReasons([north, everybody], folders)).toEqual([
    { source: 'tenant' },
    { source: 'allEmbedUsers' },
    { source: 'folder', folder: { id: 1, name: 'Root' }, grantee: north },
    { source: 'folder', folder: { id: 1, name: 'Root' }, grantee: everybody },
  ])
})

describe('workbooks that are shared directly', () => {
  const north = { type: 'embedTenant', name: 'north' } as const
  const everybody = { type: 'allEmbedUsers' } as const

  /** Shares, of which a number was read. The others are read a number at a time. */
  function shares(grantee: typeof north | typeof everybody, ids: readonly number[], read: number) {
    let known = read
    const reads: number[] = []
    return {
      reads,
      shares: {
        grantee,
        get workbookIds() {
          return ids.slice(0, known)
        },
        get goesOn() {
          return known < ids.length
        },
        hasReadUpTo: (id: number) => known >= ids.length || (known > 0 && id <= (ids[known - 1] as number)),
        async readWorkbooks(limit: number) {
          reads.push(limit)
          known = Math.min(known + limit, ids.length)
          return { calls: 1, roundTrips: 1 }
        },
      } as unknown as SharesWith,
    }
  }
  const found = async (
    all: ReturnType<typeof shares>[],
    wanted: number,
    after = 'w',
    budget = new Budget(100, 100),
  ) => {
    const { hits, end } = await directHits(
      all.map(({ shares }) => shares),
      after,
      wanted,
      budget,
    )
    return { ids: hits.map(({ id }) => id), end, hits }
  }

  test('come by id, once each, and say with whom they are shared', async () => {
    const { hits, end } = await found([shares(north, [1, 3, 5], 3), shares(everybody, [2, 3], 2)], 10)
    expect(hits.map(({ id, grantees }) => [id, grantees])).toEqual([
      [1, [north]],
      [2, [everybody]],
      [3, [north, everybody]],
      [5, [north]],
    ])
    expect(end).toBeUndefined()
  })

  test('come after a position, as many as are wanted, and the last one is where the next page begins', async () => {
    const all = () => [shares(north, [1, 2, 3, 4], 4)]
    expect(await found(all(), 2)).toMatchObject({ ids: [1, 2], end: directPosition(2) })
    expect(await found(all(), 2, directPosition(2))).toMatchObject({ ids: [3, 4], end: undefined })
    expect(await found(all(), 4)).toMatchObject({ ids: [1, 2, 3, 4], end: undefined })
    expect(await found(all(), 4, directPosition(4))).toMatchObject({ ids: [], end: undefined })
  })

  test('are read on where another share may come before, and only there', async () => {
    const [ours, theirs] = [shares(north, [1, 5, 9], 3), shares(everybody, [2, 3, 8], 1)]
    const budget = new Budget(100, 100)
    expect(await found([ours, theirs], 4, 'w', budget)).toMatchObject({ ids: [1, 2, 3, 5] })
    expect([ours.reads, theirs.reads]).toEqual([[], [4]])
    expect([budget.calls, budget.roundTrips]).toEqual([99, 99])
  })

  test('are not read on in shares that were read beyond what is looked for', async () => {
    const [ours, theirs] = [shares(north, [1, 5, 9, 12], 3), shares(everybody, [2, 3, 8], 1)]
    expect(await found([ours, theirs], 4)).toMatchObject({ ids: [1, 2, 3, 5] })
    expect([ours.reads, theirs.reads]).toEqual([[], [4]])
    const enough = shares(north, [1, 2, 3], 2)
    expect(await found([enough], 2)).toMatchObject({ ids: [1, 2], end: directPosition(2) })
    expect(enough.reads).toEqual([])
  })

  test('end early where the budget does not allow to look for more', async () => {
    const theirs = shares(everybody, [2, 3, 8], 1)
    const { ids, end } = await found([shares(north, [1, 5], 2), theirs], 4, 'w', new Budget(20, 4))
    expect([ids, end, theirs.reads]).toEqual([[1, 2], directPosition(2), []])
    const none = await found([shares(north, [1, 5], 0)], 4, 'w', new Budget(20, 4))
    expect([none.ids, none.end]).toEqual([[], 'w'])
  })
})
