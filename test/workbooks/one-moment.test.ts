import { TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import { describe, expect, test } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { allEmbedUsers, embedTenant, folder, share, workbook } from '../support/catalog.ts'
import { range } from './range.ts'

const north = embedTenant('north')

/**
 * A page of a catalog that changes while the page is read. The indexes have the catalog as it was
 * at first.
 * @param later the changes since, before the page begins
 * @param meanwhile those that come right after the page's first transaction
 */
async function pageOf(
  first: readonly object[],
  later: readonly object[],
  meanwhile: readonly object[],
  { isFirstAnswerLast = false } = {},
) {
  const tables = new MemoryTables(first).addLate(later)
  let transactions = 0
  tables.afterwards = async (command) => {
    if (!(command instanceof TransactGetCommand)) return
    transactions += 1
    if (transactions > 1) return
    tables.add(meanwhile)
    if (isFirstAnswerLast) await new Promise((resolve) => setImmediate(resolve))
  }
  const list = {
    accountId: 'acme',
    deploymentId: 1,
    embedTenantName: 'north',
    accessSource: 'folder',
  } as const
  const { items } = await listEmbedTenantWorkbooks(tables.storage, { ...list, first: 100 })
  return { ids: items.map((json) => JSON.parse(json).id as number), transactions }
}

describe('a page shows no workbook that was visible at no moment', () => {
  // Each is shared with both grantees, so that one transaction cannot hold the paths of all.
  const many = range(40, 100)
  const shared = [
    folder(1, 1, null),
    share(1, 'folder', 1, north),
    folder(1, 2, 1),
    ...many.flatMap((id) => [
      folder(1, id, 2),
      share(1, 'folder', id, north),
      share(1, 'folder', id, allEmbedUsers),
      workbook(1, id, { folderId: id }),
    ]),
  ]

  test.each([
    [50, false],
    [50, true],
    [500, false],
    [500, true],
  ])(
    'when folder %i comes into one that left meanwhile (last: %s)',
    async (id, isFirstAnswerLast) => {
      const { ids, transactions } = await pageOf(
        [...shared, folder(1, id, 2), workbook(1, 1, { folderId: id })],
        [folder(1, id, null)],
        [folder(1, 2, null), folder(1, id, 2)],
        { isFirstAnswerLast },
      )
      expect(transactions).toBeGreaterThan(1)
      expect(ids).toEqual(many)
    },
  )

  test('when a folder leaves one that then comes into a shared one', async () => {
    const { ids, transactions } = await pageOf(
      [
        folder(1, 1, null),
        share(1, 'folder', 1, north),
        folder(1, 2, 1),
        folder(1, 3, 1),
        workbook(1, 20, { folderId: 2 }),
      ],
      [folder(1, 3, null), folder(1, 2, 3)],
      [folder(1, 2, null), folder(1, 3, 1)],
    )
    expect(transactions).toBeGreaterThan(1)
    expect(ids).toEqual([])
  })
})
