import { SharesWith } from '@embed-access/core/workbooks/shares-with.ts'
import { describe, expect, test } from 'vitest'
import { embedTenant, share } from '../changes.ts'
import { PlanDatabase } from './plan-database.ts'
import { range } from './range.ts'

const north = embedTenant('north')

/** Shares of folders 1 to `folders` and workbooks 1 to `workbooks`. One Query gives this many bytes of them. */
function shared(folders: number, workbooks: number, after = '', queryBytes?: number) {
  const database = new PlanDatabase(queryBytes).apply([
    ...range(folders).map((id) => share(1, 'folder', id, north)),
    ...range(workbooks).map((id) => share(1, 'workbook', id, north)),
  ])
  return { database, shares: new SharesWith(database.storage, 1, north, after) }
}

describe('the shares with a grantee', () => {
  test('of workbooks are read on, so many at a time', async () => {
    const { database, shares } = shared(3, 3)
    expect([shares.goesOn, shares.hasReadUpTo(1)]).toEqual([true, false])
    const { result } = await database.measure(() => shares.readWorkbooks(2))
    expect(result).toEqual({ calls: 1, roundTrips: 1 })
    expect([shares.workbookIds, shares.folderIds, shares.goesOn]).toEqual([[1, 2], [], true])
    expect([1, 2, 3].map((id) => shares.hasReadUpTo(id))).toEqual([true, true, false])
    await database.measure(() => shares.readWorkbooks(2))
    expect([shares.workbookIds, shares.goesOn, shares.hasReadUpTo(99)]).toEqual([[1, 2, 3], false, true])
  })

  test('of workbooks begin after a position', async () => {
    const { database, shares } = shared(1, 5, 'wa3')
    await database.measure(() => shares.readWorkbooks(9))
    expect(shares.workbookIds).toEqual([4, 5])
  })

  test('of folders are read to their end, and no workbook with them', async () => {
    const { database, shares } = shared(30, 9, '', 300)
    const { result, calls } = await database.measure(() => shares.readFolders())
    expect([shares.folderIds, shares.workbookIds]).toEqual([range(30), []])
    expect(result).toEqual({ calls, roundTrips: calls })
    expect([calls, shares.goesOn]).toEqual([5, true])
  })

  test('of folders come with the first workbooks in one call where they are few', async () => {
    const { database, shares } = shared(3, 9)
    const { result } = await database.measure(() => shares.readFoldersAndFirstWorkbooks(5))
    expect(result).toEqual({ calls: 1, roundTrips: 1 })
    expect([shares.folderIds, shares.workbookIds, shares.hasReadUpTo(2), shares.hasReadUpTo(3)]).toEqual([
      [1, 2, 3],
      [1, 2],
      true,
      false,
    ])
    const all = shared(3, 2)
    await all.database.measure(() => all.shares.readFoldersAndFirstWorkbooks(9))
    expect([all.shares.folderIds, all.shares.workbookIds, all.shares.goesOn]).toEqual([[1, 2, 3], [1, 2], false])
  })

  test('of folders are read to their end where they are many, and the workbooks later', async () => {
    const { database, shares } = shared(9, 2)
    const { result } = await database.measure(() => shares.readFoldersAndFirstWorkbooks(5))
    expect(result).toEqual({ calls: 2, roundTrips: 2 })
    expect([shares.folderIds, shares.workbookIds, shares.goesOn]).toEqual([range(9), [], true])
    await database.measure(() => shares.readWorkbooks(9))
    expect([shares.workbookIds, shares.goesOn]).toEqual([[1, 2], false])
  })
})
