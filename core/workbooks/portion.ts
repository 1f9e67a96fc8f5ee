import { maxDocumentBytes } from '../storage/document.ts'
import { type Entry, pageBytes } from '../storage/page.ts'
import type { Hit } from './hit.ts'
import { largeDocumentBytes } from './keys.ts'
import type { Listing } from './visible.ts'

/** How many times the page's free room may be read. */
const readRatio = 1.9

/**
 * The hits whose workbooks to read next. They are so few that the largest possible documents come to less than twice
 * the page's free room. Of large documents, that may be a dozen.
 */
export function portionOf<Found extends Hit>(
  { folders }: Listing,
  hits: readonly Found[],
  entries: readonly Entry[],
): readonly Found[] {
  const room = pageBytes - entries.reduce((bytes, { json }) => bytes + Buffer.byteLength(json), 0)
  let bytes = 0
  const count = hits.findIndex(({ id }) => {
    bytes += folders.isLarge(id) ? maxDocumentBytes : largeDocumentBytes
    return bytes > readRatio * room
  })
  return count === -1 ? hits : hits.slice(0, Math.max(count, 1))
}
