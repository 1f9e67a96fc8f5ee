import { type ChangeResult, catalogWriter, checkChanges } from '@embed-access/core/catalog/apply.ts'
import type { Problem } from '@embed-access/core/catalog/change.ts'
import type { referenceCheck } from '@embed-access/core/catalog/references.ts'
import { parseJson } from '@embed-access/core/json.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Line } from './file.ts'
import { DatabaseGone } from './patient.ts'

export type ImportCounts = Readonly<Record<ChangeResult['outcome'], number>>

/** How far an import is: the last line that is done, and what became of the lines up to it. */
export type ImportProgress = { readonly line: number; readonly counts: ImportCounts }

export const atStart: ImportProgress = { line: 0, counts: { applied: 0, skipped: 0, refused: 0, failed: 0 } }

type Listener = {
  /** A line was refused, for these reasons. */
  refused(line: number, problems: readonly Problem[]): void
  /** A line is valid but could not be applied, for this reason. The same line may be applied later. */
  failed(line: number, reason: string): void
  /** A line is valid except for these fields, which this version does not know and leaves out. */
  leftOut(line: number, fields: readonly string[]): void
  /** The lines up to here are done. */
  advanced(progress: ImportProgress): void | Promise<void>
}

/** The most lines, and the most bytes, of a batch that is applied together. */
const batchLines = 500
const batchBytes = 8 * 1024 * 1024

/** What is done with a batch of changes, each of which has the number of its line. */
export type Work = (changes: readonly unknown[], lines: readonly number[]) => Promise<readonly ChangeResult[]>

export function applyingTo(storage: Storage): Work {
  const apply = catalogWriter(storage, { now: Date.now })
  return (changes) => apply(changes)
}

/** Counts as applied what is valid, and collects what refers to what. It reads and writes nothing. */
export const checkingWith =
  (references: ReturnType<typeof referenceCheck>): Work =>
  async (changes, lines) => {
    for (const [index, change] of changes.entries()) references.take(change, lines[index] as number)
    return checkChanges(changes)
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
    const parsed = batch.map(({ number, bytes }) => ({ number, json: parse(bytes) }))
    const changes = parsed.flatMap(({ number, json }) => (json ? [{ number, change: json.value }] : []))
    const results = await work(
      changes.map(({ change }) => change),
      changes.map(({ number }) => number),
    )
    const failures = results.filter((result) => result.outcome === 'failed')
    const gone = failures.find(({ cause }) => cause instanceof DatabaseGone)
    const stopping = gone ?? (failures.length === results.length ? failures[0] : undefined)
    if (stopping) throw stopping.cause
    const byLine = new Map(results.map((result, index) => [changes[index]?.number, result]))
    for (const { number } of parsed) {
      const result = byLine.get(number) ?? notJson
      counts[result.outcome] += 1
      if (result.outcome === 'refused') listener.refused(number, result.problems)
      if (result.outcome === 'failed') listener.failed(number, result.reason)
      if ('leftOut' in result && result.leftOut) listener.leftOut(number, result.leftOut)
    }
    await listener.advanced({ line: parsed.at(-1)?.number ?? from.line, counts: { ...counts } })
  }
  return counts
}

/** What is said of a line that {@link parse} cannot read. */
export const notJson = {
  outcome: 'refused',
  problems: [{ pointer: '', reason: 'is not JSON in UTF-8, or nests too deep' }],
} as const

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parse(bytes: Buffer): { value: unknown } | undefined {
  try {
    return { value: parseJson(utf8.decode(bytes)) }
  } catch {
    return undefined
  }
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
