import { type Document, documentBytes, pack } from '../storage/document.ts'
import { pageBytes } from '../storage/page.ts'
import { NotApplicable } from './record.ts'

/** An item of DynamoDB has at most 400 KB; keys and index attributes take the rest. */
const mostStoredBytes = 390 * 1024

/**
 * What an index carries is inflated a whole page at once, 201 documents: together they stay within what a function has.
 * Such a document always fits its item.
 */
const mostListedBytes = 256 * 1024

/** A document that is fetched by key. */
export function storedDocument(resource: object): Document {
  requireBytes(resource, pageBytes)
  const document = pack(resource)
  const bytes = documentBytes(document)
  if (bytes > mostStoredBytes) {
    throw new NotApplicable('', `has ${bytes} bytes when compressed; at most ${mostStoredBytes} can be stored`)
  }
  return document
}

/** A document that the indexes of its lists carry. */
export function listedDocument(resource: object): Document {
  requireBytes(resource, mostListedBytes)
  return pack(resource)
}

function requireBytes(resource: object, most: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(resource))
  if (bytes > most) throw new NotApplicable('', `has ${bytes} bytes as JSON; at most ${most} fit a page`)
}
