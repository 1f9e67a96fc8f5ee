import { ascending } from '../storage/keys.ts'
import { queryIndex } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import type { Budget } from './budget.ts'
import type { HitInFolder, Hits } from './hit.ts'
import { contents } from './keys.ts'
import { workbookAt } from './position.ts'

/** So many entries of the index cost what none cost: half a read unit. A query for them is a look. */
const lookSize = 40
/** The most entries to read in one range. */
const maxRange = 16 * lookSize
/** How many looks to make side by side, round by round. The first round is one range. */
const looksOfRound = [1, 8, 16, 16, 16, 16]
/** So few folders are read each by itself. */
const fewFolders = 2
/** How many more entries to read than are expected to be needed. */
const margin = 1.2

/**
 * The next workbooks in any of the wanted folders, by folder and workbook.
 *
 * The index holds the workbooks of all folders. How many workbooks lie in the wanted ones, and how many strangers lie
 * between, is not known. So the plan follows what is found:
 *
 *   1. At most two wanted folders are left: read each.
 *   2. Else read one range. It is enough where most of what it finds is wanted.
 *   3. Where it came to many wanted folders, read on in a longer range.
 *   4. Else strangers fill the space: look side by side at the next wanted folders. A look at an empty folder shows what
 *      comes next in the index, so it tells that all wanted folders before that are empty too.
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
  const index = new ReadParts(folderIds.map(ascending))
  const begin = index.atOrAfter(after.slice(1))
  let last: Round | undefined
  for (let round = 0; ; round += 1) {
    const { hits, gap } = index.hitsFrom(begin, wanted)
    const width = looksOfRound[round]
    if (hits.length >= wanted || gap === undefined || width === undefined || !budget.allowsLooking(width)) {
      const found = hits.slice(0, wanted).map(hitAt)
      const isEnd = gap === undefined && hits.length <= wanted
      return { hits: found, end: isEnd ? undefined : hits.length >= wanted ? found.at(-1)?.position : `f${gap}` }
    }
    const plan = nextPlan(index, gap, { missing: wanted - hits.length, width, wanted, last })
    const ranges = index.gaps(begin, wanted, plan)
    budget.spend(ranges.length)
    const reads = await Promise.all(
      ranges.map(async (from): Promise<Read> => {
        const to = `${plan.isOwn ? index.folderOf(from) : index.lastFolder}~`
        const range = {
          index: 'byFolder',
          partition: contents(deploymentId),
          after: from,
          to,
          attributes: ['folderEntry'],
        }
        const { items, more } = await queryIndex(storage, range, plan.limit)
        const entries = items.map(({ folderEntry }) => folderEntry as string)
        return index.add(from, more && entries.length > 0 ? (entries.at(-1) as string) : to, entries)
      }),
    )
    last = { plan, reads }
  }
}

const hitAt = (entry: string): HitInFolder => {
  const position = `f${entry}`
  const { id, folderId } = workbookAt(position) as { id: number; folderId: number }
  return { position, id, folderId }
}

/** What to read in a round: from where, at most how much, and how far to expect to come. */
type Plan = {
  readonly limit: number
  /** How many ranges at most. */
  readonly width: number
  /** Each range ends with the folder that it begins in. */
  readonly isOwn?: boolean
  /** How many wanted folders to go on by from one range to the next, and how many hits to expect of each range. */
  readonly stride: number
  readonly expected: number
}

/** What was read: all entries after `from` up to `to`, included. */
type Read = {
  readonly from: string
  readonly to: string
  readonly entries: number
  readonly hits: readonly string[]
  /** How many wanted folders it came to the end of. */
  readonly passed: number
}

type Round = { readonly plan: Plan; readonly reads: readonly Read[] }

type Need = {
  readonly missing: number
  readonly width: number
  readonly wanted: number
  readonly last: Round | undefined
}

