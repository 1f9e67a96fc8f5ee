import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * A resource as stored: its JSON text, deflated once that saves capacity. It is handed on as text and never turned
 * into attributes and back, which would cost most of a page's time.
 */
export type Document = string | Uint8Array

/** Below this the text fits one read unit together with its keys, and deflating would only cost time. */
const deflateFromBytes = 1024

export function pack(resource: unknown): Document {
  const json = JSON.stringify(resource)
  return Buffer.byteLength(json) < deflateFromBytes ? json : deflateRawSync(json)
}

export function unpack(document: Document): string {
  return typeof document === 'string' ? document : inflateRawSync(document).toString()
}

export const documentBytes = (document: Document): number =>
  typeof document === 'string' ? Buffer.byteLength(document) : document.byteLength
