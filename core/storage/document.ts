import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Item } from './item.ts'
import { pageBytes } from './page.ts'

/**
 * A resource as stored: its JSON text, or that text deflated. Reading attributes instead would take
 * most of a page's time.
 */
export type Document = string | Uint8Array

/** Texts of fewer bytes stay as they are, because inflating a page of them would take long. */
const deflateFromBytes = 2560

/**
 * Leaves the deflated stream open, so that concatenated documents are one stream of lines. To
 * inflate a page at once takes a third less time.
 */
const open = { finishFlush: constants.Z_SYNC_FLUSH }

/** @param json one JSON value, without a line feed */
export const pack = (json: string): Document =>
  Buffer.byteLength(json) < deflateFromBytes ? json : deflateRawSync(`${json}\n`, open)

/**
 * Returns the JSON texts of documents, in the same order.
 * @throws RangeError `ERR_BUFFER_TOO_LARGE` if the deflated ones have more than `maxBytes` as text
 */
export function unpackAll(documents: readonly Document[], maxBytes?: number): string[] {
  const deflated = documents.filter((document) => typeof document !== 'string')
  if (deflated.length === 0) return documents as string[]
  const inflated = inflateRawSync(Buffer.concat(deflated), {
    ...open,
    ...(maxBytes && { maxOutputLength: maxBytes }),
  })
  const lines = inflated.toString().split('\n').values()
  return documents.map((document) =>
    typeof document === 'string' ? document : (lines.next().value as string),
  )
}

/** The largest document of an item, as stored: DynamoDB's 400 KB less room for other attributes. */
export const maxDocumentBytes = 390 * 1024

export const unpack = (document: Document): string => unpackAll([document]).join()

/** What {@link pack} made for this item. */
export const documentIn = ({ document }: Item): Document => document as Document

export const documentOf = (item: Item): string => unpack(documentIn(item))

/** How many stored bytes to inflate at once, as a page may not need them all. */
const inflateBytes = 512 * 1024

/** The JSON texts of the first documents, until they have more than {@link pageBytes}. */
export function unpackPage(documents: readonly Document[]): string[] {
  const texts: string[] = []
  let bytes = 0
  while (texts.length < documents.length && bytes <= pageBytes) {
    const unpacked = unpackAllOrFirst(nextToInflate(documents.slice(texts.length)))
    for (const text of unpacked) bytes += Buffer.byteLength(text)
    texts.push(...unpacked)
  }
  return texts
}

/** The first documents, until they have {@link inflateBytes}. */
function nextToInflate(documents: readonly Document[]): readonly Document[] {
  let stored = 0
  const last = documents.findIndex((document) => {
    stored += documentBytes(document)
    return stored >= inflateBytes
  })
  return last === -1 ? documents : documents.slice(0, last + 1)
}

/** The most text to inflate at once, in bytes. A text that repeats itself would fill the memory. */
const maxInflatedBytes = 4 * pageBytes

/** All texts, or only the first if all have more than {@link maxInflatedBytes}. */
function unpackAllOrFirst(documents: readonly Document[]): string[] {
  try {
    return unpackAll(documents, maxInflatedBytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return unpackAll(documents.slice(0, 1))
  }
}

export const documentBytes = (document: Document): number =>
  typeof document === 'string' ? Buffer.byteLength(document) : document.byteLength
