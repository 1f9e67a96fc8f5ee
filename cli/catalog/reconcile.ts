import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { batchesOf } from '@embed-access/core/catalog/batches.ts'
import type { Problem } from '@embed-access/core/catalog/kind.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import {
  differences,
  type Extra,
  nameOfChange,
  UnusableDump,
} from '@embed-access/core/catalog/reconcile.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { quietOption, wholeNumber } from '../command.ts'
import { databaseClock } from '../database-clock.ts'
import { showingReads } from '../progress-line.ts'
import { linesTo, type Terminal, UsageError } from '../terminal.ts'
import { databaseAt, onTables, withStorage } from '../with-storage.ts'
import { NotLines, openCatalogFile, requireFile } from './file.ts'
import { refusalsOf, requireSome, summaryOf, warningsOf, whyNot } from './importing.ts'
import { retryingStorage } from './retrying-storage.ts'
import { atStart } from './state.ts'

const about =
  'Compares a dump, one change for each thing, with the tables, and prints the changes that are ' +
  'missing here. It leaves what has a newer revision here. It never deletes what this service ' +
  'made: API keys, embed tenants, tenant groups and attribute definitions without a revision. It ' +
  'reads the whole tables.'

export const reconcile = (terminal: Terminal) =>
  onTables('reconcile', about, {
    examples: [
      'npx embed-access catalog reconcile dump.ndjson',
      'npx embed-access catalog reconcile dump.ndjson --deployment 71 --until 100 --apply',
    ],
    deletes:
      'with --apply and --until, things that the dump lacks. It first says how many of each kind',
    one: 'something differs or differed',
    more:
      'A dump with a line that is not valid, with two different changes of a thing, or with ' +
      'nothing to compare is refused with 2. So is a dump that changes while it is read.',
  })
    .argument('<file>', 'the dump; no pipe, since it is read twice')
    .addOption(quietOption)
    .option('--deployment <id>', 'only what is in this deployment', wholeNumber)
    .option(
      '--until <revision>',
      'also prints deletes for what is here and not in the dump, up to this revision: what ' +
        'was made after the dump must have a higher one',
      wholeNumber,
    )
    .option('--apply', 'applies the changes too; without it, nothing is written to the tables')
    .option(
      '--max-deletes <count>',
      'how many things --apply may delete (default: a tenth of what is here)',
      wholeNumber,
    )
    .option('--yes', 'deletes however many there are, accounts and deployments too')
    .option(
      '--json',
      'prints {"missing", "different", "newer", "conflict", "extra", "madeHere", ' +
        '"deletes", "conflicts", "changes", "outcomes"} instead of the changes',
    )
    .action(async (file, { json, quiet, url, data, ...options }) => {
      const print = linesTo(terminal.out)
      const say = linesTo(terminal.err)
      if (options.apply) terminal.interrupted = () => 'Go on with the same command.'
      const changes: unknown[] = []
      const result = await withStorage(terminal, { url, data }, (storage, endpoint) =>
        showingReads(storage, terminal.err, quiet, (reading, clear) => {
          const clearAndSay = (...lines: readonly string[]) => {
            clear()
            say(...lines)
          }
          const found = (change: unknown) => {
            clear()
            if (json) changes.push(change)
            else print(quoted(change))
          }
          const retries = { now: terminal.now, say: clearAndSay, database: databaseAt(endpoint) }
          return reconcileWith(retryingStorage(reading, retries), file, options, clearAndSay, found)
        }),
      )
      const { missing, different, newer, conflict, extra, madeHere, outcomes } = result
      if (missing + different + extra + conflict > 0) terminal.exitCode = 1
      if (json) return print(quoted({ ...result, changes }))
      say(
        `missing ${missing}, different ${different}, extra ${extra}; ` +
          `left: newer here ${newer}, same revision ${conflict}, made here ${madeHere}`,
      )
      if (outcomes) say(summaryOf(outcomes))
    })

type Options = {
  apply?: true
  deployment?: number
  /** What is above it came after the dump. */
  until?: number
  maxDeletes?: number
  yes?: true
}

/**
 * Finds the changes that would make the tables as the dump says, and applies them if asked to. It
 * says what it will delete before it writes anything, and deletes first.
 * @throws UsageError before anything is written
 */
async function reconcileWith(
  storage: Storage,
  path: string,
  options: Options,
  say: (...lines: readonly string[]) => void,
  found: (change: unknown) => void,
) {
  const { apply, deployment, until } = options
  const now = databaseClock(storage)
  const writtenAt = await requireFile(path)
  const tell = (line: number, problems: readonly Problem[], outcome: 'refused' | 'leftOut') => {
    const textsOf = outcome === 'refused' ? refusalsOf : warningsOf
    say(...textsOf(line, problems))
  }
  async function* dump() {
    yield* (await openCatalogFile(path)).lines()
  }
  const differing = differences(storage, dump, tell, deployment)
  const { here, extra, madeHere, others } = await differing.catch((error: unknown) => {
    if (!(error instanceof UnusableDump || error instanceof NotLines)) throw error
    const what = error instanceof UnusableDump ? `${path} ${error.message}.` : error.message
    throw new UsageError(`${what} Nothing was compared, and nothing is written.`)
  })
  // A writer may have added lines after the comparison. Their things must not be deleted.
  if ((await requireFile(path)) !== writtenAt)
    throw new UsageError(`${path} changes while it is read. Nothing is written.`)
  const deletes = extra.flatMap(({ change, revision = 0 }) =>
    until !== undefined && revision <= until ? [change] : [],
  )
  if (deletes.length > 0) {
    // folder 3, workbook 1
    const kinds = [...Map.groupBy(deletes, ({ kind }) => kind)].map(
      ([kind, those]) => `${kind} ${those.length}`,
    )
    say(`${apply ? 'Deletes' : 'Would delete'} ${deletes.length} of ${here}: ${kinds.join(', ')}`)
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
  for await (const batch of batchesOf(changes(), () => 0, { items: 100, bytes: 0 })) {
    for (const change of batch) found(change)
    const results = apply ? await write(batch) : []
    requireSome(results)
    for (const [index, result] of results.entries()) {
      outcomes[result.outcome] += 1
      say(...whyNot(result).map((reason) => `${nameOfChange(batch[index])}: ${reason}`))
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
