import { type ChangeResult, catalogWriter, checkChanges } from '@embed-access/core/catalog/apply.ts'
import type { Problem } from '@embed-access/core/catalog/change.ts'
import type { referenceCheck } from '@embed-access/core/catalog/references.ts'
import { differing } from '@embed-access/core/catalog/stored-content.ts'
import { parseJson, placeOfMistake } from '@embed-access/core/json.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Line } from './file.ts'
import { DatabaseGone } from './retrying-storage.ts'

export type ImportCounts = Readonly<Record<ChangeResult['outcome'], number>>

/** How far an import is: the last line that is done, and what became of the lines up to it. */
export type ImportProgress = { readonly line: number; readonly counts: ImportCounts }

export const atStart: ImportProgress = { line: 0, counts: { applied: 0, skipped: 0, refused: 0, failed: 0 } }

type Listener = {
  refused(line: number, problems: readonly Problem[]): void
  /** A line is valid but could not be applied, for this reason. The same line may be applied later. */
  failed(line: number, reason: string): void
  /** A line is valid except for these fields, which this version does not know and leaves out. */
  leftOut(line: number, fields: readonly Problem[]): void
  /** A line is skipped, although it says something else of this thing than what is stored under the same revision. */
  differs?(line: number, thing: string): void
  advanced(progress: ImportProgress): void | Promise<void>
}

/** The most lines, and the most bytes, of a batch that is applied together. */
const batchLines = 500
const batchBytes = 8 * 1024 * 1024

/** What became of a change. One that is skipped may say something else of its thing than what is stored. */
type Result = ChangeResult & { readonly differs?: string | undefined }

/** What is done with a batch of changes, each of which has the number of its line. */
export type Work = (changes: readonly unknown[], lines: readonly number[]) => Promise<readonly Result[]>

export function applyingTo(storage: Storage): Work {
  const apply = catalogWriter(storage, { now: Date.now })
  return async (changes) => {
    const results = await apply(changes)
    const skipped = changes.filter((_, index) => results[index]?.outcome === 'skipped')
    const names = await differing(storage, skipped)
    return results.map((result, index) => ({ ...result, differs: names.get(changes[index]) }))
  }
}

/** Counts as applied what is valid, and collects what refers to what. It reads and writes nothing. */
export const checkingWith =
  (references: ReturnType<typeof referenceCheck>): Work =>
  async (changes, lines) =>
    checkChanges(changes).map((result, index) => {
      const reason = references.take(changes[index], lines[index] as number)
      return reason === undefined ? result : { outcome: 'refused', problems: [{ pointer: '', reason }] }
    })

/** Refuses changes with fields that this version doesn't know, instead of leaving these out. */
export const strictly =
  (work: Work): Work =>
  async (changes, lines) => {
    const refused = checkChanges(changes).map((result): Result | undefined =>
      'leftOut' in result && result.leftOut ? { outcome: 'refused', problems: result.leftOut } : undefined,
    )
    const isTaken = (_: unknown, index: number) => refused[index] === undefined
    const results = [...(await work(changes.filter(isTaken), lines.filter(isTaken)))]
    return refused.map((each) => each ?? (results.shift() as Result))
  }

/**
 * Takes the changes of a catalog file in order. A line that is refused or fails stops no other.
 * @param from what an earlier run has done already
 * @throws what made every change of a batch fail: then the rest would fail too. A database that is gone is such a reason,
 *   although a part of its last batch was applied.
 */
export async function importCatalog(
  work: Work,
  lines: AsyncIterable<Line>,
  listener: Listener,
  from: ImportProgress = atStart,
): Promise<ImportCounts> {
  const counts = { ...from.counts }
  for await (const batch of batchesOf(lines, from.line)) {
    const parsed = batch.map((line) => ({ number: line.number, json: parse(line) }))
    const changes = parsed.flatMap(({ number, json }) => ('value' in json ? [{ number, change: json.value }] : []))
    const results = await work(
      changes.map(({ change }) => change),
      changes.map(({ number }) => number),
    )
    const failures = results.filter((result) => result.outcome === 'failed')
    const gone = failures.find(({ cause }) => cause instanceof DatabaseGone)
    const stopping = gone ?? (failures.length === results.length ? failures[0] : undefined)
    if (stopping) throw stopping.cause
    const byLine = new Map(results.map((result, index) => [changes[index]?.number, result]))
    for (const { number, json } of parsed) {
      const result: Result =
        'problem' in json ? { outcome: 'refused', problems: [json.problem] } : (byLine.get(number) as Result)
      counts[result.outcome] += 1
      if (result.outcome === 'refused') listener.refused(number, result.problems)
      if (result.outcome === 'failed') listener.failed(number, result.reason)
      if ('leftOut' in result && result.leftOut) listener.leftOut(number, result.leftOut)
      if (result.differs !== undefined) listener.differs?.(number, result.differs)
    }
    await listener.advanced({ line: parsed.at(-1)?.number ?? from.line, counts: { ...counts } })
  }
  return counts
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a line, or what is wrong with it. */
export function parse({ bytes, isTooLong }: Line): { readonly value: unknown } | { readonly problem: Problem } {
  if (isTooLong) return unusable('has more than 16 MiB; there must be one change per line')
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return unusable('is not text in UTF-8')
  }
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return unusable(error instanceof SyntaxError ? whyNotJson(text.trimEnd()) : 'nests too deep')
  }
}

const unusable = (reason: string) => ({ problem: { pointer: '', reason } })

function whyNotJson(text: string): string {
  if (/^\s*(\/\/|\/\*|#)/.test(text)) return 'is a comment; there must be one change per line, and nothing else'
  const column = placeOfMistake(text) + 1
  const isComma = text
    .slice(0, column - 1)
    .trimEnd()
    .endsWith(',')
  if (text.endsWith(',') && column > text.length - 1)
    return 'ends with a comma; there must be one change per line, without commas between them'
  if (isComma && /^[}\]]/.test(text.slice(column - 1)))
    return `is not JSON: the comma before column ${column} is too many`
  return column > text.length ? 'is not JSON: it ends too early' : `is not JSON: column ${column} is wrong`
}

async function* batchesOf(lines: AsyncIterable<Line>, done: number): AsyncGenerator<Line[]> {
  let batch: Line[] = []
  let bytes = 0
  for await (const line of lines) {
    if (line.number <= done) continue
    batch.push(line)
    bytes += line.bytes.byteLength
    if (batch.length >= batchLines || bytes >= batchBytes) {
      yield batch
      batch = []
      bytes = 0
    }
  }
  if (batch.length > 0) yield batch
}
