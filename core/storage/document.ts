import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Item } from './item.ts'
import { pageBytes } from './page.ts'

/**
 * A thing as stored: its JSON text, or that text deflated. Reading attributes instead would take
 * most of a page's time.
 */
export type Document = string | Uint8Array

/** The largest document of an item, as stored: DynamoDB's 400 KB less room for other attributes. */
export const maxDocumentBytes = 390 * 1024

/** Texts of fewer bytes stay as they are, because inflating a page of them would take long. */
const deflateFromBytes = 2560

/** @param json one JSON value */
export const pack = (json: string): Document =>
  Buffer.byteLength(json) < deflateFromBytes ? json : deflateRawSync(json)

/** Earlier versions stored a stream without an end, and a line feed after the JSON. */
const withoutEnd = { finishFlush: constants.Z_SYNC_FLUSH }

export const unpack = (document: Document): string =>
  typeof document === 'string'
    ? document
    : inflateRawSync(document, withoutEnd).toString().trimEnd()

/** The JSON texts of the first documents, until they have more than {@link pageBytes}. */
export function unpackPage(documents: readonly Document[]): string[] {
  const texts: string[] = []
  let bytes = 0
  for (const document of documents) {
    if (bytes > pageBytes) break
    const text = unpack(document)
    bytes += Buffer.byteLength(text)
    texts.push(text)
  }
  return texts
}

/** What {@link pack} made for this item. */
export const documentIn = ({ document }: Item): Document => document as Document

export const jsonIn = (item: Item): string => unpack(documentIn(item))
