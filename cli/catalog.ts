import { parseArgs } from 'node:util'
import { type PurgeProgress, purge } from '@embed-access/core/catalog/purge.ts'
import { UnusableDump } from '@embed-access/core/catalog/reconcile.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { tableVariables } from '../functions/runtime/environment.ts'
import { dryRunOf } from './catalog/dry-run.ts'
import { exportToFile } from './catalog/export.ts'
import { feed } from './catalog/feed.ts'
import { applyingTo, type ImportCounts } from './catalog/import.ts'
import { writeExample } from './catalog/init.ts'
import { patient, Slowness } from './catalog/patient.ts'
import { questions } from './catalog/questions.ts'
import { reconcile } from './catalog/reconcile.ts'
import { importWithReport, summaryOf } from './catalog/report.ts'
import { importState } from './catalog/state.ts'
import { command } from './command.ts'
import { progressLine } from './progress-line.ts'
import { shellWord } from './shell-word.ts'
import { tablePrefix } from './table-prefix.ts'
import { withStorage } from './with-storage.ts'

const help = `Usage: npm run catalog -- init DIR
       npm run catalog -- import FILE [--dry-run | --resume]
       npm run catalog -- export [FILE] [--account ID]
       npm run catalog -- purge
       npm run catalog -- check --deployment ID
       npm run catalog -- explain --tenant NAME --workbook ID [--deployment ID]
       npm run catalog -- reconcile FILE [--deployment ID] [--until REVISION] [--apply]
       npm run catalog -- send FILE
       npm run catalog -- dead
       npm run catalog -- redrive

init    writes a small example catalog and its explanation to DIR, to edit.

import  applies the catalog changes of FILE, one JSON object per line, gzipped or not.
        The order of the lines does not matter. It lists each line that is refused, with the field and the reason, and
        each line that could not be applied, with the reason. It applies all others. It stops if the database answers
        nothing for a minute. To apply what was not applied, use --resume, or import FILE again.
  --dry-run           only lists the lines that are not valid, and counts references to things that FILE does not have;
                      reads and writes no table
  --resume            continues an import of FILE that was interrupted, or that could not apply all lines

export  writes the catalog in the same format to FILE, gzipped if its name ends with .gz, or to stdout.
        The import of an export gives the same catalog. Sessions, revocations and the times when keys were last used are
        not part of it.
  --account ID        exports only what belongs to this account

purge   removes what belonged to deleted accounts and deployments, which nobody can see. You may interrupt it.

check   lists the things of a deployment that refer to nothing, lie too deep or within themselves, or count for nothing,
        and why. Its exit code is 1 if there are any. It reads the whole tables.

explain says whether an embed tenant sees a workbook, and why.
  --deployment ID     the workbook's deployment. Without it, the command reads the whole tables to find it

reconcile
        compares FILE, a dump with one change for each thing, with the tables, and writes the changes that are missing
        here. What has a newer revision here is left. Reads the tables whole. Ends with 1 if anything differs, and with 2
        before it writes anything if FILE has a line that is not valid, or nothing to compare.
  --deployment ID     only what is in this deployment
  --until REVISION    also writes deletes for what is here and not in FILE, up to this revision: what was made after the
                      dump must have a higher one
  --apply             applies the changes too; without it, nothing is written to the tables

send    sends the catalog changes of FILE to the queue of a deployed stage, or of the local server.
dead    shows the changes that became dead letters, each below the reason. Ends with 1 if there is any.
redrive sends them again, unchanged.

Environment:
  CATALOG_QUEUE_URL   for send, dead and redrive: the queue's URL, as npm start prints it for the local server
  DYNAMODB_ENDPOINT   the address of another engine than AWS's DynamoDB. Missing tables are created there
  ${Object.values(tableVariables).join(', ')}
                      names of the tables (default: ${tablePrefix}-catalog, …)
  AWS_REGION, …       as for every program that uses AWS
`

const verbs = 'init, import, export, purge, check, explain, reconcile, send, dead or redrive'

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      resume: { type: 'boolean' },
      account: { type: 'string' },
      deployment: { type: 'string' },
      tenant: { type: 'string' },
      workbook: { type: 'string' },
      apply: { type: 'boolean' },
      until: { type: 'string' },
    },
  })
  const [verb, file, ...more] = positionals
  const { account, resume = false, 'dry-run': dryRun = false } = values
  if (values.help) {
    process.stdout.write(help)
    return
  }
  if (verb === 'check' || verb === 'explain') {
    return print(await withStorage(questions[verb]({ ...values, positionals })))
  }
  if (verb === 'send' || verb === 'dead' || verb === 'redrive') {
    const option = Object.keys(values)[0]
    if (option !== undefined) throw new Error(`${verb} does not take --${option}. See npm run catalog -- --help.`)
    return print(await feed[verb](positionals.slice(1)))
  }
  if (verb === 'reconcile') return reconcileFile(values, positionals.slice(1))
  const foreign = (['deployment', 'tenant', 'workbook', 'apply', 'until'] as const).find(
    (option) => values[option] !== undefined,
  )
  if (foreign !== undefined) throw new Error(`${verb} does not take --${foreign}. See npm run catalog -- --help.`)
  const mistake = mistakeIn({ verb, file, more, account, resume, dryRun })
  if (mistake !== undefined) throw new Error(`${mistake} See npm run catalog -- --help.`)
  if (verb === 'init') {
    await writeExample(file as string)
    process.stdout.write(`Wrote ${file}/catalog.ndjson, and ${file}/README.md, which explains it.\n`)
  } else if (verb === 'import') {
    const path = file as string
    const counts = dryRun ? await dryRunOf(path) : await importFile(path, resume)
    if (!dryRun) process.stdout.write(`${summaryOf(counts)}\n`)
    if (counts.refused + counts.failed > 0) process.exitCode = 1
  } else if (verb === 'purge') {
    const { removed } = await withStorage(purgeWithReport)
    process.stdout.write(`removed ${removed}\n`)
  } else {
    const count = await withStorage((storage) => exportToFile(storage, file, account))
    process.stderr.write(`exported ${count}\n`)
  }
})

