import { ascending } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import type { Hit, Hits } from './hit.ts'
import { deploymentPartition } from './keys.ts'
import type { Places } from './places.ts'

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
 *   2nd trip               ├───┼────────────┼────────┤               as many folders in a range as fit by what was read
 *   3rd trip                                          ├─────────     ranges may be longer
 *
 * A range that holds more than expected ends the trip: the next one begins where it ended.
 * @param trips how many round trips it may take
 */
export async function hitsInFolders(
  places: Places,
  after: string,
  wanted: number,
  trips: number,
): Promise<Hits> {
  const { storage, deploymentId, folderIds, hidden } = places
  const folders = [...folderIds].filter((id) => !hidden.has(id)).map(ascending)
  const isWanted = new Set(folders)
  const hits: Hit[] = []
  const seen = { folders: 0, entries: 0, between: 0 }
  let at = after.slice(1)
  let left = foldersAfter(folders, at)
  // Stryker disable next-line EqualityOperator: Costs a trip more where one found exactly as many as wanted.
  for (let trip = 0; left.length > 0 && hits.length < wanted && trip < trips; trip += 1) {
    const { ranges, limit } = nextRanges(left, at, wanted - hits.length, trip, {
      ...seen,
      hits: hits.length,
    })
    places.trips -= 1
    const byFolder = {
      index: 'byFolder',
      partition: deploymentPartition(deploymentId),
      attributes: ['folderEntry'],
    }
    const reads = await Promise.all(
      ranges.map((range) => queryIndex(storage, { ...byFolder, ...range }, limit)),
    )
    for (const [index, { items, end }] of reads.entries()) {
      const entries = items.map(({ folderEntry }) => folderEntry as string)
      hits.push(...entries.filter((entry) => isWanted.has(folderOf(entry))).map(hitAt))
      at = end ?? (ranges[index] as Range).to
      const passed = left.length
      left = foldersAfter(left, at)
      seen.folders += passed - left.length
      seen.between += Math.max(0, passed - left.length - 1)
      seen.entries += entries.length
      if (end !== undefined) break
    }
  }
  return { hits, end: left.length === 0 ? undefined : `f${at}` }
}

type Range = { readonly after: string; readonly to: string }

/**
 * What was read so far: how many folders, their hits, all entries, and how many times others may
 * lie between two folders.
 */
type Seen = {
  readonly folders: number
  readonly hits: number
  readonly entries: number
  readonly between: number
}

/** The ranges to read next, side by side, and how many entries of each. */
function nextRanges(
  folders: readonly string[],
  at: string,
  missing: number,
  trip: number,
  seen: Seen,
) {
  const over = (some: readonly string[]): Range => {
    const [first, last] = [some[0] as string, some.at(-1) as string]
    // Stryker disable next-line EqualityOperator: Either is right where both are the same.
    return { after: at > first ? at : first, to: `${last}~` }
  }
  // One more than is missing says whether the folder goes on.
  const ownLimit = Math.max(freeEntries, missing + 1)
  if (folders.length <= fewFolders)
    return { ranges: folders.map((folder) => over([folder])), limit: ownLimit }
  const limit = Math.min(Math.max(freeEntries, 2 * missing) * growth ** trip, maxEntries)
  // Stryker disable next-line ConditionalExpression: Without entries between, the lines below come to the same.
  if (trip === 0) return { ranges: [over(folders)], limit }

  const entriesBetween = seen.entries / Math.max(1, seen.between)
  // Half of the limit: a range that holds more than the average should still be read to its end.
  // Stryker disable next-line EqualityOperator: Either is right exactly at the limit.
  const perRange = entriesBetween > maxBetween ? 1 : 1 + Math.floor(limit / 2 / entriesBetween)
  // Stryker disable next-line ConditionalExpression: Divided by zero, it is more than there are folders.
  const needed = seen.hits === 0 ? folders.length : (missing * seen.folders) / seen.hits
  // Many of them may be empty, and an empty one costs as much as a few entries.
  const isWide = perRange === 1 && seen.hits < fewHits
  const most = isWide ? maxRanges * 2 ** (trip - 1) : maxRanges
  const count = Math.min(Math.ceil(Math.min(needed, folders.length) / perRange), most)
  const ranges = Array.from({ length: Math.max(count, 1) }, (_, index) =>
    over(folders.slice(index * perRange, (index + 1) * perRange)),
  )
  if (isWide) return { ranges, limit: freeEntries }
  // Stryker disable next-line ConditionalExpression: Costs entries where a folder is read alone, and shows the same.
  return { ranges, limit: perRange === 1 ? ownLimit : limit }
}

/** The folders of which something may come after a position. */
const foldersAfter = (folders: readonly string[], at: string): readonly string[] => {
  const first = folders.findIndex((folder) => `${folder}~` > at)
  return first === -1 ? [] : folders.slice(first)
}

/** The folder part of an entry: a letter for the length of its id, and the id. */
const folderOf = (entry: string): string => entry.slice(0, 1 + (entry.charCodeAt(0) - 96))

const hitAt = (entry: string): Hit => {
  const folder = folderOf(entry)
  const [folderId, id] = [Number(folder.slice(1)), Number(entry.slice(folder.length + 1))]
  return { position: `f${entry}`, id, folderId, grantees: [] }
}
