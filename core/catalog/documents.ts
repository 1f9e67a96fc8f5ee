import type { Item } from '../storage/batch-get.ts'
import { type Document, documentBytes, maxDocumentBytes, pack, unpack } from '../storage/document.ts'
import { pageBytes } from '../storage/page.ts'
import { NotApplicable } from './change.ts'

/**
 * Documents in an index are inflated a whole page at once, up to 201 of them. All of them together fit a function's
 * memory, and each fits its item.
 */
export const maxListedBytes = 256 * 1024

/** The most JSON text of a document that is fetched by key. */
export const maxStoredBytes = pageBytes

/** A document that is fetched by key. */
export function storedDocument(resource: object): Document {
  const document = pack(jsonOf(resource, maxStoredBytes))
  const bytes = documentBytes(document)
  if (bytes > maxDocumentBytes) {
    throw new NotApplicable('', `the compressed document has ${bytes} bytes; the limit is ${maxDocumentBytes}`)
  }
  return document
}

/** A document that the indexes of its lists carry. */
export const listedDocument = (resource: object): Document => pack(jsonOf(resource, maxListedBytes))

function jsonOf(resource: object, most: number): string {
  const json = JSON.stringify(resource)
  const bytes = Buffer.byteLength(json)
  if (bytes > most) throw new NotApplicable('', `the document has ${bytes} bytes; the limit is ${most}`)
  return json
}

/** The JSON text of an item's document. */
export const documentOf = ({ document }: Item): string => unpack(document as Document)
