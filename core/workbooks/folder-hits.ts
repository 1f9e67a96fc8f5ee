import { inGroups } from '../storage/in-groups.ts'
import { ascending } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import { freeEntries, type Hit, type Hits, hitInFolder } from './hit.ts'
import { deploymentPartition } from './keys.ts'
import type { Places } from './places.ts'
import { folderEntryIn } from './stored.ts'

/** The most ranges to read side by side. */
const maxRanges = 12

/** How much more of a range the next round trip may read. */
const growth = 4

/** Two folders with more entries between them are read each by itself. */
const maxBetween = 256

/**
 * The next workbooks in the folders of a list. The index has the workbooks of all folders, by
 * folder, so others may lie between them. It first reads one range over all folders, which is
 * enough if most of what lies there is wanted:
 *
 *   wanted      ▄▄▄     ▄▄     ▄          ▄▄        ▄       ▄
 *   1st trip    ├────────┤
 *   2nd trip               ├───┼────────────┼────────┤
 *   3rd trip                                          ├─────────
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
  const folderIds = [...places.folderIds].filter((id) => !hidden.has(id))
  const isWanted = new Set<number | undefined>(folderIds)
  const hits: Hit[] = []
  const seen = { folders: 0, entries: 0, gaps: 0 }
  let at = after.slice(1)
  let left = foldersAfter(folderIds.map(ascending), at)
  for (let trip = 0; left.length > 0 && hits.length < wanted && !places.budget.isSpent; trip += 1) {
    const { ranges, limit } = nextRanges(left, at, trip, { ...seen, wanted, hits: hits.length })
    places.budget.spend()
    const reads = await Promise.all(ranges.map((range) => readRange(places, range, limit)))
    for (const { entries, readTo, isCut } of reads) {
      hits.push(...entries.map(hitInFolder).filter(({ folderId }) => isWanted.has(folderId)))
      at = readTo
      const before = left.length
      left = foldersAfter(left, at)
      seen.folders += before - left.length
      seen.gaps += Math.max(0, before - left.length - 1)
      seen.entries += entries.length
      if (isCut) break
    }
  }
  return { hits, searchedTo: left.length === 0 ? undefined : `f${at}` }
}

/** Between two entries of the index, the latter included. */
type Range = { readonly after: string; readonly to: string }

/** The entries of a range, and up to where they were read: to its end unless the range is cut. */
async function readRange({ storage, deploymentId }: Places, range: Range, limit: number) {
  const partition = deploymentPartition(deploymentId)
  const place = { index: 'byFolder', partition, attributes: ['folderEntry'] }
  const { items, end } = await queryIndex(storage, { ...place, ...range }, limit)
  return { entries: items.map(folderEntryIn), readTo: end ?? range.to, isCut: end !== undefined }
}

/**
 * The hits that are wanted, and what was read so far: folders, their hits, all entries, and the
 * gaps between two folders, in which entries of others may lie.
 */
type Counts = Readonly<Record<'wanted' | 'folders' | 'hits' | 'entries' | 'gaps', number>>

/** The ranges to read next, side by side, and how many entries of each. */
function nextRanges(
  folders: readonly string[],
  at: string,
  trip: number,
  { wanted, ...read }: Counts,
) {
  const missing = wanted - read.hits
  // One more than is missing says whether a folder goes on.
  const ownLimit = Math.max(freeEntries, missing + 1)
  const limit = 2 * ownLimit * growth ** trip
  // Nothing was read before the first trip, so its range has all folders.
  const between = read.entries / Math.max(1, read.gaps)
  const isApart = folders.length <= 2 || between > maxBetween
  // Half of the limit: a range that holds more than the average should still be read to its end.
  const perRange = isApart ? 1 : Math.min(1 + Math.floor(limit / 2 / between), folders.length)
  const needed = read.hits === 0 ? folders.length : (missing * read.folders) / read.hits
  // Folders that are read by themselves may be empty, so each trip reads twice as many of them.
  const most = perRange === 1 ? maxRanges * 2 ** (trip - 1) : maxRanges
  const count = Math.max(Math.min(Math.ceil(needed / perRange), most), 1)
  const ranges = inGroups(folders.slice(0, count * perRange), perRange).map(
    // The first range begins at the position, if that lies in it.
    ([first = '', ...others]): Range => ({
      after: at.startsWith(first) ? at : first,
      to: `${others.at(-1) ?? first}~`,
    }),
  )
  return { ranges, limit: perRange === 1 ? ownLimit : limit }
}

/** The folders of which something may come after a position. */
const foldersAfter = (folders: readonly string[], at: string): readonly string[] => {
  const first = folders.findIndex((folder) => `${folder}~` > at)
  return first === -1 ? [] : folders.slice(first)
}
