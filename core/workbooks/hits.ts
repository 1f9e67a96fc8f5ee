import type { Item } from '../storage/batch-get.ts'
import { justAfter } from '../storage/keys.ts'
import { type IndexRange, queryIndex } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import { endOf, workbookIdIn } from './place.ts'
import { ReadAhead, type Reading } from './read-ahead.ts'
import { coveringPlace } from './shared-folders.ts'
import { beyondFolders, inARow, inOrder, isOfFolders, oneByOne, type Unread } from './unread.ts'

/** A workbook found in an index, where the index has it. */
export type Hit = {
  readonly place: string
  readonly id: number
  readonly source: 'folder' | 'direct'
  readonly item: Item
}

/** What is read of entries; index entries that carry no document have it read by key. */
const attributes = { direct: ['place'], folder: ['place', 'folderId', 'document'] }

/**
 * Workbooks in order of place, from direct shares and from the contents of shared folders. What was read before the first
 * unread range begins is settled: nothing can come in between any more.
 *
 * Inside the places of shared folders direct shares count for nothing: all that is there comes from the folder, so no
 * workbook comes twice and none is read for nothing. But they are all that counts where a folder has moved out (`skip`).
 */
export class Hits {
  readonly #storage: Storage
  readonly #direct: readonly Pick<IndexRange, 'index' | 'partition'>[]
  readonly #after: string | undefined
  #isAtCursor = false
  /** The places of shared folders, in order; none lies in another. */
  #shared: readonly string[] = []
  /** Places within those that are {@link skip skipped}, in order. */
  #skipped: string[] = []
  /** In order of their beginnings. */
  #unread: Unread[]
  /** In order of place. */
  #found: Hit[] = []
  readonly #readAhead: ReadAhead

  /**
   * @param direct the direct shares of each grantee
   * @param after a cursor's place: hits begin behind it
   * @param size how many workbooks a page has
   */
  constructor(
    storage: Storage,
    direct: readonly Pick<IndexRange, 'index' | 'partition'>[],
    after: string | undefined,
    size: number,
  ) {
    this.#storage = storage
    this.#direct = direct
    this.#after = after
    this.#readAhead = new ReadAhead(size)
    this.#unread = direct.map(({ index, partition }) => ({ source: 'direct', index, partition, from: after ?? '' }))
  }

  /** Whether there is still a workbook at the cursor, as far as was read. */
  get isAtCursor(): boolean {
    return this.#isAtCursor
  }

  /** Reads the first direct shares, while it is still being read which folders are shared. */
  readDirect(each: number): Promise<void> {
    return this.#read(
      this.#unread.map((range) => ({ range, limit: each })),
      [],
    )
  }

  /** Adds the contents of shared folders, none of which lies in another. */
  addFolders(partition: string, places: readonly string[]): void {
    this.#shared = places
    this.#found = this.#found.filter((hit) => this.#counts(hit))
    const direct = this.#unread.map((range) => beyondFolders(range, places))
    this.#unread = inOrder([...direct, ...oneByOne(partition, places, this.#after ?? '')])
  }

  /** The next hits in order, as many as wanted if there are so many. They stay until they are {@link drop dropped}. */
  async next(wanted: number): Promise<Hit[]> {
    for (;;) {
      const end = this.#unread[0]?.from
      const settled = end === undefined ? this.#found.length : this.#found.filter(({ place }) => place < end).length
      if (settled >= wanted || end === undefined) return this.#found.slice(0, Math.min(settled, wanted))
      const goesOn = end === this.#after
      const { readings, untried } = this.#readAhead.next(this.#unread, wanted - settled, goesOn)
      await this.#read(readings, untried)
    }
  }

  drop(count: number): void {
    this.#found = this.#found.slice(count)
  }

  /** Leaves out what the index still has below a folder's place, from a place on; but what is shared directly there. */
  skip(folder: string, after: string): void {
    this.#skipped.push(folder)
    this.#found = this.#found.filter((hit) => this.#counts(hit))
    const direct = this.#direct.map(
      (range): Unread => ({ ...range, source: 'direct', from: justAfter(after), to: endOf(folder) }),
    )
    const others = this.#unread.flatMap((range) =>
      isOfFolders(range) && range.from.startsWith(folder)
        ? inARow(range.partition, range.folders, endOf(folder))
        : [range],
    )
    this.#unread = inOrder([...direct, ...others])
  }

  async #read(readings: readonly Reading[], untried: readonly Unread[]): Promise<void> {
    const rest = await Promise.all(
      readings.map(async ({ range, limit }) => {
        const { items, more } = await queryIndex(
          this.#storage,
          { ...range, attributes: attributes[range.source] },
          limit,
        )
        this.#readAhead.spend(items.length)
        const hits = items.map((item) => hitOf(range.source, item)).filter((hit) => this.#counts(hit))
        this.#found.push(...hits)
        if (items.length > 0 && items[0]?.place === this.#after) this.#isAtCursor = true
        const last = items.at(-1)?.place as string | undefined
        return more && last !== undefined ? this.#rest(range, last, 2 * hits.length >= items.length) : []
      }),
    )
    this.#unread = inOrder([...rest.flat(), ...untried])
    this.#found.sort((a, b) => (a.place < b.place ? -1 : 1))
    // Shared with two grantees; or found at two places, while it moves.
    const ids = new Set<number>()
    this.#found = this.#found.filter(({ id }) => !ids.has(id) && ids.add(id))
  }

  /** What a range goes on with; folders go on in a row as long as little lies between them. */
  #rest(range: Unread, last: string, isDense: boolean): Unread[] {
    const from = justAfter(last)
    if (!isOfFolders(range)) return [beyondFolders({ ...range, from }, this.#shared)]
    return (isDense ? inARow : oneByOne)(range.partition, range.folders, from)
  }

  #counts({ source, place }: Hit): boolean {
    if (place === this.#after) return false
    const covers = (places: readonly string[]) => coveringPlace(places, place) !== undefined
    return (covers(this.#shared) && !covers(this.#skipped)) === (source === 'folder')
  }
}

const hitOf = (source: Hit['source'], item: Item): Hit => ({
  place: item.place as string,
  id: workbookIdIn(item.place as string),
  source,
  item,
})