function nextPlan(index: ReadParts, gap: string, { missing, width, wanted, last }: Need): Plan {
  const left = index.foldersFrom(gap)
  if (left <= (last ? width : fewFolders)) {
    // Each expects nothing, so that no folder is left out.
    return { limit: Math.max(lookSize, missing), width: left, isOwn: true, stride: 1, expected: 0 }
  }
  if (!last) return { limit: Math.max(lookSize, 2 * wanted), width: 1, stride: 1, expected: 0 }
  const [read] = last.reads as [Read]
  if (last.plan.width > 1 || last.plan.isOwn) {
    const stride = Math.max(1, median(last.reads.map(({ passed }) => passed)))
    return { limit: lookSize, width, stride, expected: mean(last.reads.map(({ hits }) => hits.length)) / margin }
  }
  const isClose = (read.passed - 1) * 2 * lookSize >= read.entries
  if (isClose) {
    const limit = Math.ceil((margin * missing * read.entries) / read.hits.length)
    return { limit: Math.min(Math.max(limit, lookSize), maxRange), width: 1, stride: 1, expected: 0 }
  }
  return { limit: lookSize, width, stride: 1, expected: read.hits.length / Math.max(read.passed, 1) / margin }
}

/** What was read of the index, and what lies between. Texts compare as the index sorts them: their characters are ASCII. */
class ReadParts {
  readonly #folders: readonly string[]
  readonly #reads: Read[] = []

  /** @param folders the beginnings of all entries of each wanted folder, in order */
  constructor(folders: readonly string[]) {
    this.#folders = folders
  }

  get lastFolder(): string {
    return this.#folders.at(-1) as string
  }

  /** The folder part of an entry, or of a position before or after a folder's entries. */
  folderOf(at: string): string {
    return at.slice(0, 1 + (at.charCodeAt(0) - 96))
  }

  /** The position itself if it lies in a wanted folder, else the beginning of the next one, if there is one. */
  atOrAfter(at: string): string | undefined {
    const folder = this.folderOf(at)
    const rank = this.#rank(folder)
    const isInFolder = this.#folders[rank] === folder
    if (isInFolder && !at.endsWith('~')) return at
    return this.#folders[isInFolder ? rank + 1 : rank]
  }

  foldersFrom(at: string): number {
    return this.#folders.length - this.#rank(this.folderOf(at))
  }

  add(from: string, to: string, entries: readonly string[]): Read {
    const hits = entries.filter((entry) => this.#isWanted(this.folderOf(entry)))
    const passed =
      this.#rank(to) -
      this.#rank(this.folderOf(from)) -
      (this.#isWanted(this.folderOf(to)) && !to.endsWith('~') ? 1 : 0)
    const read = { from, to, entries: entries.length, hits, passed: Math.max(passed, 0) }
    this.#reads.push(read)
    return read
  }

  /** The hits before the first gap, and where that begins; no gap where all was read. */
  hitsFrom(begin: string | undefined, wanted: number): { hits: string[]; gap: string | undefined } {
    const hits: string[] = []
    let at = begin
    while (at !== undefined && hits.length <= wanted) {
      const read = this.#readAt(at)
      if (!read) return { hits, gap: at }
      const begin = at
      hits.push(...read.hits.filter((hit) => hit > begin))
      at = this.atOrAfter(read.to)
    }
    return { hits, gap: at }
  }

  /** Where to read on: at the first gap, and at those after it, until so many hits are read or expected. */
  gaps(begin: string | undefined, wanted: number, { width, stride, expected }: Plan): string[] {
    const gaps: string[] = []
    let at = begin
    for (let seen = 0; at !== undefined && seen < wanted && gaps.length <= width; ) {
      const read = this.#readAt(at)
      const from = at
      if (read) {
        seen += read.hits.filter((hit) => hit > from).length
        at = this.atOrAfter(read.to)
      } else {
        gaps.push(from)
        seen += expected
        const next = this.#folders[this.#rank(this.folderOf(from)) + stride]
        const reads = this.#reads.map((read) => read.from).filter((begin) => begin > from)
        at = [...reads, ...(next === undefined ? [] : [next])].reduce<string | undefined>(
          (least, each) => (least === undefined || each < least ? each : least),
          undefined,
        )
      }
    }
    return gaps.slice(0, width)
  }

  #readAt(at: string): Read | undefined {
    return this.#reads.find(({ from, to }) => from <= at && at < to)
  }

  #isWanted(folder: string): boolean {
    return this.#folders[this.#rank(folder)] === folder
  }

  /** How many wanted folders come before. */
  #rank(folder: string): number {
    let low = 0
    let high = this.#folders.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#folders[middle] as string) < folder) low = middle + 1
      else high = middle
    }
    return low
  }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length
const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number
