import type { Item } from '../storage/batch-get.ts'
import { type Document, documentBytes, maxDocumentBytes, pack, unpack } from '../storage/document.ts'
import { pageBytes } from '../storage/page.ts'
import { requireAtMost } from './change.ts'

/** Documents in an index are inflated a whole page at once, up to 201 of them, which must fit a function's memory. */
export const maxListedBytes = 256 * 1024

/** The most JSON text of a document that is fetched by key. */
export const maxStoredBytes = pageBytes

/** A document that is fetched by key. */
export function storedDocument(resource: object): Document {
  const document = pack(jsonOf(resource, maxStoredBytes))
  requireAtMost(maxDocumentBytes, 'the compressed document has', documentBytes(document))
  return document
}

/** A document that the indexes of its lists carry. */
export const listedDocument = (resource: object): Document => pack(jsonOf(resource, maxListedBytes))

function jsonOf(resource: object, most: number): string {
  const json = JSON.stringify(resource)
  requireAtMost(most, 'the document has', Buffer.byteLength(json))
  return json
}

/** The JSON text of an item's document. */
export const documentOf = ({ document }: Item): string => unpack(document as Document)
