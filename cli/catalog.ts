import { rmSync } from 'node:fs'
import { Option } from '@commander-js/extra-typings'
import { accountKey } from '@embed-access/core/access/keys.ts'
import { checkDeployment } from '@embed-access/core/catalog/check.ts'
import {
  deploymentsWith,
  explainInCatalog,
  sentencesOf,
} from '@embed-access/core/catalog/explain.ts'
import { purge, purgeable } from '@embed-access/core/catalog/purge.ts'
import { printable, quoted } from '@embed-access/core/catalog/quoted.ts'
import { lowerCase } from '@embed-access/core/schema.ts'
import { read } from '@embed-access/core/storage/conditional-writes.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { dryRunOf } from './catalog/dry-run.ts'
import { exportToFile } from './catalog/export.ts'
import { applyingTo, importCatalog, strictly, summaryOf, type Told } from './catalog/import.ts'
import { writeExample } from './catalog/init.ts'
import { deadLines, queueFrom } from './catalog/queue.ts'
import { reconcile } from './catalog/reconcile.ts'
import { retryingStorage, Slowness } from './catalog/retrying-storage.ts'
import { sendFile } from './catalog/send.ts'
import { importState } from './catalog/state.ts'
import {
  type Explanation,
  linesTo,
  main,
  program,
  requireConsent,
  type Terminal,
  wholeNumber,
  yesOption,
} from './command.ts'
import { progressLine, showingReads } from './progress-line.ts'
import { optionWords, shellWord } from './shell-word.ts'
import { databaseAt, environmentHelp, verbsOf, withStorage } from './with-storage.ts'

const quietOption = new Option('--quiet', 'shows no progress')

/** How many lines with a problem the JSON of an import has. */
const mostLines = 1000

