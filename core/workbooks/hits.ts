import type { Item } from '../storage/batch-get.ts'
import { type IndexRange, queryIndex } from '../storage/index-page.ts'
import type { Storage } from '../storage/storage.ts'
import { coveringPlace } from './shared-folders.ts'

/** A workbook found in an index, where the index has it. */
export type Hit = {
  readonly place: string
  readonly id: number
  readonly source: 'folder' | 'direct'
  readonly item: Item
}

/** A part of an index that was not read yet: from this place on, inclusive. */
type Unread = IndexRange & { readonly from: string; readonly source: Hit['source'] }

/** What is read of entries; index entries that carry no document have it read by key. */
const attributes = { direct: ['id', 'place'], folder: ['id', 'place', 'folderId', 'document'] }

/** How many ranges behind the first one are read ahead at most; many more as long as they hold little. */
const readAhead = 8

/**
 * Workbooks in order of place, from direct shares and from the contents of shared folders. What was read before the first
 * unread range begins is settled: nothing can come in between any more.
 *
 * Inside the places of shared folders direct shares count for nothing: all that is there comes from the folder, so no
 * workbook comes twice and none is read for nothing.
 */
export class Hits {
  readonly #storage: Storage
  readonly #after: string | undefined
  #isAtCursor = false
  #covered: readonly string[] = []
  /** In order of their beginnings. */
  #unread: Unread[]
  /** In order of place. */
  #found: Hit[] = []
  /** How many index entries the first readings may still give: what a page needs, and some more for looking ahead. */
  #budget: number
  readonly #fewOfFolder: number
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
    this.#after = after
    this.#budget = 1.75 * size
    this.#fewOfFolder = Math.ceil(size / readAhead)
    this.#width = Math.min(size, readAhead)
    this.#unread = direct.map(({ index, partition }) => ({ index, partition, from: after ?? '', source: 'direct' }))
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
    this.#covered = places
    this.#found = this.#found.filter((hit) => this.#counts(hit))
    const after = this.#after ?? ''
    const ranges = places
      .filter((place) => endOf(place) > after)
      .map((prefix): Unread => {
        const from = prefix > after ? prefix : after
        return { index: 'byFolder', partition, prefix, from, source: 'folder' }
      })
    this.#unread = inOrder([...this.#unread.map((range) => this.#beyondFolders(range)), ...ranges])
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

  /**
   * The first range may hold all that is missing; those behind it share what is left of the budget. Of folders, whose
   * entries are large, little is read ahead, and nothing where direct shares go on before them.
   */
  async #readOn(missing: number): Promise<void> {
    const [first, ...behind] = this.#unread.slice(0, 1 + this.#width) as [Unread, ...Unread[]]
    const firstDirect = this.#unread.findIndex(({ source }) => source === 'direct')
    const others = behind.filter(
      ({ source }, index) => source === 'direct' || firstDirect === -1 || index + 1 < firstDirect,
    )
    const each = Math.max(1, Math.floor((this.#budget - missing) / others.length))
    const limitOf = ({ source }: Unread) => Math.min(each, source === 'direct' ? missing : this.#fewOfFolder)
    // One more for the workbook at the cursor.
    const limit = this.#after === undefined ? missing : missing + 1
    await this.#read([{ range: first, limit }, ...others.map((range) => ({ range, limit: limitOf(range) }))])
    // Where that was too little, round trips count more than entries.
    this.#budget = Math.max(this.#budget, 2 * missing)
    this.#width *= 4
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
        this.#found.push(...items.map((item) => hit(range.source, item)).filter((hit) => this.#counts(hit)))
        if (items.length > 0 && items[0]?.place === this.#after) this.#isAtCursor = true
        const last = items.at(-1)?.place as string | undefined
        // A space sorts before all that may follow in a place, so this begins just after it.
        return more && last !== undefined ? [this.#beyondFolders({ ...range, from: `${last} ` })] : []
      }),
    )
    const untried = this.#unread.filter((range) => !tried.some((each) => each.range === range))
    this.#unread = inOrder([...rest.flat(), ...untried])
    this.#found.sort((a, b) => (a.place < b.place ? -1 : 1))
    // Shared with two grantees; or found at two places, while it moves.
    const ids = new Set<number>()
    this.#found = this.#found.filter(({ id }) => !ids.has(id) && ids.add(id))
  }

  #counts({ source, place }: Hit): boolean {
    if (place === this.#after) return false
    return source === 'folder' || coveringPlace(this.#covered, place) === undefined
  }

  /** Direct shares are read on behind the shared folder that the range begins in. */
  #beyondFolders(range: Unread): Unread {
    const folder = range.source === 'direct' ? coveringPlace(this.#covered, range.from) : undefined
    return folder === undefined ? range : { ...range, from: endOf(folder) }
  }
}

const hit = (source: Hit['source'], item: Item): Hit => ({
  place: item.place as string,
  id: item.id as number,
  source,
  item,
})

/** Sorts behind all that lies in the folder. */
const endOf = (folderPlace: string): string => `${folderPlace}~`

const inOrder = (ranges: readonly Unread[]): Unread[] => ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))
