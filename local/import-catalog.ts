import { applyChanges, type Problem } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Line } from './catalog-file.ts'

export type ImportCounts = { readonly applied: number; readonly skipped: number; readonly refused: number }

type Listener = {
  /** A line was refused, for these reasons. */
  refused(line: number, problems: readonly Problem[]): void
  /** So many lines are done. */
  advanced(lines: number): void
}

/** Lines are applied together in batches of at most so many, and so many bytes. */
const batchLines = 500
const batchBytes = 8 * 1024 * 1024

/** Applies the changes of a catalog file in order; a line that is refused stops none of the others. */
export async function importCatalog(
  storage: Storage,
  lines: AsyncIterable<Line>,
  listener: Listener,
): Promise<ImportCounts> {
  const counts = { applied: 0, skipped: 0, refused: 0 }
  for await (const batch of batchesOf(lines)) {
    const parsed = batch.map(({ number, bytes }) => ({ number, json: parse(bytes) }))
    const changes = parsed.flatMap(({ number, json }) => (json ? [{ number, change: json.value }] : []))
    const results = await applyChanges(
      storage,
      changes.map(({ change }) => change),
    )
    const byLine = new Map(results.map((result, index) => [changes[index]?.number, result]))
    for (const { number } of parsed) {
      const result = byLine.get(number) ?? notJson
      counts[result.outcome] += 1
      if (result.outcome === 'refused') listener.refused(number, result.problems)
    }
    listener.advanced(counts.applied + counts.skipped + counts.refused)
  }
  return counts
}

const notJson = { outcome: 'refused', problems: [{ field: '', reason: 'is not JSON in UTF-8' }] } as const

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return undefined
  }
}

async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = []
  let bytes = 0
  for await (const line of lines) {
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
