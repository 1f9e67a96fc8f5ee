import { encodeCursor } from './cursor.ts'

/** How a caller asks for a page: `first` is at least 1, `after` is an opaque cursor. */
export type PageRequest = {
  readonly first?: number | undefined
  readonly after?: string | undefined
}

/** Items as JSON texts, with PageInfo as in the specification. */
export type Page = Readonly<ReturnType<typeof pageOf>>

export type Entry = { readonly position: string; readonly json: string }

/** Items on a page (docs/api.md#pages). */
export const defaultPageSize = 100
export const maxPageSize = 200

export const pageSize = (first = defaultPageSize): number => Math.min(first, maxPageSize)

/** The most {@link bytesInAnswer} of a page's items. Lambda's limit is 6,291,556 bytes. */
export const pageBytes = 5 * 1024 * 1024

/** The bytes of a text in Lambda's answer, which is JSON too and so escapes the text once more. */
export const bytesInAnswer = (json: string): number => Buffer.byteLength(JSON.stringify(json)) - 2

/** How many of the first entries fit a page of `size` items and {@link pageBytes}; at least one. */
export function countThatFit(entries: readonly Entry[], size: number): number {
  const asked = entries.slice(0, size)
  // Most pages are far smaller, and exact counting takes time. Escaping at most doubles a text.
  const unescaped = asked.reduce((sum, { json }) => sum + Buffer.byteLength(json) + 1, 0)
  if (2 * unescaped <= pageBytes) return asked.length
  let bytes = 0
  for (const [index, { json }] of asked.entries()) {
    bytes += bytesInAnswer(json) + 1
    if (bytes > pageBytes) return Math.max(index, 1)
  }
  return asked.length
}

/** Whether these entries fill the page. */
export const isFull = (entries: readonly Entry[], size: number): boolean =>
  entries.length >= size || countThatFit(entries, size) < entries.length

/**
 * Makes a page of the first entries that fit.
 * @param list what its cursors are bound to, see {@link encodeCursor}
 * @param end the position up to which the list was read. Undefined if it was read to its end
 */
export function pageOf(
  list: readonly unknown[],
  request: PageRequest,
  entries: readonly Entry[],
  end?: string,
) {
  const shown = entries.slice(0, countThatFit(entries, pageSize(request.first)))
  const lastShown = shown.at(-1)?.position
  const isCut = shown.length < entries.length
  const cursor = (position: string | undefined) =>
    position === undefined ? null : encodeCursor(list, position)
  return {
    items: shown.map(({ json }) => json),
    pageInfo: {
      hasNextPage: isCut || end !== undefined,
      // Pages only go forward, and Relay's specification of cursors allows this.
      hasPreviousPage: request.after !== undefined,
      startCursor: cursor(shown[0]?.position),
      // If no entry was cut off, the next page begins where the reading ended. What was read last
      // may have given no entry.
      endCursor: cursor(isCut ? lastShown : (end ?? lastShown)),
    },
  }
}
