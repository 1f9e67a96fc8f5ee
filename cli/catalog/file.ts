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
  /** How much of the file was read so far, from 0 to 1; undefined once all of it was. */
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
  const content = isGzip(source) ? pipeline(source, createGunzip(), () => {}) : source
  return {
    lines: () => linesOf(path, content),
    progress: () => (source.bytesRead < size ? source.bytesRead / size : undefined),
  }
}

function isGzip(source: Readable): boolean {
  const head = source.read() as Buffer | null
  if (head === null) return false
  source.unshift(head)
  return head[0] === 0x1f && head[1] === 0x8b
}

async function* linesOf(path: string, content: Readable): AsyncGenerator<Line> {
  let number = 0
  let isFirst = true
  try {
    for await (const line of split(content)) {
      number += 1
      if (isBlank(line)) continue
      if (isFirst) requireLines(path, line.bytes)
      isFirst = false
      yield { number, ...line }
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Splits by bytes. A line may have U+2028, at which readline would split. */
async function* split(content: Readable): AsyncGenerator<Omit<Line, 'number'>> {
  let parts: Buffer[] = []
  let length = 0
  const keep = (part: Buffer): void => {
    length += part.byteLength
    if (length > mostBytes) parts = []
    else parts.push(part)
  }
  const end = (): Omit<Line, 'number'> => {
    const line = { bytes: Buffer.concat(parts), ...(length > mostBytes && { isTooLong: true }) }
    parts = []
    length = 0
    return line
  }
  for await (const chunk of content as AsyncIterable<Buffer>) {
    let start = 0
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', start)) {
      keep(chunk.subarray(start, at))
      yield end()
      start = at + 1
    }
    keep(chunk.subarray(start))
  }
  yield end()
}

/** Tells what a file is instead, by its first line: each of its lines would be refused. */
function requireLines(path: string, line: Buffer): void {
  const start = line.subarray(0, 100)
  const text = start.toString().trim()
  let looks: string | undefined
  if (start.includes(0)) looks = 'UTF-16. Save it as UTF-8'
  else if (text === '{') looks = 'JSON on several lines. jq -c . makes one of them'
  else if (text.startsWith('[')) looks = 'an array. jq -c ".[]" makes lines of it'
  if (looks !== undefined) throw new NotLines(`${path} must have one change per line, and this looks like ${looks}.`)
}

const isBlank = ({ bytes, isTooLong }: Omit<Line, 'number'>): boolean =>
  !isTooLong && bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

/** What a reader of the file threw, as a plain sentence. */
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
