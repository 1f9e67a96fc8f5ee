import { inGroups } from '../storage/in-groups.ts'
import { ascending } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import { freeEntries, type Hit, type Hits, hitInFolder } from './hit.ts'
import { deploymentPartition } from './keys.ts'
import type { Places } from './places.ts'
import { folderEntryIn } from './stored.ts'

/** The most ranges to read side by side, unless each has only one folder. */
const maxRanges = 12

/** How many times as much of a range the next round trip may read. */
const growth = 4

/** Two folders with more entries between them are read each by itself. */
const maxBetween = 256

/**
 * The next workbooks in the folders of a list. The index has the workbooks of all folders, by
 * folder, so others may lie between them. It first reads one range over all folders, which is
 * enough if most of what lies there is wanted:
 *
 *   wanted      ===     ==     =          ==        =       =
 *   1st trip    |--------|
 *   2nd trip               |---|------------|--------|
 *   3rd trip                                          |--------|
 *
 * The 1st trip shows how many other entries lie between two wanted folders. From this the 2nd trip
 * reckons how many folders share a range. Later trips may read more of each range. A range that
 * holds more than expected ends the trip, and the next one begins there.
 * @param hidden folders to leave out
 */
export async function hitsInFolders(
  places: Places,
  after: string,
  wanted: number,
  hidden: ReadonlySet<number>,
): Promise<Hits> {
  const folderIds = new Set([...places.folderIds].filter((id) => !hidden.has(id)))
  const hits: Hit[] = []
  const counts = { folders: 0, entries: 0, gaps: 0 }
  let readTo = after.slice(1)
  let left = foldersAfter([...folderIds].map(ascending), readTo)
  for (let trip = 0; left.length > 0 && hits.length < wanted && !places.budget.isSpent; trip += 1) {
    const read = { ...counts, hits: hits.length }
    const { ranges, limit } = nextRanges(left, readTo, trip, wanted - hits.length, read)
    places.budget.spend()
    for (const { entries, end, isCut } of await readRanges(places, ranges, limit)) {
      hits.push(...entries.map(hitInFolder).filter(({ folderId }) => folderIds.has(folderId)))
      readTo = end
      const before = left.length
      left = foldersAfter(left, readTo)
      const done = before - left.length
      counts.folders += done
      counts.gaps += Math.max(0, done - 1)
      counts.entries += entries.length
      if (isCut) break
    }
  }
  return { hits, searchedTo: left.length === 0 ? undefined : `f${readTo}` }
}

/** Between two entries of the index, the latter included. */
type Range = { readonly after: string; readonly to: string }

/** The entries of ranges, and where the reading ended: with the range, unless that is cut. */
function readRanges({ storage, deploymentId }: Places, ranges: readonly Range[], limit: number) {
  const partition = deploymentPartition(deploymentId)
  const index = { index: 'byFolder', partition, attributes: ['folderEntry'] }
  return Promise.all(
    ranges.map(async (range) => {
      const { items, end } = await queryIndex(storage, { ...index, ...range }, limit)
      return { entries: items.map(folderEntryIn), end: end ?? range.to, isCut: end !== undefined }
    }),
  )
}

/**
 * What was read so far: folders, their hits, all entries, and the gaps between two folders, in
 * which entries of others may lie.
 */
type Counts = Readonly<Record<'folders' | 'hits' | 'entries' | 'gaps', number>>

/**
 * The ranges to read next, side by side, and how many entries of each.
 * @param missing how many more hits are wanted
 */
function nextRanges(
  folders: readonly string[],
  readTo: string,
  trip: number,
  missing: number,
  read: Counts,
) {
  // One more than is missing says whether a folder goes on.
  const ofOneFolder = Math.max(freeEntries, missing + 1)
  const ofSeveralFolders = 2 * ofOneFolder * growth ** trip
  const perRange = foldersPerRange(folders.length, ofSeveralFolders, read)
  const needed = read.hits === 0 ? folders.length : (missing * read.folders) / read.hits
  // A folder that is read by itself may be empty, so each trip reads twice as many of them.
  const most = perRange === 1 ? maxRanges * 2 ** (trip - 1) : maxRanges
  const count = Math.max(Math.min(Math.ceil(needed / perRange), most), 1)
  const ranges = inGroups(folders.slice(0, count * perRange), perRange).map(
    ([first = '', ...others]): Range => ({
      // The first range may have been read in part.
      after: readTo.startsWith(first) ? readTo : first,
      to: `${others.at(-1) ?? first}~`,
    }),
  )
  return { ranges, limit: perRange === 1 ? ofOneFolder : ofSeveralFolders }
}

/** How many folders to read by one range of so many entries: all of them in the first trip. */
function foldersPerRange(folders: number, limit: number, { entries, gaps }: Counts): number {
  const between = entries / Math.max(1, gaps)
  if (folders <= 2 || between > maxBetween) return 1
  // Half of the limit: a range that holds more than the average should still be read to its end.
  return Math.min(1 + Math.floor(limit / 2 / between), folders)
}

/** The folders of which something may come after a position. */
const foldersAfter = (folders: readonly string[], position: string): readonly string[] => {
  const first = folders.findIndex((folder) => `${folder}~` > position)
  return first === -1 ? [] : folders.slice(first)
}
