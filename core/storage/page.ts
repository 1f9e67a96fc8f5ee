import { encodeCursor } from './cursor.ts'

/** How a page is asked for: `first` as given (at least 1), `after` an opaque cursor. */
export type PageRequest = { readonly first?: number | undefined; readonly after?: string | undefined }

/** PageInfo of the specification. */
export type PageInfo = {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** A page whose items are JSON texts, ready to be joined. */
export type Page = { readonly items: readonly string[]; readonly pageInfo: PageInfo }

/** An item of a list: its sort position and its JSON text. */
export type Entry = { readonly position: string; readonly json: string }

/** decisions, "Requests and responses": 100 unless asked for, and never more than 200. */
export const pageSize = (first = 100): number => Math.min(first, 200)

/** A page ends before its items pass this; Lambda answers with at most 6 MB. */
export const pageBytes = 5 * 1024 * 1024

/** How many of the entries, from the first on, a page of at most `size` can hold; at least one. */
export function countThatFit(entries: readonly Entry[], size: number): number {
  let bytes = 0
  let count = 0
  for (const { json } of entries.slice(0, size)) {
    bytes += Buffer.byteLength(json) + 1
    if (bytes > pageBytes && count > 0) break
    count += 1
  }
  return count
}

/**
 * The page made of the first `size` of these entries, or fewer where they would pass {@link pageBytes}.
 * @param more whether the list goes on behind the last entry given
 */
export function pageOf(
  list: readonly unknown[],
  entries: readonly Entry[],
  { size, more, hasPreviousPage }: { size: number; more: boolean; hasPreviousPage: boolean },
): Page {
  const shown = entries.slice(0, countThatFit(entries, size))
  const cursor = (entry: Entry | undefined) => (entry ? encodeCursor(list, entry.position) : null)
  return {
    items: shown.map(({ json }) => json),
    pageInfo: {
      hasNextPage: more || shown.length < entries.length,
      hasPreviousPage,
      startCursor: cursor(shown[0]),
      endCursor: cursor(shown.at(-1)),
    },
  }
}
