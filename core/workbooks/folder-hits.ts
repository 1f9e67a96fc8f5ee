import { inGroups } from '../storage/batch-get.ts'
import { ascending } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import { type Hit, type Hits, hitInFolder } from './hit.ts'
import { deploymentPartition } from './keys.ts'
import type { Places } from './places.ts'
import { folderEntryIn } from './stored.ts'

/** This many entries of an index cost as much as none: half a read unit. */
const freeEntries = 40

/** The most ranges to read side by side, and the most entries to read of each. */
const maxRanges = 12
const maxEntries = 5120

/** How much more of a range the next round trip may read. */
const growth = 4

/** Two folders with more entries between them are read each by itself. */
const maxBetween = 256

/** While fewer workbooks are found, each trip reads twice as many folders by themselves. */
const fewHits = 10

/** Up to this many folders are read each by itself from the start. */
const fewFolders = 2

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
 * The 2nd trip puts as many folders into a range as fit by what was read. Ranges of the 3rd may be
 * longer. A range that holds more than expected ends the trip, and the next one begins there.
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
  const counts = { folders: 0, entries: 0, gaps: 0 }
  let at = after.slice(1)
  let left = foldersAfter(folderIds.map(ascending), at)
  for (let trip = 0; left.length > 0 && hits.length < wanted && !places.budget.isSpent; trip += 1) {
    const missing = wanted - hits.length
    const { ranges, limit } = nextRanges(left, at, missing, trip, { ...counts, hits: hits.length })
    places.budget.spend()
    const reads = await Promise.all(ranges.map((range) => readRange(places, range, limit)))
    for (const { entries, readTo, isCut } of reads) {
      hits.push(...entries.map(hitInFolder).filter(({ folderId }) => isWanted.has(folderId)))
      at = readTo
      const before = left.length
      left = foldersAfter(left, at)
      counts.folders += before - left.length
      counts.gaps += Math.max(0, before - left.length - 1)
      counts.entries += entries.length
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
  const attributes = ['folderEntry']
  const place = { index: 'byFolder', partition, attributes }
  const { items, end } = await queryIndex(storage, { ...place, ...range }, limit)
  return { entries: items.map(folderEntryIn), readTo: end ?? range.to, isCut: end !== undefined }
}

/**
 * What was read so far: folders, their hits, all entries, and the gaps between two folders, in
 * which entries of others may lie.
 */
type Counts = {
  readonly folders: number
  readonly hits: number
  readonly entries: number
  readonly gaps: number
}

/** The ranges to read next, side by side, and how many entries of each. */
function nextRanges(
  folders: readonly string[],
  at: string,
  missing: number,
  trip: number,
  counts: Counts,
) {
  // One more than is missing says whether the folder goes on.
  const ownLimit = Math.max(freeEntries, missing + 1)
  if (folders.length <= fewFolders) return { ranges: rangesOf(folders, 1, at), limit: ownLimit }
  const limit = Math.min(Math.max(freeEntries, 2 * missing) * growth ** trip, maxEntries)
  const entriesBetween = counts.entries / Math.max(1, counts.gaps)
  // Half of the limit: a range that holds more than the average should still be read to its end.
  // Nothing was read before the first trip, so its range has all folders.
  const fitting = entriesBetween > maxBetween ? 1 : 1 + Math.floor(limit / 2 / entriesBetween)
  const perRange = Math.min(fitting, folders.length)
  const needed = counts.hits === 0 ? folders.length : (missing * counts.folders) / counts.hits
  // Many of them may be empty, and an empty one costs as much as a few entries.
  const isWide = perRange === 1 && counts.hits < fewHits
  const most = isWide ? maxRanges * 2 ** (trip - 1) : maxRanges
  const count = Math.max(Math.min(Math.ceil(needed / perRange), most), 1)
  const ranges = rangesOf(folders.slice(0, count * perRange), perRange, at)
  return { ranges, limit: isWide ? freeEntries : perRange === 1 ? ownLimit : limit }
}

/** Ranges of so many folders each. The first of them begins at the position, if it has begun. */
const rangesOf = (folders: readonly string[], perRange: number, at: string): Range[] =>
  inGroups(folders, perRange).map(([first = '', ...others]) => ({
    after: at.startsWith(first) ? at : first,
    to: `${others.at(-1) ?? first}~`,
  }))

/** The folders of which something may come after a position. */
const foldersAfter = (folders: readonly string[], at: string): readonly string[] => {
  const first = folders.findIndex((folder) => `${folder}~` > at)
  return first === -1 ? [] : folders.slice(first)
}
