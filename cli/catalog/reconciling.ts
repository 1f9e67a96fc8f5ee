import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { batchesOf } from '@embed-access/core/catalog/batches.ts'
import type { Problem } from '@embed-access/core/catalog/kind.ts'
import {
  differences,
  type Extra,
  nameOfChange,
  UnusableDump,
} from '@embed-access/core/catalog/reconcile.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { UsageError } from '../terminal.ts'
import { NotLines, openCatalogFile, requireFile } from './file.ts'
import { refusalsOf, unlessAllFailed, warningsOf, whyNot } from './importing.ts'
import { atStart } from './state.ts'

type Comparison = {
  storage: Storage
  /** The path of the dump. */
  file: string
  options: Options
  /** Milliseconds since the epoch. */
  now(): number
  /** Gets the lines that a person reads. */
  say(line: string): void
  /** Gets each change, before the change is applied. */
  found(change: unknown): void
}

type Options = {
  apply?: true
  deployment?: number
  /** What is above it came after the dump. */
  until?: number
  maxDeletes?: number
  yes?: true
}

/**
 * Finds the changes that make the tables equal to the dump. Applies these changes if asked to. It
 * says what it will delete before it writes anything, and deletes first.
 * @throws UsageError before anything is written for a dump that can't be used, and if too much
 * would be deleted
 */
export async function reconcileWith({ storage, file, options, now, say, found }: Comparison) {
  const { apply, deployment, until } = options
  const writtenAt = await requireFile(file)
  const tell = (line: number, problems: readonly Problem[], outcome: 'refused' | 'leftOut') => {
    const textsOf = outcome === 'refused' ? refusalsOf : warningsOf
    for (const text of textsOf(line, problems)) say(text)
  }
  async function* dump() {
    yield* (await openCatalogFile(file)).lines()
  }
  const differing = differences(storage, dump, tell, deployment)
  const { here, extra, madeHere, others } = await differing.catch((error: unknown) => {
    if (!(error instanceof UnusableDump || error instanceof NotLines)) throw error
    const reason = error instanceof UnusableDump ? `${file} ${error.message}.` : error.message
    throw new UsageError(`${reason} Nothing was compared, and nothing is written.`)
  })
  // A writer may have added lines after the comparison. Their things must not be deleted.
  if ((await requireFile(file)) !== writtenAt)
    throw new UsageError(`${file} changes while it is read. Nothing is written.`)
  const deletes = extra
    .filter(({ revision = 0 }) => until !== undefined && revision <= until)
    .map(({ change }) => change)
  if (deletes.length > 0) {
    // folder 3, workbook 1
    const kinds = [...Map.groupBy(deletes, ({ kind }) => kind)].map(
      ([kind, those]) => `${kind} ${those.length}`,
    )
    say(`Deletions: ${deletes.length} of ${here} (${kinds.join(', ')})`)
    if (apply) requireFewDeletes(deletes, here, options)
  }

  const none = { missing: 0, different: 0, newer: 0, conflict: 0 }
  const counts = { ...none, extra: extra.length, madeHere }
  const conflicts: string[] = []
  async function* changes(): AsyncGenerator<unknown> {
    yield* deletes
    for await (const { what, change, name } of others) {
      counts[what] += 1
      if (what === 'missing' || what === 'different') yield change
      if (what !== 'conflict') continue
      conflicts.push(name)
      say(`${name} differs under the same revision; send it with a higher one`)
    }
  }

  const outcomes = { ...atStart.counts }
  const write = catalogWriter(storage, { now })
  for await (const batch of batchesOf(changes(), () => 0, { items: 100, bytes: Infinity })) {
    for (const change of batch) found(change)
    const results = apply ? unlessAllFailed(await write(batch)) : []
    for (const [index, result] of results.entries()) {
      outcomes[result.outcome] += 1
      for (const reason of whyNot(result)) say(`${nameOfChange(batch[index])}: ${reason}`)
    }
  }
  return { ...counts, deletes: deletes.length, conflicts, ...(apply && { outcomes }) }
}

/**
 * Refuses deletions by a dump that is probably not whole: it lacks many things, or an account or a
 * deployment. Such a deletion counts as one, but it hides all that belongs to the account or
 * deployment, and ends its tokens for good.
 */
function requireFewDeletes(
  deletes: readonly Extra['change'][],
  here: number,
  { maxDeletes = Math.floor(here / 10), yes }: Options,
): void {
  if (yes) return
  const owner = deletes.find(({ kind }) => kind === 'account' || kind === 'deployment')
  if (owner) {
    throw new UsageError(
      `The dump does not have ${nameOfChange(owner)} itself. Nothing is written. To ` +
        'delete it, add --yes.',
    )
  }
  if (deletes.length <= maxDeletes) return
  throw new UsageError(
    `These are more than ${maxDeletes}. Nothing is written. If they are right, add ` +
      `--max-deletes ${deletes.length}, or --yes.`,
  )
}
