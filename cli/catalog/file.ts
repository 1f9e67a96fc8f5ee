import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A line of a catalog file that is not blank: its number, from 1 on, and its bytes. */
export type Line = { readonly number: number; readonly bytes: Buffer }

/** A file of catalog changes, one per line, gzipped or not. */
export type CatalogFile = {
  lines(): AsyncGenerator<Line>
  /** How much of the file was read so far, from 0 to 1; undefined if that is not known. */
  progress(): number | undefined
}

/** @throws Error with a plain sentence for a file that cannot be read */
export async function openCatalogFile(path: string): Promise<CatalogFile> {
  const source = createReadStream(path)
  try {
    await once(source, 'readable')
  } catch (error) {
    throw unreadable(path, error)
  }
  const { size } = await stat(path)
  if (isGzip(source)) {
    // Once all is read, nothing tells how much of it is still to be inflated.
    return {
      lines: () => linesOf(path, inflated(source)),
      progress: () => (source.bytesRead < size ? source.bytesRead / size : undefined),
    }
  }
  let taken = 0
  return {
    lines: () => linesOf(path, source, (bytes) => (taken += bytes)),
    progress: () => (size > 0 ? Math.min(taken / size, 1) : undefined),
  }
}

const inflated = (source: Readable): Readable => pipeline(source, createGunzip(), () => {})

function isGzip(source: Readable): boolean {
  const head = source.read() as Buffer | null
  if (head === null) return false
  source.unshift(head)
  return head[0] === 0x1f && head[1] === 0x8b
}

/** Splits by bytes. A line may have U+2028, at which readline would split. */
async function* linesOf(
  path: string,
  content: Readable,
  take: (bytes: number) => void = () => {},
): AsyncGenerator<Line> {
  let number = 0
  let parts: Buffer[] = []
  const next = (end: Buffer): Line => {
    const bytes = Buffer.concat([...parts, end])
    parts = []
    number += 1
    take(bytes.byteLength + 1)
    return { number, bytes }
  }
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
        const line = next(chunk.subarray(start, end))
        if (!isBlank(line.bytes)) yield line
        start = end + 1
      }
      parts.push(chunk.subarray(start))
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  const last = next(Buffer.alloc(0))
  if (!isBlank(last.bytes)) yield last
}

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

/** The error, in a plain sentence. */
export function unreadable(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a directory',
    EACCES: 'it may not be read',
    Z_BUF_ERROR: 'its gzip data ends too early',
    Z_DATA_ERROR: 'its gzip data is damaged',
  }
  return new Error(`Cannot read ${path}: ${reasons[code ?? ''] ?? message}.`, { cause: error })
}
