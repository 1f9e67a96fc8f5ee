import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A line of a catalog file that is not blank: its number, from 1 on, and its bytes. Too many are not kept. */
export type Line = { readonly number: number; readonly bytes: Buffer; readonly isTooLong?: boolean }

/** The longest line that is read. A change has far less. */
const mostBytes = 16 * 1024 * 1024

export class NotLines extends Error {
  override readonly name = 'NotLines'
}

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
  let length = 0
  const keep = (part: Buffer): void => {
    length += part.byteLength
    if (length > mostBytes) parts = []
    else parts.push(part)
  }
  const next = (end: Buffer): Line => {
    keep(end)
    number += 1
    take(length + 1)
    const line = length > mostBytes ? { isTooLong: true, bytes: Buffer.alloc(0) } : { bytes: Buffer.concat(parts) }
    parts = []
    length = 0
    return { number, ...line }
  }
  let isFirst = true
  const checked = (line: Line): Line => {
    if (isFirst) requireLines(path, line)
    isFirst = false
    return line
  }
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
        const line = next(chunk.subarray(start, end))
        if (!isBlank(line)) yield checked(line)
        start = end + 1
      }
      keep(chunk.subarray(start))
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  const last = next(Buffer.alloc(0))
  if (!isBlank(last)) yield checked(last)
}

/** Tells what a file is instead, by its first line: each of its lines would be refused. */
function requireLines(path: string, { bytes }: Line): void {
  const start = bytes.subarray(0, 100).toString().trim()
  const looks = bytes.subarray(0, 100).includes(0)
    ? 'UTF-16. Save it as UTF-8'
    : start === '{'
      ? 'JSON on several lines. jq -c . makes one of them'
      : start.startsWith('[')
        ? 'an array. jq -c ".[]" makes lines of it'
        : undefined
  if (looks !== undefined) throw new NotLines(`${path} must have one change per line, and this looks like ${looks}.`)
}

const isBlank = ({ bytes, isTooLong }: Line): boolean =>
  !isTooLong && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

export function unreadable(path: string, error: unknown): Error {
  if (error instanceof NotLines) return error
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    ENOTDIR: 'there is no such directory',
    EISDIR: 'it is a directory',
    EACCES: 'it may not be read',
    Z_BUF_ERROR: 'its gzip data ends too early',
    Z_DATA_ERROR: 'its gzip data is damaged',
  }
  return new Error(`Cannot read ${path}: ${reasons[code ?? ''] ?? message}.`, { cause: error })
}
