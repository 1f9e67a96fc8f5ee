import type { Item } from '../storage/batch-get.ts'
import { type IndexRange, queryIndex } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import type { Spent } from './budget.ts'
import { maxFolderLevels } from './folder-path.ts'
import { map, mapEntry } from './keys.ts'

/**
 * The folders of a deployment as an index has them, which may be late. It says where to look; what is shown is checked
 * by key.
 */
export class FolderMap {
  /** The parent of each folder that has one, whether or not that parent is there. */
  readonly #parents = new Map<number, number>()
  readonly #large = new Set<number>()

  /** Whether the workbook's document is a large one, see {@link largeDocumentBytes}. */
  isLarge(workbookId: number): boolean {
    return this.#large.has(workbookId)
  }

  add(items: readonly Item[]): void {
    for (const { mapEntry: entry, parentId } of items) {
      if (isFolder(entry as string)) this.#parents.set(idIn(entry as string), parentId as number)
      else this.#large.add(idIn(entry as string))
    }
  }

  /** The folder and those above it, nearest first, and one level more than there may be. */
  pathFrom(folderId: number): number[] {
    const path = [folderId]
    for (let id = this.#parents.get(folderId); id !== undefined && path.length <= maxFolderLevels; ) {
      path.push(id)
      id = this.#parents.get(id)
    }
    return path
  }

  /** These folders and all that lie below them, in order of their ids. */
  withAllBelow(folderIds: ReadonlySet<number>): number[] {
    if (folderIds.size === 0) return []
    const below = [...this.#parents.keys()].filter(
      (id) => !folderIds.has(id) && this.#levelsAbove(id).some((above) => folderIds.has(above)),
    )
    return [...folderIds, ...below].sort((a, b) => a - b)
  }

  /**
   * The folders that count as above a folder: none if it lies too deep. But it does not lie too deep if the folder at
   * the eleventh level is gone. The index can't tell, so such a folder is looked into.
   */
  #levelsAbove(folderId: number): number[] {
    const path = this.pathFrom(folderId)
    const isTooDeep = this.#parents.has(path[maxFolderLevels] ?? Number.NaN)
    return isTooDeep ? [] : path.slice(1, maxFolderLevels)
  }
}

/** How many ranges of ids to read side by side if one call does not give all. */
const rangesAtOnce = 8

/** Reads the map: a call for each MB, the first alone and the others side by side. */
export async function readFolderMap(storage: Storage, deploymentId: number): Promise<[FolderMap, Spent]> {
  const folders = new FolderMap()
  const read = async (range: Pick<IndexRange, 'after' | 'to'>) => {
    const attributes = ['mapEntry', 'parentId']
    const { items, more } = await queryIndex(storage, {
      index: 'map',
      partition: map(deploymentId),
      ...range,
      attributes,
    })
    folders.add(items)
    const last = items.at(-1)?.mapEntry as string | undefined
    return {
      first: items[0]?.mapEntry as string,
      rest: more && last !== undefined ? { after: last, to: range.to } : undefined,
    }
  }
  const { first, rest } = await read({})
  let unread = rest ? split(first, rest.after) : []
  let [calls, roundTrips] = [1, 1]
  while (unread.length > 0) {
    calls += unread.length
    roundTrips += 1
    unread = (await Promise.all(unread.map(read))).flatMap(({ rest }) => (rest ? [rest] : []))
  }
  return [folders, { calls, roundTrips }]
}

/** The rest of the map as ranges, each as wide in ids as what the first call gave. */
function split(first: string, last: string): Pick<IndexRange, 'after' | 'to'>[] {
  if (!isFolder(last)) return [{ after: last }]
  const width = idIn(last) - idIn(first) + 1
  const bounds = Array.from({ length: rangesAtOnce }, (_, index) =>
    mapEntry('folder', Math.min(idIn(last) + index * width, Number.MAX_SAFE_INTEGER)),
  )
  return bounds.map((after, index) => ({ after, to: bounds[index + 1] }))
}

const isFolder = (entry: string): boolean => entry.startsWith(mapEntry('folder', 0)[0] as string)

const idIn = (entry: string): number => Number(entry.slice(2))
