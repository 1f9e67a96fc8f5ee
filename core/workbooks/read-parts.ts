/** What was read of an index: all entries after `from` up to `to`, included. */
export type Read = {
  readonly from: string
  readonly to: string
  readonly entries: number
  readonly hits: readonly string[]
}

/**
 * The parts of the index `byFolder` that were read, and what of the wanted folders lies between. Entries begin with their
 * folder, and texts compare here as DynamoDB sorts them, because all of their characters are ASCII.
 *
 *   read     ├──────────┤              ├─────┤
 *   wanted      b12  b14   b19   b20     b31    b40
 *   gaps                   ▲     ▲              ▲
 */
export class ReadParts {
  readonly #folders: readonly string[]
  readonly #reads: Read[] = []

  /** @param folders what the entries of each wanted folder begin with, in order */
  constructor(folders: readonly string[]) {
    this.#folders = folders
  }

  get lastFolder(): string {
    return this.#folders.at(-1) as string
  }

  /** How many wanted folders there are from this position on. */
  foldersFrom(at: string): number {
    return this.#folders.length - this.#rank(folderOf(at))
  }

  /** How many wanted folders begin after one position and up to another. */
  foldersBetween(from: string, to: string): number {
    return this.#rank(to) - this.#rank(`${folderOf(from)} `)
  }

  /** The position itself if it lies in a wanted folder, else the beginning of the next one, if there is one. */
  next(at: string): string | undefined {
    const folder = folderOf(at)
    const rank = this.#rank(folder)
    if (this.#folders[rank] !== folder) return this.#folders[rank]
    return at.endsWith('~') ? this.#folders[rank + 1] : at
  }

  add(from: string, to: string, entries: readonly string[]): Read {
    const hits = entries.filter((entry) => {
      const folder = folderOf(entry)
      return this.#folders[this.#rank(folder)] === folder
    })
    const read = { from, to, entries: entries.length, hits }
    this.#reads.push(read)
    return read
  }

  /** The hits before the first gap, and at most `width` gaps until so many hits are known. */
  walk(begin: string | undefined, wanted: number, width: number): { hits: string[]; gaps: string[] } {
    const hits: string[] = []
    const gaps: string[] = []
    let at = begin
    for (let seen = 0; at !== undefined && seen <= wanted; ) {
      const from: string = at
      const read = this.#reads.find((each) => each.from <= from && from < each.to)
      if (read) {
        const more = read.hits.filter((hit) => hit > from)
        if (gaps.length === 0) hits.push(...more)
        seen += more.length
        at = this.next(read.to)
      } else {
        if (gaps.length === width) break
        gaps.push(from)
        // A read may begin within a folder, where an earlier page ended.
        const next = this.#folders[this.#rank(`${folderOf(from)} `)]
        const begins = this.#reads.map((each) => each.from).filter((each) => each > from && each < (next ?? '~'))
        at = begins.sort()[0] ?? next
      }
    }
    return { hits, gaps }
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

/** The folder part of an entry: a letter for the length of its id, and the id. */
export const folderOf = (entry: string): string => entry.slice(0, 1 + (entry.charCodeAt(0) - 96))
