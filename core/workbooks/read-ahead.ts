import { inARow, isOfFolders, type Unread, type UnreadContents } from './unread.ts'

/** A range and how many of its entries are read at most. */
export type Reading = { readonly range: Unread; readonly limit: number }

/** How many ranges behind the first one are read along with it in the first round; four times as many in each after it. */
const firstWidth = 8

/** Entries that a page may take, in pages: with a look at shared folders and the cursor it stays below two. */
const mostEntries = 1.75

/**
 * How many direct shares of each grantee are read before it is known which folders are shared, in pages. With two of them
 * that leaves less than two thirds of a page to the next round, and in either round a reading fits one read unit.
 */
export const firstDirectShares = 0.38

/**
 * Decides what of several ranges is read next, so that a page takes few round trips and reads little for nothing
 * (`test/access/costs` and `test/access/shapes` hold what comes of it).
 */
export class ReadAhead {
  readonly #size: number
  #round = 0
  #left: number
  #width: number

  /** @param size how many workbooks a page has */
  constructor(size: number) {
    this.#size = size
    this.#left = mostEntries * size
    this.#width = Math.min(size, firstWidth)
  }

  spend(entries: number): void {
    this.#left -= entries
  }

  /**
   * The first range may hold all that is missing; those behind it share what is left. Of folders, whose entries are large,
   * little is read ahead, and nothing where direct shares go on before them. Folders too many to be read side by side are
   * read in a row, which finds all there is in them where most are empty.
   * @param unread in order of their beginnings, at least one
   * @param goesOn whether the first range begins at the page's cursor
   */
  next(unread: readonly Unread[], missing: number, goesOn: boolean): { readings: Reading[]; untried: Unread[] } {
    const [first, ...behind] = unread as [Unread, ...Unread[]]
    const firstDirect = unread.findIndex(({ source }) => source === 'direct')
    const others = behind.filter(
      ({ source }, index) => source === 'direct' || firstDirect === -1 || index + 1 < firstDirect,
    )
    const near = others.slice(0, this.#width)
    const far = others.slice(this.#width).filter(isOfFolders)
    const row = joined(far)

    // Where the first round was too little, round trips count more than entries.
    if (this.#round > 0) this.#left = Math.max(this.#left, 2 * missing)
    const ahead = Math.max(0, this.#left - missing) / (1 + row.length)
    const each = Math.max(1, Math.floor(ahead / near.length))
    // A folder that has filled a page is likely to fill another one.
    const mostOfFolder = Math.ceil(this.#size / (goesOn ? 8 : 2))
    const readings = [
      // One more for the workbook at the cursor.
      { range: first, limit: goesOn ? missing + 1 : missing },
      ...near.map((range) => ({ range, limit: Math.min(each, isOfFolders(range) ? mostOfFolder : missing) })),
      ...row.map((range) => ({ range, limit: Math.min(missing, Math.max(1, Math.floor(ahead))) })),
    ]
    this.#round += 1
    this.#width *= 4
    const tried = new Set<Unread>([first, ...near, ...far])
    return { readings, untried: unread.filter((range) => !tried.has(range)) }
  }
}

function joined(ranges: readonly UnreadContents[]): UnreadContents[] {
  const [first] = ranges
  const folders = ranges.flatMap(({ folders }) => folders)
  return first ? inARow(first.partition, folders, first.from) : []
}
