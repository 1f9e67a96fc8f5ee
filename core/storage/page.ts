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

/**
 * The most that the items of a page may have, in {@link bytesInAnswer}. Lambda's limit is 6,291,556
 * bytes.
 */
export const pageBytes = 5 * 1024 * 1024

/**
 * The bytes of a text in Lambda's answer. The answer is JSON itself, so it escapes each quotation
 * mark and backslash of the text once more.
 */
export const bytesInAnswer = (json: string): number => Buffer.byteLength(JSON.stringify(json)) - 2

/**
 * How many entries, from the first on, fit a page of at most `size` items and {@link pageBytes}; at
 * least one.
 */
export function countThatFit(entries: readonly Entry[], size: number): number {
  const asked = entries.slice(0, size)
  // Most pages are far smaller, and counting takes time. At most every byte is escaped.
  const unescaped = asked.reduce((sum, { json }) => sum + Buffer.byteLength(json) + 1, 0)
  if (2 * unescaped <= pageBytes) return asked.length
  let bytes = 0
  const tooMuch = asked.findIndex(({ json }) => {
    bytes += bytesInAnswer(json) + 1
    return bytes > pageBytes
  })
  return tooMuch === -1 ? asked.length : Math.max(tooMuch, 1)
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
