import { encodeCursor } from './cursor.ts'

/** How a caller asks for a page: `first` is at least 1, `after` is an opaque cursor. */
export type PageRequest = {
  readonly first?: number | undefined
  readonly after?: string | undefined
}

/** A page whose items are JSON texts, ready to be joined, with PageInfo as in the specification. */
export type Page = Readonly<ReturnType<typeof pageOf>>

/** An item of a list: its sort position and its JSON text. */
export type Entry = { readonly position: string; readonly json: string }

/** Items on a page (docs/api.md#pages). */
export const defaultPageSize = 100
export const maxPageSize = 200

export const pageSize = (first = defaultPageSize): number => Math.min(first, maxPageSize)

/** The most that the items of a page may have, in bytes. Lambda answers with at most 6 MB. */
export const pageBytes = 5 * 1024 * 1024

/**
 * How many entries, from the first on, fit a page of at most `size` items and {@link pageBytes}; at
 * least one.
 */
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
 * Makes a page of the first entries, as many as are asked for and fit {@link pageBytes}.
 * @param end up to which position the list was read, if it goes on after these entries
 */
export function pageOf(
  list: readonly unknown[],
  request: PageRequest,
  entries: readonly Entry[],
  end?: string,
) {
  const shown = entries.slice(0, countThatFit(entries, pageSize(request.first)))
  const isCut = shown.length < entries.length
  const cursor = (position: string | undefined) =>
    position === undefined ? null : encodeCursor(list, position)
  return {
    items: shown.map(({ json }) => json),
    pageInfo: {
      hasNextPage: isCut || end !== undefined,
      // Pages go forward only, so this is all that a caller may need (Relay's specification of
      // cursors allows it).
      hasPreviousPage: request.after !== undefined,
      startCursor: cursor(shown[0]?.position),
      endCursor: cursor(isCut ? shown.at(-1)?.position : (end ?? shown.at(-1)?.position)),
    },
  }
}
