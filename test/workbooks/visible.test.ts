import { BatchGetCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { Budget } from '@embed-access/core/workbooks/budget.ts'
import { folderKey } from '@embed-access/core/workbooks/keys.ts'
import { lookout } from '@embed-access/core/workbooks/lookout.ts'
import { directPosition, folderPosition } from '@embed-access/core/workbooks/position.ts'
import { visible } from '@embed-access/core/workbooks/visible.ts'
import { describe, expect, test } from 'vitest'
import { sentBy } from '../catalog/failing.ts'
import { allEmbedUsers, folder, share, workbook } from '../changes.ts'
import { PlanDatabase } from './plan-database.ts'

/** The keys that a call asks for. */
function keysIn(command: unknown): number {
  if (command instanceof TransactGetCommand) return command.input.TransactItems?.length ?? 0
  if (!(command instanceof BatchGetCommand)) return 0
  return Object.values(command.input.RequestItems ?? {})[0]?.Keys?.length ?? 0
}

/**
 * Folder 1 is shared. In it lie workbook 10 and folder 2 with workbook 20; workbook 30 is shared and lies in no folder. The
 * map has folder 2 still there, but it is in folder 3 now, which lies in folder 4.
 */
async function afterMove(calls: number, roundTrips = 9) {
  const database = new PlanDatabase().apply([
    folder(1, 1, null),
    folder(1, 2, 1),
    folder(1, 3, 4),
    folder(1, 4, null),
    share(1, 'folder', 1, allEmbedUsers),
    workbook(1, 10, { folderId: 1 }),
    workbook(1, 20, { folderId: 2 }),
    workbook(1, 30),
    share(1, 'workbook', 30, allEmbedUsers),
  ])
  database.change(folderKey(1, 2), { parentId: 3 })
  const keys: number[] = []
  const storage = sentBy(database.storage, (command, on) => {
    keys.push(keysIn(command))
    return on(command)
  })
  const search = { deploymentId: 1, grantees: [allEmbedUsers], directGrantees: [allEmbedUsers], inFolders: true }
  const { listing } = await lookout(storage, {
    ...search,
    isExplained: false,
    after: '',
    size: 10,
    budget: new Budget(50, 9),
  })
  keys.length = 0
  const budget = new Budget(calls, roundTrips)
  const seen = async (hits: (10 | 20 | 30)[], others: (10 | 20 | 30)[] = []) => {
    const all = (ids: (10 | 20 | 30)[]) => ids.map((id) => hit[id])
    const { entries, checked, ...rest } = await visible({ ...listing, budget }, all(hits), all(others))
    return { ids: entries.map(({ json }) => JSON.parse(json).id), checked, ...rest }
  }
  return { seen, keys, budget }
}

const hit = {
  10: { id: 10, folderId: 1, position: folderPosition(1, 10) },
  20: { id: 20, folderId: 2, position: folderPosition(2, 20) },
  30: { id: 30, grantees: [allEmbedUsers], position: directPosition(30) },
}

describe('the check of what indexes name', () => {
  test('follows a folder that has moved to where it is, and asks twice for nothing but the way up from it', async () => {
    const { seen, keys, budget } = await afterMove(9)
    expect(await seen([10, 20], [30])).toEqual({
      ids: [10],
      checked: 2,
      others: [true],
      hiddenFolderIds: new Set([2]),
    })
    // Workbooks; folders 1 and 2, their share, and the other workbook with its own; folders 2 and 3 and, as the map has it, 4.
    expect(keys).toEqual([2, 5, 3])
    expect([budget.calls, budget.roundTrips]).toEqual([6, 6])
  })

  test('ends before the first workbook for whose folders the budget is too small', async () => {
    const { seen, keys } = await afterMove(2)
    expect(await seen([10, 20], [30])).toMatchObject({ ids: [10], checked: 1, others: [true] })
    expect(keys).toEqual([2, 5])
    expect(await (await afterMove(2)).seen([20, 10])).toMatchObject({ ids: [], checked: 0 })
    expect(await (await afterMove(2)).seen([10, 30])).toMatchObject({ ids: [10, 30], checked: 2 })
  })

  test('takes what is only looked for, and cannot be read to its end, for hidden', async () => {
    const { seen } = await afterMove(2)
    expect(await seen([10], [20, 30])).toMatchObject({ ids: [10], checked: 1, others: [false, true] })
  })

  test('checks half as many where the budget does not allow for all', async () => {
    const { seen, keys } = await afterMove(2, 1)
    expect(await seen([10, 20])).toMatchObject({ ids: [], checked: 0 })
    expect(keys).toEqual([2])
  })

  test('finds nothing of what is only looked for where the budget is spent', async () => {
    const { seen, keys } = await afterMove(0)
    expect(await seen([], [10, 30])).toMatchObject({ ids: [], checked: 0, others: [false, false] })
    expect(keys).toEqual([])
  })
})
