import { folderKey, shareSortKey, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import { describe, expect, test } from 'vitest'
import { allEmbedUsers, embedTenant, folder, share, workbook } from '../changes.ts'
import { PlanDatabase } from './plan-database.ts'
import { readPages } from './plan-pages.ts'

const north = embedTenant('north')

/** Folders 1 and 2 are shared, 3 is not; 4 lies in 1, 5 in 2 and 6 in 3. Each has workbooks 10, 11 and so on of its id. */
const six = () =>
  new PlanDatabase().apply([
    ...[1, 2, 3].map((id) => folder(1, id, null)),
    ...[4, 5, 6].map((id) => folder(1, id, id - 3)),
    share(1, 'folder', 1, north),
    share(1, 'folder', 2, allEmbedUsers),
    ...[1, 2, 3, 4, 5, 6].flatMap((id) => [10, 11].map((more) => workbook(1, 100 * id + more, { folderId: id }))),
  ])

const seen = async (database: PlanDatabase, source?: 'folder', first?: number) =>
  (await readPages(database, source, first)).ids

const due = [110, 111, 210, 211, 410, 411, 510, 511]

/** What was written a moment ago, while all indexes are as they were before. */
describe('a list that reads late indexes', () => {
  test('shows what is shared in folders and below', async () => {
    expect(await seen(six())).toEqual(due)
  })

  test.each([1, 2, 3, 100])('shows no workbook that was deleted, and all others, %i at a time', async (first) => {
    const database = six().change(workbookKey(1, 211), { deleted: true }).forget(workbookKey(1, 410))
    expect(await seen(database, undefined, first)).toEqual(due.filter((id) => id !== 211 && id !== 410))
  })

  test('shows no workbook through the folder that it has left, wherever it went', async () => {
    for (const folderId of [null, 2, 3, 5]) {
      const database = six().change(workbookKey(1, 110), { folderId })
      expect(await seen(database)).toEqual(due.filter((id) => id !== 110))
    }
  })

  test('shows nothing below a folder that has left a shared one', async () => {
    for (const parentId of [null, 3, 6]) {
      const database = six().change(folderKey(1, 4), { parentId })
      expect(await seen(database)).toEqual(due.filter((id) => id < 400 || id > 500))
    }
  })

  test('shows what is below a folder that went from one shared folder to another', async () => {
    for (const parentId of [2, 5]) expect(await seen(six().change(folderKey(1, 4), { parentId }))).toEqual(due)
  })

  test('shows all that lies in and below a folder that was shared, as the indexes say, and moved under another', async () => {
    const database = six().change(folderKey(1, 1), { parentId: 6 })
    expect(await seen(database)).toEqual(due)
    database.forget({ ...folderKey(1, 1), sk: shareSortKey(north) })
    expect(await seen(database)).toEqual(due.filter((id) => ![1, 4].includes(Math.floor(id / 100))))
  })

  test('shows nothing in or below a folder that was deleted', async () => {
    const database = six().change(folderKey(1, 2), { deleted: true })
    expect(await seen(database)).toEqual(due.filter((id) => ![2, 5].includes(Math.floor(id / 100))))
  })

  test('says that a page follows only if it will show something', async () => {
    const { pages } = await readPages(six().forget(workbookKey(1, 511)), 'folder', 7)
    expect(pages.map(({ returned }) => returned)).toEqual([7])
  })
})
