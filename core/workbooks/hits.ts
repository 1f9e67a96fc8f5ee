import type { Item } from '../storage/batch-get.ts'
import { type IndexRange, queryIndex } from '../storage/index-page.ts'
import type { Storage } from '../storage/storage.ts'
import { endOf, workbookIdIn } from './place.ts'
import { coveringPlace } from './shared-folders.ts'
import { beyondFolders, inARow, inOrder, isOfFolders, oneByOne, type Unread, type UnreadContents } from './unread.ts'

/** A workbook found in an index, where the index has it. */
export type Hit = {
  readonly place: string
  readonly id: number
  readonly source: 'folder' | 'direct'
  readonly item: Item
}

/** What is read of entries; index entries that carry no document have it read by key. */
const attributes = { direct: ['place'], folder: ['place', 'folderId', 'document'] }

/** How many ranges behind the first one are read ahead at most; many more as long as they hold little. */
const readAhead = 8

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
  /** How many index entries the first readings may still give: what a page needs, and some more for looking ahead. */
  #budget: number
  readonly #size: number
  #width: number

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
    this.#budget = 1.75 * size
    this.#size = size
    this.#width = Math.min(size, readAhead)
    this.#unread = direct.map(({ index, partition }) => ({ source: 'direct', index, partition, from: after ?? '' }))
  }

  /** Whether there is still a workbook at the cursor, as far as was read. */
  get isAtCursor(): boolean {
    return this.#isAtCursor
  }

  /** Reads the first direct shares, while it is still being read which folders are shared. */
  readDirect(each: number): Promise<void> {
    return this.#read(this.#unread.map((range) => ({ range, limit: each })))
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
      await this.#readOn(wanted - settled)
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
      (range): Unread => ({ ...range, source: 'direct', from: `${after} `, to: endOf(folder) }),
    )
    const others = this.#unread.flatMap((range) =>
      isOfFolders(range) && range.from.startsWith(folder)
        ? inARow(range.partition, range.folders, endOf(folder))
        : [range],
    )
    this.#unread = inOrder([...direct, ...others])
  }

  /**
   * The first range may hold all that is missing; those behind it share what is left of the budget. Of folders, whose
   * entries are large, little is read ahead, and nothing where direct shares go on before them. Folders too many to be
   * read side by side are read in a row, which finds all there is in them where most are empty.
   */
  async #readOn(missing: number): Promise<void> {
    const [first, ...behind] = this.#unread as [Unread, ...Unread[]]
    const firstDirect = this.#unread.findIndex(({ source }) => source === 'direct')
    const others = behind.filter(
      ({ source }, index) => source === 'direct' || firstDirect === -1 || index + 1 < firstDirect,
    )
    const near = others.slice(0, this.#width)
    const row = this.#joined(others.slice(this.#width).filter(isOfFolders))

    const ahead = Math.max(0, this.#budget - missing) / (1 + row.length)
    const each = Math.max(1, Math.floor(ahead / near.length))
    // A folder that has filled a page is likely to fill another one.
    const goesOn = first.from === this.#after
    const mostOfFolder = Math.ceil(goesOn ? this.#size / 8 : this.#size / 2)
    const limitOf = ({ source }: Unread) => Math.min(each, source === 'direct' ? missing : mostOfFolder)
    await this.#read([
      // One more for the workbook at the cursor.
      { range: first, limit: goesOn ? missing + 1 : missing },
      ...near.map((range) => ({ range, limit: limitOf(range) })),
      ...row.map((range) => ({ range, limit: Math.min(missing, Math.max(1, Math.floor(ahead))) })),
    ])
    // Where that was too little, round trips count more than entries.
    this.#budget = Math.max(this.#budget, 2 * missing)
    this.#width *= 4
  }

  /** Makes one range of these. */
  #joined(ranges: readonly UnreadContents[]): Unread[] {
    const [first] = ranges
    if (!first) return []
    const row = inARow(
      first.partition,
      ranges.flatMap(({ folders }) => folders),
      first.from,
    )
    const joined = new Set<Unread>(ranges)
    this.#unread = inOrder([...this.#unread.filter((range) => !joined.has(range)), ...row])
    return row
  }

  async #read(tried: readonly { readonly range: Unread; readonly limit: number }[]): Promise<void> {
    const rest = await Promise.all(
      tried.map(async ({ range, limit }) => {
        const { items, more } = await queryIndex(
          this.#storage,
          { ...range, attributes: attributes[range.source] },
          limit,
        )
        this.#budget -= items.length
        const hits = items.map((item) => hit(range.source, item)).filter((hit) => this.#counts(hit))
        this.#found.push(...hits)
        if (items.length > 0 && items[0]?.place === this.#after) this.#isAtCursor = true
        const last = items.at(-1)?.place as string | undefined
        return more && last !== undefined ? this.#rest(range, last, 2 * hits.length >= items.length) : []
      }),
    )
    const untried = this.#unread.filter((range) => !tried.some((each) => each.range === range))
    this.#unread = inOrder([...rest.flat(), ...untried])
    this.#found.sort((a, b) => (a.place < b.place ? -1 : 1))
    // Shared with two grantees; or found at two places, while it moves.
    const ids = new Set<number>()
    this.#found = this.#found.filter(({ id }) => !ids.has(id) && ids.add(id))
  }

  /** What a range goes on with; folders go on in a row as long as little lies between them. */
  #rest(range: Unread, last: string, isDense: boolean): Unread[] {
    // A space sorts before all that may follow in a place, so this begins just after it.
    const from = `${last} `
    if (!isOfFolders(range)) return [beyondFolders({ ...range, from }, this.#shared)]
    return (isDense ? inARow : oneByOne)(range.partition, range.folders, from)
  }

  #counts({ source, place }: Hit): boolean {
    if (place === this.#after) return false
    const covers = (places: readonly string[]) => coveringPlace(places, place) !== undefined
    return (covers(this.#shared) && !covers(this.#skipped)) === (source === 'folder')
  }
}

const hit = (source: Hit['source'], item: Item): Hit => ({
  place: item.place as string,
  id: workbookIdIn(item.place as string),
  source,
  item,
})