type Arguments = {
  readonly verb: string | undefined
  readonly file: string | undefined
  readonly more: readonly string[]
  readonly account: string | undefined
  readonly resume: boolean
  readonly dryRun: boolean
}

/** What is wrong with the arguments, in one sentence. */
function mistakeIn({ verb, file, more, account, resume, dryRun }: Arguments): string | undefined {
  if (verb === undefined) return `Say ${verbs}.`
  if (!['init', 'import', 'export', 'purge'].includes(verb)) return `${verb} is no command. Say ${verbs}.`
  if (verb === 'init') {
    const isAlone = more.length === 0 && account === undefined && !resume && !dryRun
    return file !== undefined && isAlone ? undefined : 'init takes a directory and nothing else.'
  }
  if (verb === 'purge') {
    const isAlone = file === undefined && account === undefined && !resume && !dryRun
    return isAlone ? undefined : 'purge takes no arguments.'
  }
  if (more.length > 0) return `${verb} takes one file, and not also ${more.join(', ')}.`
  if (verb === 'export') {
    if (dryRun || resume) return `${dryRun ? '--dry-run' : '--resume'} is for import alone.`
    return account === '' ? '--account needs the id of an account.' : undefined
  }
  if (file === undefined) return 'import needs a file.'
  if (account !== undefined) return '--account is for export alone.'
  return dryRun && resume ? 'Give --dry-run or --resume, not both.' : undefined
}

function print({ isFine, lines }: { readonly isFine: boolean; readonly lines: readonly string[] }): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  if (!isFine) process.exitCode = 1
}

async function reconcileFile(
  { apply = false, deployment, until, 'dry-run': _, ...others }: Record<string, string | boolean | undefined>,
  [file, ...more]: readonly string[],
): Promise<void> {
  const foreign = Object.keys(others)[0]
  if (foreign !== undefined) throw new Error(`reconcile does not take --${foreign}. See npm run catalog -- --help.`)
  if (file === undefined || more.length > 0) throw new Error('reconcile needs one file. See npm run catalog -- --help.')
  const options = {
    apply: apply === true,
    deploymentId: numberIn('deployment', deployment),
    until: numberIn('until', until),
  }
  const counts = await withStorage((storage) => reconcile(patient(storage, patience()), file, options)).catch(
    (error: unknown) => {
      if (error instanceof UnusableDump) return error
      throw error
    },
  )
  if (counts instanceof UnusableDump) {
    process.stderr.write(`${file} ${counts.message}. Nothing was compared, and nothing is written.\n`)
    process.exitCode = 2
    return
  }
  const { missing, different, newer, conflict, extra, ...outcomes } = counts
  process.stderr.write(`missing ${missing}, different ${different}, extra ${extra}; left: newer here ${newer}\n`)
  if (conflict > 0) process.stderr.write(`${conflict} differ under the same revision: send them with a higher one\n`)
  if (options.apply) process.stderr.write(`${summaryOf(outcomes)}\n`)
  if (missing + different + extra + conflict > 0) process.exitCode = 1
}

function numberIn(option: string, text: string | boolean | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,16}$/.test(String(text))) return Number(text)
  throw new Error(`--${option} needs a whole number. See npm run catalog -- --help.`)
}

/** Says on stderr that requests are sent again, ever more rarely. */
function patience() {
  let waits = 0
  return {
    now: () => performance.now(),
    waiting(reason: string) {
      waits += 1
      if (Number.isInteger(Math.log2(waits))) {
        process.stderr.write(`The database does not answer (${reason}). Requests are sent again: ${waits} so far.\n`)
      }
    },
  }
}

function importFile(file: string, resume: boolean): Promise<ImportCounts> {
  return withStorage(async (storage) => {
    if (process.env.DYNAMODB_ENDPOINT) await createTables(storage)
    const state = await importState(storage, file, resume)
    process.once('SIGINT', () => process.exit(130))
    process.once('exit', () => {
      if (state.isKept()) process.stderr.write(`Continue with: npm run catalog -- import ${shellWord(file)} --resume\n`)
    })
    const slowness = new Slowness()
    return importWithReport(applyingTo(patient(storage, { ...patience(), slowness })), file, state, slowness)
  })
}

async function purgeWithReport(storage: Storage): Promise<PurgeProgress> {
  const bar = progressLine(process.stderr)
  try {
    return await purge(storage, ({ seen, removed }) => bar.say(`${seen} items seen, ${removed} removed`))
  } finally {
    bar.end()
  }
}
