import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Item } from '@embed-access/core/storage/batch-get.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { FolderMap, readFolderMap } from '@embed-access/core/workbooks/folder-map.ts'
import { mapEntry } from '@embed-access/core/workbooks/keys.ts'
import { describe, expect, test } from 'vitest'
import { range } from './range.ts'

const folder = (id: number, parentId: number) => ({ mapEntry: mapEntry('folder', id), parentId }) as unknown as Item
const largeWorkbook = (id: number) => ({ mapEntry: mapEntry('workbook', id) }) as unknown as Item

/** The index of a deployment. The first Query gives one number of entries, and each other Query gives another. */
function index(entries: readonly Item[], first: number, others = first) {
  const sorted = entries.toSorted((a, b) => ((a.mapEntry as string) < (b.mapEntry as string) ? -1 : 1))
  const queries: string[] = []
  const client = {
    async send({ input }: { readonly input: QueryCommandInput }) {
      const { ':from': from = '', ':to': to } = input.ExpressionAttributeValues ?? {}
      const perQuery = queries.length === 0 ? first : others
      queries.push([from.trim(), ...(to === undefined ? [] : [to])].join(' … '))
      const wanted = sorted.filter(({ mapEntry: entry }) => {
        const at = entry as string
        return at > from && (to === undefined || at <= to)
      })
      return { Items: wanted.slice(0, perQuery), ...(wanted.length > perQuery && { LastEvaluatedKey: {} }) }
    },
  }
  return { storage: { client, tables: tablesWithPrefix('map') } as unknown as Storage, queries }
}

/** Folder 1 is at the top, and each other one lies in the one before it. */
function chain(levels: number): FolderMap {
  const map = new FolderMap()
  map.add(range(levels - 1, 2).map((id) => folder(id, id - 1)))
  return map
}

describe('the map of folders', () => {
  test('gives the folders above one, nearest first, and one level more than there may be', () => {
    expect(chain(3).pathFrom(3)).toEqual([3, 2, 1])
    expect(chain(3).pathFrom(1)).toEqual([1])
    expect(chain(30).pathFrom(30)).toEqual(range(11, 20).reverse())
  })

  test('finds what lies below shared folders, in order of their ids, ten levels deep', () => {
    const below = (map: FolderMap, id: number) => map.withAllBelow(new Set([id]))
    expect(chain(3).withAllBelow(new Set())).toEqual([])
    expect(below(chain(3), 2)).toEqual([2, 3])
    expect(below(chain(10), 1)).toEqual(range(10))
    const tree = new FolderMap()
    tree.add([folder(20, 100), folder(3, 20), folder(7, 100), folder(8, 6)])
    expect(below(tree, 100)).toEqual([3, 7, 20, 100])
  })

  test('looks into an eleventh level, whose top may be gone, and into no twelfth', () => {
    expect(chain(11).withAllBelow(new Set([5]))).toEqual(range(7, 5))
    expect(chain(12).withAllBelow(new Set([5]))).toEqual(range(7, 5))
    expect(chain(12).withAllBelow(new Set([1]))).toEqual(range(10))
  })

  test('finds nothing below a folder that lies within itself, beside that folder', () => {
    const map = new FolderMap()
    map.add([folder(1, 2), folder(2, 1)])
    expect(map.withAllBelow(new Set([1]))).toEqual([1])
  })

  test('knows which workbooks have large documents', () => {
    const map = new FolderMap()
    map.add([folder(5, 1), largeWorkbook(6)])
    expect([map.isLarge(5), map.isLarge(6), map.isLarge(7)]).toEqual([false, true, false])
  })

  test('is read in one call if that gives all, also where there is nothing', async () => {
    for (const entries of [[], [folder(2, 1)], [folder(2, 1), largeWorkbook(3)]]) {
      const { storage, queries } = index(entries, 2)
      const [map, spent] = await readFolderMap(storage, 1)
      expect([map.pathFrom(2), map.isLarge(3)]).toEqual([entries.length > 0 ? [2, 1] : [2], entries.length === 2])
      expect([spent, queries]).toEqual([{ calls: 1, roundTrips: 1 }, ['']])
    }
  })

  test('is read in eight ranges side by side after the first call, each as wide as what that gave', async () => {
    const { storage, queries } = index([...range(39, 101).map((id) => folder(id, 1)), largeWorkbook(7)], 5)
    const [map, spent] = await readFolderMap(storage, 1)
    expect(map.withAllBelow(new Set([1]))).toEqual([1, ...range(39, 101)])
    expect(map.isLarge(7)).toBe(true)
    expect(queries.slice(0, 9)).toEqual(['', ...range(7).map((at) => `fc${100 + 5 * at} … fc${105 + 5 * at}`), 'fc140'])
    expect(spent).toEqual({ calls: 9, roundTrips: 2 })
  })

  test('is read on where a range has more than one call gives, within that range', async () => {
    const { storage, queries } = index(
      [...range(20, 101).map((id) => folder(id, 1)), ...range(4).map(largeWorkbook)],
      5,
      3,
    )
    const [map, spent] = await readFolderMap(storage, 1)
    expect(map.withAllBelow(new Set([1]))).toEqual([1, ...range(20, 101)])
    expect(range(4).every((id) => map.isLarge(id))).toBe(true)
    expect(queries.slice(9)).toEqual(['fc108 … fc110', 'fc113 … fc115', 'fc118 … fc120', 'wa3'])
    expect(spent).toEqual({ calls: 13, roundTrips: 3 })
  })

  test('is read one call after the other where folders are few and large workbooks many', async () => {
    const { storage, queries } = index([folder(2, 1), ...range(9).map(largeWorkbook)], 5)
    const [map, spent] = await readFolderMap(storage, 1)
    expect(range(9).every((id) => map.isLarge(id))).toBe(true)
    expect([queries, spent]).toEqual([['', 'wa4'], { calls: 2, roundTrips: 2 }])
  })

  test('may have ids up to the greatest', async () => {
    const greatest = Number.MAX_SAFE_INTEGER
    const ids = [...range(3), greatest - 2, greatest - 1, greatest]
    const { storage, queries } = index(
      ids.map((id) => folder(id, 9)),
      4,
    )
    const [map] = await readFolderMap(storage, 1)
    expect(map.withAllBelow(new Set([9]))).toEqual([1, 2, 3, 9, ...ids.slice(3)])
    expect(queries.at(-1)).toBe(mapEntry('folder', greatest))
  })
})
