import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { pageBytes } from './page.ts'

/**
 * A resource as stored: its JSON text, deflated once that saves capacity. It is handed on as text and never turned
 * into attributes and back, which would cost most of a page's time.
 */
export type Document = string | Uint8Array

/**
 * Below this a page of 100 texts costs less capacity as entries of an index than by key, and taking in deflated ones would
 * cost more time than all else that is done for the page.
 */
const deflateFromBytes = 2560

/**
 * Without a last block and ending with a line feed, which JSON text has nowhere else, so that deflated documents laid end
 * to end are one stream of lines: inflating a page at once costs a third less than one document after the other.
 */
const open = { finishFlush: constants.Z_SYNC_FLUSH }

/** @param json one JSON text, without a line feed */
export function pack(json: string): Document {
  return Buffer.byteLength(json) < deflateFromBytes ? json : deflateRawSync(`${json}\n`, open)
}

export function unpackAll(documents: readonly Document[], most?: number): string[] {
  const deflated = documents.filter((document) => typeof document !== 'string')
  const inflated = () => inflateRawSync(Buffer.concat(deflated), { ...open, ...(most && { maxOutputLength: most }) })
  const lines = deflated.length === 0 ? [] : inflated().toString().split('\n')
  let next = 0
  return documents.map((document) => (typeof document === 'string' ? document : (lines[next++] as string)))
}

export const unpack = (document: Document): string => unpackAll([document])[0] as string

/** How much is inflated at once, in bytes as stored, where a page may end before all of it. */
const inflateBytes = 512 * 1024

/** The texts of these documents as far as they fill a page, the last one passing {@link pageBytes}. */
export function unpackPage(documents: readonly Document[]): string[] {
  const texts: string[] = []
  let bytes = 0
  while (texts.length < documents.length && bytes <= pageBytes) {
    let end = texts.length
    for (let stored = 0; end < documents.length && stored < inflateBytes; end += 1) {
      stored += documentBytes(documents[end] as Document)
    }
    const unpacked = unpackWithin(mostInflated, documents.slice(texts.length, end))
    for (const text of unpacked) bytes += Buffer.byteLength(text)
    texts.push(...unpacked)
  }
  return texts
}

/** How much a page's documents may come to at once, in bytes: what compresses a thousandfold would fill the memory. */
const mostInflated = 4 * pageBytes

/** The texts of all these documents, or of the first one alone where all would come to more. */
function unpackWithin(most: number, documents: readonly Document[]): string[] {
  try {
    return unpackAll(documents, most)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    return unpackAll(documents.slice(0, 1))
  }
}

export const documentBytes = (document: Document): number =>
  typeof document === 'string' ? Buffer.byteLength(document) : document.byteLength
