import { BatchGetCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { type ItemKey, itemId } from '@embed-access/core/storage/batch-get.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { Budget } from '@embed-access/core/workbooks/budget.ts'
import { Facts } from '@embed-access/core/workbooks/facts.ts'
import { folderKey, shareSortKey, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import { describe, expect, test } from 'vitest'
import { range } from './range.ts'

const at = (id: number) => folderKey(1, id)
const share = (id: number): ItemKey => ({ ...at(id), sk: shareSortKey({ type: 'allEmbedUsers' }) })

/** A catalog that has everything but what is gone, and notes how many keys each call asks for. */
function catalog(isGone: (key: ItemKey, call: number) => boolean = () => false) {
  const calls: string[] = []
  const itemsAt = (keys: readonly ItemKey[]) => {
    const call = calls.length - 1
    return keys.map((key) => (isGone(key, call) ? undefined : { ...key, name: key.pk, parentId: null }))
  }
  const client = {
    async send(command: unknown) {
      if (command instanceof TransactGetCommand) {
        const keys = (command.input.TransactItems ?? []).map(({ Get }) => Get?.Key as ItemKey)
        calls.push(`${keys.length} at one moment`)
        return { Responses: itemsAt(keys).map((Item) => ({ Item })) }
      }
      if (!(command instanceof BatchGetCommand)) throw new Error('unknown command')
      const [[table, { Keys = [] }]] = Object.entries(command.input.RequestItems ?? {}) as [
        [string, { Keys?: ItemKey[] }],
      ]
      calls.push(`${Keys.length}`)
      return { Responses: { [table]: itemsAt(Keys).filter((item) => item !== undefined) } }
    },
  }
  const storage = { client, tables: tablesWithPrefix('facts') } as unknown as Storage
  return { facts: new Facts(storage, 1), calls }
}

const shared = (ids: readonly number[]) => ({
  folderId: ids[0] as number,
  folders: ids.map(at),
  shares: ids.map(share),
})
const unshared = (ids: readonly number[]) => ({ ...shared(ids), shares: [] })

describe('the facts by which workbooks are shown', () => {
  test('are read at one moment where they have shares, and up to ten others along with them', async () => {
    const { facts, calls } = catalog()
    const budget = new Budget(50, 5)
    expect(
      await facts.read(
        [shared([1, 2]), unshared([3])],
        range(9).map((id) => workbookKey(1, id)),
        budget,
      ),
    ).toBe(true)
    expect(calls).toEqual(['14 at one moment'])
    expect([budget.calls, budget.roundTrips]).toEqual([49, 4])
    expect([facts.isShared(1, share(2)), facts.foldersFrom(3).folders.length]).toEqual([true, 1])
    expect([facts.get(workbookKey(1, 9)), facts.get(workbookKey(1, 10))]).toEqual([expect.anything(), undefined])
    expect(facts.isShared(3, share(3))).toBe(false)
  })

  test('are read apart from more than ten others, which need not be read at that moment', async () => {
    const { facts, calls } = catalog()
    const budget = new Budget(50, 5)
    await facts.read(
      [shared([1, 2]), unshared([3])],
      range(10).map((id) => workbookKey(1, id)),
      budget,
    )
    expect(calls).toEqual(['4 at one moment', '11'])
    expect([budget.calls, budget.roundTrips]).toEqual([48, 4])
  })

  test('are read in one batch where nothing is shared', async () => {
    const { facts, calls } = catalog()
    await facts.read([unshared([1, 2])], [workbookKey(1, 1)], new Budget(50, 5))
    expect(calls).toEqual(['3'])
  })

  test('of paths that have folders in common take one call up to 100 keys, and each path is read whole', async () => {
    const paths = [shared(range(30)), shared(range(30, 21))]
    const { facts, calls } = catalog()
    await facts.read(paths, [], new Budget(50, 5))
    expect(calls).toEqual(['100 at one moment'])
    const more = catalog()
    await more.facts.read([shared(range(31)), shared(range(30, 22))], [], new Budget(50, 5))
    expect(more.calls).toEqual(['62 at one moment', '60 at one moment'])
  })

  test('are those of one moment for each path, if the same folder and share are read at two moments', async () => {
    const paths = [shared(range(30)), shared([100, 1, ...range(29, 101)])]
    for (const without of [0, 1]) {
      const { facts, calls } = catalog((key, call) => call === without && key.pk === at(1).pk)
      await facts.read(paths, [], new Budget(50, 5))
      expect(calls).toEqual(['60 at one moment', '62 at one moment'])
      expect([1, 100].map((from) => facts.isShared(from, share(1)))).toEqual([without === 1, without === 0])
      expect(facts.foldersFrom(1).folders).toHaveLength(without)
    }
  })

  test('are not read where the budget has too little left, which costs nothing', async () => {
    const { facts, calls } = catalog()
    const budget = new Budget(1, 5)
    expect(
      await facts.read(
        [shared([1])],
        range(11).map((id) => workbookKey(1, id)),
        budget,
      ),
    ).toBe(false)
    expect([budget.calls, budget.roundTrips, calls]).toEqual([1, 5, []])
    expect(await facts.read([shared([1])], [], budget)).toBe(true)
  })

  test('tell the first folder above that was not read, and what is gone counts as read', async () => {
    const { facts } = catalog((key) => itemId(key) === itemId(at(2)))
    expect(facts.foldersFrom(1)).toEqual({ folders: [], unread: 1 })
    await facts.read([unshared([1, 2])], [], new Budget(50, 5))
    expect(facts.foldersFrom(1)).toEqual({ folders: [{ id: 1, name: at(1).pk, parentId: null }] })
    await facts.read([unshared([2])], [], new Budget(50, 5))
    expect(facts.foldersFrom(2)).toEqual({ folders: [] })
    expect(facts.foldersFrom(null)).toEqual({ folders: [] })
  })
})
