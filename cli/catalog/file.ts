import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Problem } from '@embed-access/core/catalog/kind.ts'
import { parseJson, placeOfMistake } from '@embed-access/core/json.ts'
import { openLines } from '../lines.ts'
import { UsageError } from '../terminal.ts'

/**
 * A line of a catalog file that is not blank: its number, from 1 on, its bytes, and its change, or
 * why it has none.
 */
export type Line = {
  number: number
  /** Left out if there are too many. */
  bytes?: Buffer | undefined
  change: unknown
  problems?: readonly Problem[]
}

export class NotLines extends Error {
  override readonly name = 'NotLines'
}

/**
 * Opens a file of catalog changes, one per line. The file may be gzipped.
 * @param path the path of the file, or `-` to read from `input`
 * @throws Error with a plain sentence if the file cannot be read
 */
export async function openCatalogFile(path: string, input?: Readable) {
  const { name, lines, progress } = await openLines(path, input)
  return {
    name,
    /**
     * @param after leaves out the lines up to this number
     * @param leftOut gets the bytes of each line that is left out and not blank
     */
    lines: (after = 0, leftOut: (bytes: Buffer | undefined) => void = () => {}) =>
      changesIn(name, lines, after, leftOut),
    progress,
  }
}

/**
 * A file that a command reads twice. The second time, a pipe or the standard input is empty.
 * @returns when the file was last written, in milliseconds since the epoch; undefined if there is
 * no file, which the first reading reports
 * @throws UsageError if it is no file
 */
export async function requireFile(path: string): Promise<number | undefined> {
  const advice = 'cannot be read twice. Give the path of a file.'
  if (path === '-') throw new UsageError(`Standard input ${advice}`)
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isFile()) throw new UsageError(`${path} ${advice}`)
  return found?.mtimeMs
}

async function* changesIn(
  path: string,
  lines: AsyncIterable<Buffer | undefined>,
  after: number,
  leftOut: (bytes: Buffer | undefined) => void,
): AsyncGenerator<Line> {
  let number = 0
  let isFirst = true
  for await (const bytes of lines) {
    number += 1
    if (bytes?.every((byte) => blanks.includes(byte))) continue
    if (isFirst) requireLines(path, bytes)
    isFirst = false
    if (number > after) yield { number, bytes, ...parse(bytes) }
    else leftOut(bytes)
  }
}

const blanks = Buffer.from(' \t\r')

/** Throws if the first line shows that every line of the file would be refused. */
function requireLines(path: string, line: Buffer | undefined): void {
  const notLines = (looks: string) =>
    new NotLines(`${path} must have one change per line, and this looks like ${looks}.`)
  if (!line) throw notLines('a file without line ends')
  const start = line.subarray(0, 100)
  const text = start.toString().trim()
  if (start.includes(0)) throw notLines('a file of another kind. Unpack it if it is an archive')
  if (text === '{') throw notLines('JSON on several lines. jq -c . makes one of them')
  if (/^\{\s*"changes"/.test(text))
    throw notLines('a message of the queue. jq -c ".changes[]" makes lines of it')
  if (text.startsWith('[')) throw notLines('an array. jq -c ".[]" makes lines of it')
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
    return `is not JSON: there is one comma too many, before column ${place + 1}`
  return place >= text.length
    ? 'is not JSON: it ends too early'
    : `is not JSON: column ${place + 1} is wrong`
}
