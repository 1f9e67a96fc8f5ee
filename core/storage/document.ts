import { kMaxLength } from 'node:buffer'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Item } from './item.ts'

/**
 * A thing as stored: its JSON text, or that text deflated. Reading attributes instead would take
 * most of a page's time.
 */
export type Document = string | Uint8Array

/** The largest document of an item, as stored: DynamoDB's 400 KB less room for other attributes. */
export const maxDocumentBytes = 390 * 1024

/** Texts of fewer bytes stay as they are, because inflating a page of them would take long. */
const deflateFromBytes = 2560

/**
 * A deflated document does not end its stream. So joined documents are one stream, with one line
 * for each document. To inflate this stream takes a third less time than to inflate each document.
 */
const withoutEnd = { finishFlush: constants.Z_SYNC_FLUSH }

/** @param json one JSON value, without a line feed */
export const pack = (json: string): Document =>
  Buffer.byteLength(json) < deflateFromBytes ? json : deflateRawSync(`${json}\n`, withoutEnd)

/**
 * Returns the JSON texts of documents, in the same order.
 * @throws RangeError `ERR_BUFFER_TOO_LARGE` if the deflated ones have more than `maxBytes` as text
 */
export function unpackAll(documents: readonly Document[], maxBytes = kMaxLength): string[] {
  const deflated = documents.filter((document) => typeof document !== 'string')
  const lines = deflated.length > 0 ? linesOf(deflated, maxBytes) : []
  return documents.map((document) =>
    typeof document === 'string' ? document : (lines.shift() as string),
  )
}

function linesOf(deflated: readonly Uint8Array[], maxOutputLength: number): string[] {
  const inflated = inflateRawSync(Buffer.concat(deflated), { ...withoutEnd, maxOutputLength })
  return inflated.toString().split('\n')
}

export const unpack = (document: Document): string => unpackAll([document])[0] as string

/** What {@link pack} made for this item. */
export const documentIn = ({ document }: Item): Document => document as Document

export const jsonIn = (item: Item): string => unpack(documentIn(item))
