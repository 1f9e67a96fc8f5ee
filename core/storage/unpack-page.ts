import { type Document, unpackAll } from './document.ts'
import { pageBytes } from './page.ts'

/** How many stored bytes to inflate at once, since a page may not need all documents. */
const storedBytesAtOnce = 512 * 1024

/** The most bytes of text to inflate at once. A small document may inflate to a huge text. */
const textBytesAtOnce = 4 * pageBytes

/** The JSON texts of the first documents, until they have more than {@link pageBytes}. */
export function unpackPage(documents: readonly Document[]): string[] {
  const texts: string[] = []
  let bytes = 0
  while (texts.length < documents.length && bytes <= pageBytes) {
    const next = unpackSome(documents.slice(texts.length))
    for (const text of next) bytes += Buffer.byteLength(text)
    texts.push(...next)
  }
  return texts
}

/**
 * Unpacks several of the first documents together. If that fails, unpacks the first one alone,
 * which throws if it is broken.
 */
function unpackSome(documents: readonly Document[]): string[] {
  try {
    return unpackAll(untilLargeEnough(documents), textBytesAtOnce)
  } catch {
    // Together they have too much text, or one of them is broken.
    return unpackAll(documents.slice(0, 1))
  }
}

/** The first documents, until they have {@link storedBytesAtOnce}. */
function untilLargeEnough(documents: readonly Document[]): readonly Document[] {
  let stored = 0
  for (const [index, document] of documents.entries()) {
    stored += Buffer.byteLength(document)
    if (stored >= storedBytesAtOnce) return documents.slice(0, index + 1)
  }
  return documents
}
