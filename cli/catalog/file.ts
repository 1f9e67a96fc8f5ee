import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Problem } from '@embed-access/core/catalog/kind.ts'
import { parseJson, placeOfMistake } from '@embed-access/core/json.ts'

/**
 * A line of a catalog file that is not blank: its number, from 1 on, its bytes, and its change, or
 * why it has none.
 */
export type Line = {
  readonly number: number
  /** Left out if there are too many. */
  readonly bytes?: Buffer | undefined
  readonly change: unknown
  readonly problems?: readonly Problem[]
}

/** The longest line that is read, in bytes. A change has far less. */
const mostBytes = 16 * 1024 * 1024

export class NotLines extends Error {
  override readonly name = 'NotLines'
}

/**
 * A file of catalog changes, one per line, gzipped or not.
 * @param path `-` for standard input
 * @throws Error with a plain sentence for a file that cannot be read
 */
export async function openCatalogFile(path: string, input: Readable = process.stdin) {
  if (path === '-')
    return {
      lines: (after = 0) => linesOf('standard input', input, after),
      progress: () => undefined,
    }
  const source = createReadStream(path)
  try {
    await once(source, 'readable')
  } catch (error) {
    throw unreadable(path, error)
  }
  const { size } = await stat(path)
  const content = isGzip(source) ? pipeline(source, createGunzip(), () => {}) : source
  return {
    /** @param after the number of the last line to leave out */
    lines: (after = 0) => linesOf(path, content, after),
    /** How much of the file was read so far, from 0 to 1; undefined once all of it was. */
    progress: (): number | undefined =>
      source.bytesRead < size ? source.bytesRead / size : undefined,
  }
}

function isGzip(source: Readable): boolean {
  const head = source.read() as Buffer | null
  if (head === null) return false
  source.unshift(head)
  return head[0] === 0x1f && head[1] === 0x8b
}

async function* linesOf(path: string, content: Readable, after: number): AsyncGenerator<Line> {
  let number = 0
  let isFirst = true
  try {
    for await (const bytes of split(content)) {
      number += 1
      if (bytes?.every((byte) => blanks.includes(byte))) continue
      if (isFirst && bytes) requireLines(path, bytes)
      isFirst = false
      if (number > after) yield { number, bytes, ...parse(bytes) }
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

const blanks = Buffer.from(' \t\r')

/**
 * Splits by bytes, since a line may have U+2028, at which readline splits. Yields undefined for a
 * line that is too long.
 */
async function* split(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    for (let start = 0, end = 0; end !== -1; start = end + 1) {
      end = chunk.indexOf('\n', start)
      const part = chunk.subarray(start, end === -1 ? undefined : end)
      length += part.byteLength
      parts = length > mostBytes ? [] : [...parts, part]
      if (end === -1) continue
      yield length > mostBytes ? undefined : Buffer.concat(parts)
      parts = []
      length = 0
    }
  }
  yield length > mostBytes ? undefined : Buffer.concat(parts)
}

/** Throws, by the first line, for a file of which each line would be refused. */
function requireLines(path: string, line: Buffer): void {
  const start = line.subarray(0, 100)
  const text = start.toString().trim()
  let looks: string | undefined
  if (start.includes(0)) looks = 'UTF-16. Save it as UTF-8'
  else if (text === '{') looks = 'JSON on several lines. jq -c . makes one of them'
  else if (text.startsWith('[')) looks = 'an array. jq -c ".[]" makes lines of it'
  if (looks !== undefined)
    throw new NotLines(`${path} must have one change per line, and this looks like ${looks}.`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer | undefined): Pick<Line, 'change' | 'problems'> {
  if (!bytes) return unusable('has more than 16 MiB; there must be one change per line')
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return unusable('is not text in UTF-8')
  }
  try {
    return { change: parseJson(text) }
  } catch (error) {
    return unusable(error instanceof SyntaxError ? whyNotJson(text.trimEnd()) : 'nests too deep')
  }
}

const unusable = (reason: string) => ({ change: undefined, problems: [{ pointer: '', reason }] })

function whyNotJson(text: string): string {
  if (/^\s*(\/\/|\/\*|#)/.test(text))
    return 'is a comment; there must be one change per line, and nothing else'
  const place = placeOfMistake(text)
  if (text.endsWith(',') && place >= text.length - 1)
    return 'ends with a comma; there must be one change per line, without commas between them'
  if (/,\s*$/.test(text.slice(0, place)) && /[}\]]/.test(text.charAt(place)))
    return `is not JSON: the comma before column ${place + 1} is too many`
  return place >= text.length
    ? 'is not JSON: it ends too early'
    : `is not JSON: column ${place + 1} is wrong`
}

/** The error of reading a file, as a plain sentence. */
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
