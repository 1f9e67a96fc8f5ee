import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { quietOption, wholeNumber } from '../command.ts'
import { databaseClock } from '../database-clock.ts'
import { showingReads } from '../progress-line.ts'
import { linesTo, type Terminal, UsageError } from '../terminal.ts'
import { databaseAt, onTables, withStorage } from '../with-storage.ts'
import { summaryOf } from './importing.ts'
import { reconcileWith } from './reconciling.ts'
import { retryingStorage } from './retrying-storage.ts'

const about =
  'Compares a dump, one change for each thing, with the tables, and prints the changes that are ' +
  'missing here. It leaves what has a newer revision here. It never deletes what this service ' +
  'made: embed tenants, tenant groups and attribute definitions without a revision, embed ' +
  'tenants that a session brought back, and API keys without a revision or with 0. It reads the ' +
  'whole tables.'

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
      if (options.until === undefined && (options.yes || options.maxDeletes !== undefined))
        throw new UsageError('Nothing is deleted without --until REVISION. Give it too.')
      const print = linesTo(terminal.out)
      const say = linesTo(terminal.err)
      if (options.apply) terminal.interrupted = () => 'Go on with the same command.'
      const changes: unknown[] = []
      const result = await withStorage(terminal, { url, data }, (storage, endpoint) =>
        showingReads(storage, terminal.err, quiet, (reading, clear) => {
          const clearAndSay = (line: string) => {
            clear()
            say(line)
          }
          const retries = { now: terminal.now, say: clearAndSay, database: databaseAt(endpoint) }
          return reconcileWith({
            storage: retryingStorage(reading, retries),
            file,
            options,
            now: databaseClock(storage, terminal.now),
            say: clearAndSay,
            found(change) {
              clear()
              if (json) changes.push(change)
              else print(quoted(change))
            },
          })
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
