import type { Item } from '../storage/batch-get.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { type IndexItems, type IndexRange, queryIndex } from '../storage/index-page.ts'
import type { Storage } from '../storage/storage.ts'
import { coveringPlace } from './shared-folders.ts'

/** A workbook found in an index, where the index has it. */
export type Hit = {
  readonly place: string
  readonly id: number
  readonly source: 'folder' | 'direct'
  readonly item: Item
}

/** Hits of one source in order of place; `next` says from where on it may have more, undefined at its end. */
export type HitSource = {
  readonly buffer: Hit[]
  next(): string | undefined
  fill(wanted: number): Promise<void>
}

const hit = (source: Hit['source'], item: Item): Hit => ({
  place: item.place as string,
  id: item.id as number,
  source,
  item,
})

/**
 * The direct shares of one grantee. Inside the places of shared folders it finds nothing: all that is there comes from
 * the folder source, so no workbook comes twice and none is read for nothing.
 */
export function directShares(
  storage: Storage,
  range: { index: string; partition: string },
  covered: readonly string[],
  after: string | undefined,
): HitSource {
  const buffer: Hit[] = []
  let position: string | undefined = beyond(covered, after ?? '')
  return {
    buffer,
    next: () => position,
    async fill(wanted) {
      const read = await queryIndex(storage, { ...range, after: position || undefined }, wanted)
      const last = read.items.at(-1)?.place as string | undefined
      buffer.push(
        ...read.items
          .filter(({ place }) => coveringPlace(covered, place as string) === undefined)
          .map((item) => hit('direct', item)),
      )
      position = read.more && last !== undefined ? beyond(covered, last) : undefined
    },
  }
}

/** The end of the shared folder that contains this place, or the place itself. */
function beyond(covered: readonly string[], place: string): string {
  const folder = coveringPlace(covered, place)
  return folder === undefined ? place : `${folder}~`
}

/** How many ranges behind the first one are read ahead at once; doubled while they turn out to hold little. */
const readAhead = 8

/** The contents of shared folders, range by range in order of place. */
export function folderContents(
  storage: Storage,
  partition: string,
  places: readonly string[],
  after: string | undefined,
): HitSource {
  const buffer: Hit[] = []
  const ranges: IndexRange[] = places
    .filter((place) => after === undefined || `${place}~` > after)
    .map((prefix) => ({
      index: 'byFolder',
      partition,
      prefix,
      after: after?.startsWith(prefix) ? after : undefined,
    }))
  let width = readAhead
  return {
    buffer,
    next: () => ranges[0]?.after ?? ranges[0]?.prefix,
    async fill(wanted) {
      const tried = ranges.slice(0, 1 + width)
      const read: IndexItems[] = []
      await inParallel(tried, tried.length, async (range, index) => {
        // The first range may hold the whole page; the others share as much again between them.
        read[index] = await queryIndex(storage, range, index === 0 ? wanted : Math.ceil(wanted / width))
      })
      for (const { items, more } of read) {
        buffer.push(...items.map((item) => hit('folder', item)))
        if (more) {
          ranges[0] = { ...(ranges[0] as IndexRange), after: items.at(-1)?.place as string }
          break
        }
        ranges.shift()
      }
      width *= 2
    },
  }
}

/**
 * Merges sources in order of place, at least `wanted` hits if there are as many. A workbook that two sources have at the
 * same place comes once.
 */
export async function nextHits(sources: readonly HitSource[], wanted: number): Promise<Hit[]> {
  const hits: Hit[] = []
  while (hits.length < wanted) {
    const first = least(sources)
    if (first === undefined) break
    const [found] = first.buffer
    if (found === undefined) {
      const empty = sources.filter((source) => source.buffer.length === 0 && source.next() !== undefined)
      const missing = wanted - hits.length
      await Promise.all(empty.map((source) => source.fill(missing)))
      continue
    }
    first.buffer.shift()
    if (hits.at(-1)?.place !== found.place) hits.push(found)
  }
  return hits
}

const start = (source: HitSource): string | undefined => source.buffer[0]?.place ?? source.next()

function least(sources: readonly HitSource[]): HitSource | undefined {
  return sources
    .filter((source) => start(source) !== undefined)
    .reduce<HitSource | undefined>(
      (best, source) => (best === undefined || (start(source) as string) < (start(best) as string) ? source : best),
      undefined,
    )
}
