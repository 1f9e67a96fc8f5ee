import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { type DumpLine, differences, UnusableDump } from '@embed-access/core/catalog/reconcile.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { type Terminal, UsageError } from '../command.ts'
import { NotLines, openCatalogFile } from './file.ts'
import { parse } from './import.ts'
import { refusalsOf, warningsOf } from './report.ts'

export type ReconcileOptions = {
  readonly apply?: boolean | undefined
  readonly deployment?: number | undefined
  /** Extra things are deleted only up to this revision: those above it came after the dump. */
  readonly until?: number | undefined
  /** How many may be deleted. By default it is a tenth of what is here. */
  readonly maxDeletes?: number | undefined
  readonly yes?: boolean | undefined
}

const batchSize = 100

/** How large a part of what is here may be deleted without being asked for. */
const mostOfAll = 0.1

/**
 * Finds the changes that would make the tables as the dump says, and applies them if asked to. What is to be deleted comes
 * first, and is told before anything is written.
 * @param found takes each change
 * @throws UsageError before anything is written for a dump that can't be used, and if too much would be deleted
 */
export async function reconcile(
  storage: Storage,
  path: string,
  options: ReconcileOptions,
  { err }: Pick<Terminal, 'err'>,
  found: (change: unknown) => void,
) {
  const { apply, deployment, until } = options
  const say = (lines: readonly string[]) => err.write(lines.map((line) => `${line}\n`).join(''))
  const counts = { missing: 0, different: 0, newer: 0, conflict: 0, extra: 0 }
  const outcomes = { applied: 0, skipped: 0, refused: 0, failed: 0 }
  const conflicts: string[] = []
  const write = catalogWriter(storage, { now: Date.now })
  let batch: unknown[] = []
  const flush = async () => {
    for (const { outcome } of apply ? await write(batch) : []) outcomes[outcome] += 1
    batch = []
  }
  const take = async (change: unknown) => {
    found(change)
    batch.push(change)
    if (batch.length === batchSize) await flush()
  }
  let here = 0
  const deletes: Change[] = []
  let isTold = false
  const takeDeletes = async () => {
    if (isTold) return
    isTold = true
    const verb = apply ? 'Deletes' : 'Would delete'
    if (deletes.length > 0) say([`${verb} ${deletes.length} of ${here}: ${byKind(deletes)}`])
    if (apply) requireFewDeletes(deletes, here, options)
    for (const change of deletes) await take(change)
  }
  const listener: Parameters<typeof differences>[2] = {
    refused: (line, problems) => say(refusalsOf(line, problems)),
    leftOut: (line, fields) => say(warningsOf(line, fields)),
    here: () => (here += 1),
  }
  try {
    for await (const difference of differences(storage, () => linesOf(path), listener, deployment)) {
      counts[difference.what] += 1
      if (difference.what === 'extra') {
        if (mayGo(difference.revision, until)) deletes.push(difference.change as Change)
        continue
      }
      await takeDeletes()
      if (difference.what === 'conflict') {
        conflicts.push(difference.name)
        say([`${conflicts.at(-1)} differs under the same revision; send it with a higher one`])
      } else if (difference.what !== 'newer') await take(difference.change)
    }
  } catch (error) {
    if (!(error instanceof UnusableDump || error instanceof NotLines)) throw error
    const what = error instanceof UnusableDump ? `${path} ${error.message}.` : error.message
    throw new UsageError(`${what} Nothing was compared, and nothing is written.`)
  }
  await takeDeletes()
  await flush()
  return { ...counts, deletes: deletes.length, conflicts, ...(apply && { outcomes }) }
}

type Change = { readonly kind: string; readonly data: { readonly id?: unknown } }

/** `folder 3, workbook 1` */
const byKind = (changes: readonly Change[]): string =>
  Object.entries(Object.groupBy(changes, ({ kind }) => kind))
    .map(([kind, those = []]) => `${kind} ${those.length}`)
    .join(', ')

/** A dump that lacks much, or the deployment that it is of, is likely not whole. */
function requireFewDeletes(
  deletes: readonly Change[],
  here: number,
  { deployment, maxDeletes = Math.floor(here * mostOfAll), yes }: ReconcileOptions,
): void {
  if (yes) return
  if (deployment !== undefined && deletes.some(({ kind, data }) => kind === 'deployment' && data.id === deployment)) {
    throw new UsageError(
      `The dump does not have deployment ${deployment} itself. Nothing is written. To delete it, add --yes.`,
    )
  }
  if (deletes.length <= maxDeletes) return
  throw new UsageError(
    `These are more than ${maxDeletes}. Nothing is written. If they are right, add --max-deletes ${deletes.length}, or --yes.`,
  )
}

const mayGo = (revision: number | undefined, until: number | undefined): boolean =>
  until !== undefined && (revision === undefined || revision <= until)

async function* linesOf(path: string): AsyncGenerator<DumpLine> {
  for await (const line of (await openCatalogFile(path)).lines()) {
    const json = parse(line)
    const { number } = line
    yield 'value' in json ? { number, change: json.value } : { number, change: undefined, problems: [json.problem] }
  }
}
