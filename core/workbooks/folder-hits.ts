import { inGroups } from '../storage/in-groups.ts'
import { ascending } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import { freeEntries, type Hit, type Hits } from './hit.ts'
import { deploymentPartition, idsInFolderEntry } from './keys.ts'
import type { Places } from './places.ts'

/** The most ranges of several folders each that one trip reads. */
const maxRanges = 12

/**
 * The most folders that the first trip reads, each by itself. Such folders may be empty, so each
 * later trip may read twice as many as the one before.
 */
const maxSingleFolders = 6

/** The most entries of a range. They fit the 1 MB that a Query reads. */
const maxEntries = 10_000

/** If more entries than this lie between two wanted folders, each folder is read by itself. */
const maxBetween = 256

/**
 * The next workbooks in the folders of a list. The index has the workbooks of all folders, by
 * folder. One or two folders are read each by itself. For more folders the first trip reads one
 * range over all of them, which is enough if most of what lies there is wanted:
 *
 *   wanted      ===     ==     =          ==        =       =
 *   1st trip    |--------|
 *   2nd trip               |---|------------|--------|
 *   3rd trip                                          |--------|
 *
 * The 1st trip shows how many entries lie between two wanted folders. This tells the next trips how
 * many folders to read by one range. If a range has more entries than may be read, the trip
 * drops what it read after this range. The next trip begins where the range was cut.
 */
export async function hitsInFolders(places: Places, after: string, wanted: number): Promise<Hits> {
  const { folderIds, trips } = places
  const hits: Hit[] = []
  const read = { folders: 0, entries: 0, gaps: 0 }
  // `after` is an `f` and an entry of the index. From here on, the entry alone counts.
  let readTo = after.slice(1)
  let left = foldersAfter([...folderIds].map(ascending), readTo)
  for (let trip = 0; left.length > 0 && hits.length < wanted && trips.left > 0; trip += 1) {
    trips.left -= 1
    const progress = {
      ...read,
      left: left.length,
      hits: hits.length,
      missing: wanted - hits.length,
    }
    const { ranges, perRange, limit } = nextRead(trip, progress)
    const groups = inGroups(left.slice(0, ranges * perRange), perRange)
    const reads = groups.map((folders) => readRange(places, folders, readTo, limit))
    for (const { entries, end, isCut } of await Promise.all(reads)) {
      for (const entry of entries) {
        const { folderId, id } = idsInFolderEntry(entry)
        if (folderIds.has(folderId))
          hits.push({ position: `f${entry}`, id, folderId, grantees: [] })
      }
      readTo = end
      const rest = foldersAfter(left, end)
      const folders = left.length - rest.length
      left = rest
      read.folders += folders
      read.gaps += Math.max(0, folders - 1)
      read.entries += entries.length
      if (isCut) break
    }
  }
  return { hits, searchedTo: left.length === 0 ? undefined : `f${readTo}` }
}

/**
 * Reads the index from the first of these folders to the last, and what lies between them.
 * `isCut`: there is more after `end`.
 * @param readTo where an earlier trip may have stopped within the first of these folders
 */
async function readRange(
  { storage, deploymentId }: Places,
  folders: readonly string[],
  readTo: string,
  limit: number,
) {
  const [first = ''] = folders
  const after = first > readTo ? first : readTo
  const to = `${folders.at(-1)}~`
  const partition = deploymentPartition(deploymentId)
  const range = { index: 'byFolder', partition, after, to, attributes: ['folderEntry'] }
  const { items, end } = await queryIndex(storage, range, limit)
  const entries = items.map(({ folderEntry }) => String(folderEntry))
  return { entries, end: end ?? to, isCut: end !== undefined }
}

/**
 * What earlier trips have read: wanted `folders`, the `gaps` between them, the `entries` of all
 * folders there, and the `hits` among these. How many folders are `left`, and hits `missing`.
 */
type Progress = Readonly<
  Record<'folders' | 'gaps' | 'hits' | 'entries' | 'left' | 'missing', number>
>

/** How many ranges the next trip reads, how many folders by each, and how many entries of each. */
function nextRead(trip: number, progress: Progress) {
  const { folders, hits, left, missing } = progress
  // One entry more than is missing shows whether the folder has more.
  const limitOfSingle = Math.max(freeEntries, missing + 1)
  // Four times as many as in the trip before.
  const limitOfSeveral = Math.min(2 * limitOfSingle * 4 ** trip, maxEntries)
  const perRange = foldersPerRange(limitOfSeveral, progress)
  const isSingle = perRange === 1
  // The next folders probably have as many hits each as the folders that were read.
  const neededFolders = hits === 0 ? left : (missing * folders) / hits
  const neededRanges = Math.max(1, Math.ceil(neededFolders / perRange))
  const mostRanges = isSingle ? maxSingleFolders * 2 ** trip : maxRanges
  const limit = isSingle ? limitOfSingle : limitOfSeveral
  return { ranges: Math.min(neededRanges, mostRanges), perRange, limit }
}

/**
 * How many folders to read by one range.
 * @param limit how many entries of the range may be read
 */
function foldersPerRange(limit: number, { left, entries, gaps }: Progress): number {
  if (left <= 2) return 1
  // Nothing is known yet, as in the first trip.
  if (entries === 0) return left
  const between = entries / Math.max(1, gaps)
  if (between > maxBetween) return 1
  // Half of the limit, because a range may have more entries than the average.
  return 1 + Math.floor(limit / 2 / between)
}

/** The folders that may have workbooks after a position, from the first of them on. */
const foldersAfter = (folders: readonly string[], position: string): readonly string[] => {
  const first = folders.findIndex((folder) => `${folder}~` > position)
  return first === -1 ? [] : folders.slice(first)
}
