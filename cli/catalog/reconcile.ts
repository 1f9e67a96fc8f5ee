import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { type DumpLine, differences } from '@embed-access/core/catalog/reconcile.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { openCatalogFile } from './file.ts'
import { notJson, parse } from './import.ts'
import { refusalsOf, warningsOf } from './report.ts'

export type ReconcileOptions = {
  readonly apply: boolean
  readonly deploymentId: number | undefined
  /** Extra things are deleted only up to this revision: those above it came after the dump. */
  readonly until: number | undefined
}

const batchSize = 100

/**
 * Writes to stdout the changes that would make the tables as the dump says. Applies them if asked to.
 * @throws UnusableDump before it writes anything. Each line that is not valid is on stderr.
 */
export async function reconcile(storage: Storage, path: string, { apply, deploymentId, until }: ReconcileOptions) {
  const counts = {
    missing: 0,
    different: 0,
    newer: 0,
    conflict: 0,
    extra: 0,
    applied: 0,
    skipped: 0,
    refused: 0,
    failed: 0,
  }
  const write = catalogWriter(storage, { now: Date.now })
  let batch: unknown[] = []
  const flush = async () => {
    for (const { outcome } of apply ? await write(batch) : []) counts[outcome] += 1
    batch = []
  }
  for await (const difference of differences(storage, () => linesOf(path), telling, deploymentId)) {
    counts[difference.what] += 1
    if (difference.what === 'newer' || difference.what === 'conflict') continue
    if (difference.what === 'extra' && !mayGo(difference.revision, until)) continue
    process.stdout.write(`${quoted(difference.change)}\n`)
    batch.push(difference.change)
    if (batch.length === batchSize) await flush()
  }
  await flush()
  return counts
}

const mayGo = (revision: number | undefined, until: number | undefined): boolean =>
  until !== undefined && (revision === undefined || revision <= until)

const say = (lines: readonly string[]): void => {
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
}
const telling: Parameters<typeof differences>[2] = {
  refused: (line, problems) => say(refusalsOf(line, problems)),
  leftOut: (line, fields) => say(warningsOf(line, fields)),
}

async function* linesOf(path: string): AsyncGenerator<DumpLine> {
  for await (const { number, bytes } of (await openCatalogFile(path)).lines()) {
    const json = parse(bytes)
    yield json ? { number, change: json.value } : { number, change: undefined, problems: notJson.problems }
  }
}