export function catalog(terminal: Terminal) {
  const { err } = terminal
  const print = linesTo(terminal.out)
  const say = linesTo(err)
  const isWrong = (wrong: boolean) => {
    if (wrong) terminal.exitCode = 1
  }
  const all = program('catalog', terminal)
    .description('Imports, exports, checks and purges the catalog.')
    .addHelpText(
      'after',
      `\n${environmentHelp}
  CATALOG_QUEUE_URL   for send, dead and redrive: the queue's URL, as npm start prints it for the local server`,
    )
  const { verb, ...verbs } = verbsOf(all)
  const onTables = <const Usage extends string>(usage: Usage, about: string, help: Explanation) =>
    verbs.onTables(usage, about, help).addOption(quietOption)

  verb('init <dir>', 'writes a small example catalog and its explanation to a directory, to edit', {
    examples: ['npm run catalog -- init mine'],
  }).action(async (directory) => {
    await writeExample(directory)
    print(`Wrote ${directory}/catalog.ndjson, and ${directory}/README.md, which explains it.`)
  })

  onTables(
    'import <file>',
    'applies the catalog changes of a file, one JSON object per line, gzipped or not. The ' +
      'order of the lines does not ' +
      'matter. It names each line that is refused or could not be applied, with the ' +
      'reason, and applies all others. It ' +
      'stops if the database answers nothing for a minute',
    {
      examples: [
        'npm run catalog -- import changes.ndjson --dry-run',
        'npm run catalog -- import changes.ndjson',
      ],
      deletes: 'what the file says is deleted',
      one: 'a line was refused, failed or had no effect',
    },
  )
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
    .option(
      '--json',
      'prints {"applied", "skipped", "refused", "failed", "lines": [{"line", "isWrong", ' +
        '"text"}]}; with --dry-run {"valid", "notValid", "referencesToNothing", "lines"}',
    )
    .action(
      async (
        file,
        { dryRun, resume = false, strict: isStrict, json, quiet: isQuiet, url, data },
      ) => {
        const lines: Told[] = []
        const tell = (told: Told) => {
          isWrong(told.isWrong)
          if (lines.length < mostLines) lines.push(told)
        }
        if (dryRun) {
          const counts = await dryRunOf(file, { isStrict, err, isQuiet, tell })
          const { valid, notValid, referencesToNothing } = counts
          const summary =
            `valid ${valid}, not valid ${notValid}, references to nothing ` +
            `${referencesToNothing}`
          return print(json ? quoted({ ...counts, lines }) : summary)
        }
        const counts = await withStorage(terminal, { url, data }, async (storage, endpoint) => {
          if (endpoint !== undefined) await createTables(storage)
          const state = await importState(storage, file, resume)
          const options = `${isStrict ? ' --strict' : ''}${optionWords({ '--url': url, '--data': data })}`
          const again = `Continue with: npm run catalog -- import ${shellWord(file)} --resume${options}`
          terminal.interrupted = () => (state.isKept() ? again : undefined)
          terminal.afterwards = terminal.interrupted
          const slowness = new Slowness()
          const slow = retryingStorage(storage, {
            now: terminal.now,
            say,
            database: databaseAt(endpoint),
            slowness,
          })
          const work = isStrict ? strictly(applyingTo(slow)) : applyingTo(slow)
          return importCatalog(work, file, { err, isQuiet, state, slowness, tell })
        })
        print(json ? quoted({ ...counts, lines }) : summaryOf(counts))
      },
    )

  onTables(
    'export [file]',
    'writes the catalog as changes to a file, gzipped if its name ends with .gz, or to ' +
      'stdout. The import of an export ' +
      'gives the same catalog. Sessions, revocations and the times when keys were last ' +
      'used are not part of it',
    { examples: ['npm run catalog -- export all.ndjson.gz', 'npm run catalog -- export | head'] },
  )
    .option('--account <id>', 'exports only what belongs to this account')
    .action(async (file, { account, quiet: isQuiet, url, data }) => {
      terminal.interrupted = () => {
        if (file === undefined) return undefined
        rmSync(`${file}.part`, { force: true })
        return `${file} was not written.`
      }
      const count = await withStorage(terminal, { url, data }, async (storage) => {
        if (account !== undefined && !(await read(storage, 'catalog', accountKey(account)))) {
          throw new Error(`There is no account ${printable(account)}.`)
        }
        return exportToFile(storage, file, account, terminal, isQuiet)
      })
      say(`exported ${count}`)
    })

  onTables(
    'purge',
    'removes what belonged to deleted accounts and deployments, which nobody can see',
    {
      examples: ['npm run catalog -- purge --dry-run', 'npm run catalog -- purge'],
      deletes: 'what belonged to deleted accounts and deployments, for good. It asks before that',
    },
  )
    .option('--dry-run', 'only says of what it would remove how much')
    .addOption(yesOption)
    .action(async ({ dryRun, yes, quiet, url, data }) => {
      terminal.interrupted = () => 'Go on with the same command.'
      await withStorage(terminal, { url, data }, async (storage) => {
        const bar = progressLine(err, quiet)
        const remains = await purgeable(storage, (seen) => bar.say(`${seen} items seen`)).finally(
          bar.end,
        )
        for (const { kind, id, count } of remains) print(`${kind} ${printable(id)}: ${count}`)
        const total = remains.reduce((sum, { count }) => sum + count, 0)
        if (dryRun) return print(`would remove ${total}`)
        if (total > 0)
          await requireConsent(terminal, `This removes ${total} items for good.`, 'purge', yes)
        const progress = purge(
          storage,
          ({ seen, removed }) => bar.say(`${seen} items seen, ${removed} removed`),
          terminal.now,
        )
        return print(`removed ${(await progress.finally(bar.end)).removed}`)
      })
    })

  onTables(
    'check',
    'lists the things of a deployment that refer to nothing, lie too deep or within ' +
      'themselves, contradict each other, or ' +
      'count for nothing, and why. It reads the whole tables',
    { examples: ['npm run catalog -- check --deployment 71'], one: 'something is wrong' },
  )
    .requiredOption('--deployment <id>', 'the deployment', wholeNumber)
    .option('--json', 'prints {"deploymentId", "problems"}, the problems as sentences')
    .action(async ({ deployment: deploymentId, json, quiet, url, data }) => {
      const problems = await withStorage(terminal, { url, data }, (storage) =>
        showingReads(storage, err, quiet, (reading) => checkDeployment(reading, deploymentId)),
      )
      isWrong(problems.length > 0)
      if (json) return print(quoted({ deploymentId, problems }))
      print(
        ...(problems.length > 0 ? problems : [`Nothing is wrong in deployment ${deploymentId}.`]),
      )
    })

  onTables('explain', 'says whether an embed tenant sees a workbook, and why', {
    examples: ['npm run catalog -- explain --tenant north --workbook 5'],
    one: 'no deployment has the workbook, or several have',
  })
    .requiredOption('--tenant <name>', 'the embed tenant')
    .requiredOption('--workbook <id>', 'the workbook', wholeNumber)
    .option(
      '--deployment <id>',
      'the workbook’s. Without it, the whole tables are read to find it',
      wholeNumber,
    )
    .option(
      '--json',
      'prints {"deploymentId", "embedTenantName", "workbookId", "isSeen", "path", "end", "things"}',
    )
    .action(async ({ tenant, workbook: workbookId, deployment, json, quiet, url, data }) => {
      const embedTenantName = lowerCase(tenant)
      const explained = await withStorage(terminal, { url, data }, async (storage) => {
        const deploymentId =
          deployment ??
          (await showingReads(storage, err, quiet, (reading) =>
            onlyDeploymentWith(reading, workbookId),
          ))
        return {
          deploymentId,
          ...(await explainInCatalog(storage, deploymentId, embedTenantName, workbookId)),
        }
      })
      if (json) return print(quoted({ embedTenantName, workbookId, ...explained }))
      const sees = explained.isSeen ? 'sees' : 'does not see'
      print(
        ...sentencesOf(explained),
        `So embed tenant ${quoted(embedTenantName)} ${sees} workbook ${workbookId}.`,
      )
    })

  onTables(
    'reconcile <file>',
    'compares a dump, one change for each thing, with the tables, and writes the changes ' +
      'that are missing here. What has a ' +
      'newer revision here is left. It reads the tables whole',
    {
      examples: [
        'npm run catalog -- reconcile dump.ndjson',
        'npm run catalog -- reconcile dump.ndjson --deployment 71 --until 100 --apply',
      ],
      deletes:
        'with --apply and --until what the dump does not have. It says first how much of what kind',
      one: 'something differs or differed',
      more: 'A dump with a line that is not valid, or with nothing to compare, is refused with 2.',
    },
  )
    .option('--deployment <id>', 'only what is in this deployment', wholeNumber)
    .option(
      '--until <revision>',
      'also writes deletes for what is here and not in the dump, up to this revision: what ' +
        'was made after the dump must have a higher one',
      wholeNumber,
    )
    .option('--apply', 'applies the changes too; without it, nothing is written to the tables')
    .option(
      '--max-deletes <count>',
      'how many things --apply may delete (default: a tenth of what is here)',
      wholeNumber,
    )
    .option('--yes', 'deletes however many there are')
    .option(
      '--json',
      'prints {"missing", "different", "newer", "conflict", "extra", "deletes", ' +
        '"conflicts", "changes", "outcomes"} instead of the changes',
    )
    .action(async (file, { json, quiet, url, data, ...options }) => {
      if (options.apply) terminal.interrupted = () => 'Go on with the same command.'
      const changes: unknown[] = []
      const found = (change: unknown) => (json ? changes.push(change) : print(quoted(change)))
      const result = await withStorage(terminal, { url, data }, (storage, endpoint) =>
        showingReads(
          retryingStorage(storage, { now: terminal.now, say, database: databaseAt(endpoint) }),
          err,
          quiet,
          (reading) => reconcile(reading, file, options, terminal, found),
        ),
      )
      const { missing, different, newer, conflict, extra, outcomes } = result
      isWrong(missing + different + extra + conflict > 0)
      if (json) return print(quoted({ ...result, changes }))
      say(
        `missing ${missing}, different ${different}, extra ${extra}; left: newer here ` +
          `${newer}, same revision ${conflict}`,
      )
      if (outcomes) say(summaryOf(outcomes))
    })

  verb(
    'send <file>',
    'sends the catalog changes of a file to the queue of a deployed stage, or of the local server',
    {
      examples: ['npm run catalog -- send changes.ndjson'],
      one: 'a line is too large',
    },
  )
    .addOption(quietOption)
    .action(async (file, { quiet }) => {
      terminal.interrupted = () => 'Send the file again: changes may come twice.'
      const { sent, tooLarge, withoutRevision } = await sendFile(
        queueFrom(terminal.env),
        file,
        err,
        quiet,
      )
      isWrong(tooLarge > 0)
      print(`sent ${sent}, too large ${tooLarge}`)
      if (withoutRevision > 0)
        print(
          `${withoutRevision} without a revision: of two such changes of one thing either may win`,
        )
    })

  verb('dead', 'shows the changes that became dead letters, each below the reason', {
    examples: ['npm run catalog -- dead'],
    one: 'there is one',
  }).action(async () => {
    const letters = await Array.fromAsync(queueFrom(terminal.env).deadLetters())
    isWrong(letters.length > 0)
    print(...(letters.length > 0 ? letters.flatMap(deadLines) : ['No change is dead.']))
  })

  verb('redrive', 'moves the dead letters back to the queue, unchanged', {
    examples: ['npm run catalog -- redrive'],
  }).action(async () =>
    print(`dead letters that go back to the queue: ${await queueFrom(terminal.env).redrive()}`),
  )

  return all
}

async function onlyDeploymentWith(storage: Storage, workbookId: number): Promise<number> {
  const [found, ...more] = await deploymentsWith(storage, workbookId)
  if (found === undefined) throw new Error(`No deployment has a workbook ${workbookId}.`)
  if (more.length === 0) return found
  const ids = [found, ...more].join(', ')
  throw new Error(
    `Several deployments have a workbook ${workbookId}. Give one of them with ` +
      `--deployment: ${ids}.`,
  )
}

await main(import.meta, catalog)
