import { ascending } from '../storage/keys.ts'
import { queryIndex } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import type { Budget } from './budget.ts'
import type { HitInFolder, Hits } from './hit.ts'
import { contents } from './keys.ts'
import { workbookAt } from './position.ts'
import { folderOf, type Read, ReadParts } from './read-parts.ts'

/** This many entries of the index cost as much as none: half a read unit. A query for them is called a look. */
const lookSize = 40
/** The most entries to read in one range. */
const maxRange = 16 * lookSize
/** The most queries to make side by side, for each round. */
const widths = [1, 8, 16, 16, 16, 16]
/** Up to this many folders are each read by a query of their own. */
const fewFolders = 2
/** How many times the expected number of entries to read. */
const margin = 1.2

/**
 * The next workbooks in any of the wanted folders, by folder and workbook.
 *
 * The index holds the workbooks of all folders. How many workbooks lie in wanted folders and how many lie between them
 * is not known. So the plan follows what is found:
 *
 *   1. If few wanted folders are left, read each.
 *   2. Otherwise read one range. That is enough if most of what lies there is wanted.
 *   3. If the range reached many wanted folders, read on in a longer one.
 *   4. Otherwise unwanted folders fill the space: look at the next wanted folders side by side. A look at an empty folder
 *      shows what comes next in the index, so all wanted folders before that are empty too.
 *
 * Only hits before the first gap count. After six rounds the page ends with them.
 * @param folderIds the wanted folders, in order of their ids
 * @param after the position after which to begin
 */
export async function folderHits(
  storage: Storage,
  deploymentId: number,
  folderIds: readonly number[],
  after: string,
  wanted: number,
  budget: Budget,
): Promise<Hits<HitInFolder>> {
  const parts = new ReadParts(folderIds.map(ascending))
  const begin = parts.next(after.slice(1))
  let last: readonly Read[] = []
  for (let round = 0; ; round += 1) {
    const width = widths[round] ?? 0
    const { hits, gaps } = parts.walk(begin, wanted, Math.max(width, fewFolders))
    const [gap] = gaps
    if (hits.length >= wanted || gap === undefined || width === 0 || !budget.allowsLooking(width)) {
      const found = hits.slice(0, wanted).map(hitAt)
      if (gap === undefined && hits.length <= wanted) return { hits: found, end: undefined }
      return { hits: found, end: hits.length >= wanted ? found.at(-1)?.position : `f${gap}` }
    }
    const plan = nextPlan(parts, gap, wanted, wanted - hits.length, width, last)
    const ranges = gaps.slice(0, plan.width)
    budget.spend(ranges.length)
    last = await Promise.all(
      ranges.map(async (from) => {
        const to = `${plan.isOwn ? folderOf(from) : parts.lastFolder}~`
        const range = { index: 'byFolder', partition: contents(deploymentId), after: from, to }
        const { items, more } = await queryIndex(storage, { ...range, attributes: ['folderEntry'] }, plan.limit)
        const entries = items.map(({ folderEntry }) => folderEntry as string)
        return parts.add(from, more ? (entries.at(-1) ?? to) : to, entries)
      }),
    )
  }
}

const hitAt = (entry: string): HitInFolder => {
  const position = `f${entry}`
  const { id, folderId } = workbookAt(position) as { id: number; folderId: number }
  return { position, id, folderId }
}

type Plan = {
  /** How many ranges to read, and how much of each, at most. */
  readonly width: number
  readonly limit: number
  /** Each range ends with the folder that it begins in. */
  readonly isOwn?: boolean
}

function nextPlan(
  parts: ReadParts,
  gap: string,
  wanted: number,
  missing: number,
  width: number,
  last: readonly Read[],
): Plan {
  const left = parts.foldersFrom(gap)
  if (left <= Math.max(width, fewFolders)) return { width: left, limit: Math.max(lookSize, missing), isOwn: true }
  const [read] = last
  if (!read) return { width: 1, limit: Math.max(lookSize, 2 * wanted) }
  const isClose = last.length === 1 && parts.foldersBetween(read.from, read.to) * 2 * lookSize >= read.entries
  if (!isClose) return { width, limit: lookSize }
  const expected = Math.ceil((margin * missing * read.entries) / read.hits.length)
  return { width: 1, limit: Math.min(Math.max(expected, lookSize), maxRange) }
}
