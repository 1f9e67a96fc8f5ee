import { Option } from '@commander-js/extra-typings'
import { paced } from '@embed-access/core/catalog/pace.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { quietOption } from '../command.ts'
import { createTables } from '../create-tables.ts'
import { databaseClock } from '../database-clock.ts'
import { fileWord, optionWords } from '../shell-word.ts'
import { linesTo, type Terminal, UsageError } from '../terminal.ts'
import { databaseAt, onTables, withStorage } from '../with-storage.ts'
import { dryRunOf } from './dry-run.ts'
import { applyingTo, importFile, remarksFor, strictly, summaryOf } from './importing.ts'
import { retryingStorage, Slowness } from './retrying-storage.ts'
import { importState } from './state.ts'

const about =
  'Applies the catalog changes of a file, one JSON object per line, gzipped or not. The order ' +
  'of the lines does not matter. It names each line that is refused or could not be applied, ' +
  'with the reason, and applies all others. It stops if the database answers nothing for a minute.'

export const importCatalog = (terminal: Terminal) => {
  const { in: input, err } = terminal
  const print = linesTo(terminal.out)
  return onTables('import', about, {
    examples: [
      'npx embed-access catalog import changes.ndjson --dry-run',
      'npx embed-access catalog import changes.ndjson',
    ],
    deletes: 'what the file says is deleted',
    one: 'a line was refused, failed, or differs from what is stored under its revision',
  })
    .argument('<file>', 'the changes; - for standard input')
    .addOption(quietOption)
    .addOption(
      new Option(
        '--dry-run',
        'only names the lines that are not valid or contradict each other, and counts ' +
          'references to things that the file does not have; reads and writes no table',
      ).conflicts(['resume', 'url', 'data']),
    )
    .option(
      '--resume',
      'continues an import of the file that was interrupted, or that could not apply all lines',
    )
    .option(
      '--strict',
      'refuses fields that this version does not know, instead of leaving them out',
    )
    .option('--verbose', 'names the lines that are skipped too, because a newer change is there')
    .option(
      '--json',
      'prints {"applied", "skipped", "refused", "failed", "lines": [{"line", "isWrong", ' +
        '"text"}]}; with --dry-run {"valid", "notValid", "referencesToNothing", "lines"}',
    )
    .action(async (file, options) => {
      const { dryRun, resume = false, json, url, data } = options
      const { strict: isStrict, quiet: isQuiet, verbose: isVerbose } = options
      if (resume && file === '-') throw new UsageError('Only the import of a file can be resumed.')
      const { lines, tell } = remarksFor(terminal)
      if (dryRun) {
        const counts = await dryRunOf(file, { isStrict, err, input, isQuiet, tell })
        if (json) return print(quoted({ ...counts, lines }))
        const { valid, notValid, referencesToNothing } = counts
        const missing = `references to nothing ${referencesToNothing}`
        return print(`valid ${valid}, not valid ${notValid}, ${missing}`)
      }
      const counts = await withStorage(terminal, { url, data }, async (storage, endpoint) => {
        const slowness = new Slowness()
        const database = databaseAt(endpoint)
        const patience = { now: terminal.now, say: linesTo(err), slowness, database }
        const patient = retryingStorage(storage, patience)
        if (endpoint !== undefined) await createTables(paced(patient))
        const state = file === '-' ? undefined : await importState(paced(patient), file, resume)
        if (state?.from.isWrong) terminal.exitCode = 1
        const strict = isStrict ? ' --strict' : ''
        const place = optionWords({ '--url': url, '--data': data })
        const again = `npx embed-access catalog import ${fileWord(file)} --resume${strict}${place}`
        terminal.interrupted = () => (state?.isKept() ? `Continue with: ${again}` : undefined)
        terminal.afterwards = terminal.interrupted
        const apply = applyingTo(patient, databaseClock(storage, terminal.now))
        const work = isStrict ? strictly(apply) : apply
        return importFile(work, file, { err, input, isQuiet, isVerbose, state, slowness, tell })
      })
      print(json ? quoted({ ...counts, lines }) : summaryOf(counts))
    })
}
