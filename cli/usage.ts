import { realpath } from 'node:fs/promises'
import { Option } from '@commander-js/extra-typings'
import { quietOption, stageFrom, verb } from './command.ts'
import { openLines } from './lines.ts'
import { progressLine } from './progress-line.ts'
import { linesTo, type Output, sayItReads, type Terminal, UsageError } from './terminal.ts'
import { Counting } from './usage/counting.ts'
import { boundsOf, monthFrom } from './usage/month.ts'
import { csvOf, jsonOf, usageTable } from './usage/report.ts'

const about =
  'Counts from audit lines, for each account and embed tenant, the sessions that were generated, ' +
  'redeemed, refused and ended in a month, and the distinct end users who got a token.'

export const usage = (terminal: Terminal) =>
  verb('usage', about, {
    examples: [
      'npx embed-access usage --month 2026-11 --stage production',
      'npx embed-access usage --month 2026-11 --csv audit/*.gz > usage.csv',
    ],
    one: 'no audit line is of that month, or some are damaged and the others were counted',
    more: `Environment:
  AWS_REGION, …       for --stage, as for every program that uses AWS`,
  })
    .argument('[files...]', 'files with the lines, gzipped or not (default: standard input)')
    .requiredOption('--month <month>', 'in UTC, such as 2026-11', monthFrom)
    .option('--stage <name>', 'reads the lines of a deployed stage in CloudWatch Logs', stageFrom)
    .option('--issuer <url>', 'counts only lines of this service, where there are several')
    .addOption(quietOption)
    .option(
      '--json',
      'prints {"month", "usage": [{"accountId", "embedTenantName", "generated", "redeemed", ' +
        '"refused", "ended", "endUsers", "internalUsers", "anonymous", "byActors"}]}',
    )
    .addOption(new Option('--csv', 'prints the same as CSV').conflicts('json'))
    .action(async (files, { month, stage, issuer, quiet, json, csv }) => {
      await requireSources(files, stage)
      const { begins, ends } = boundsOf(month)
      if (terminal.now() < begins) throw new UsageError(`${month} has not begun.`)
      const counting = new Counting(month, issuer)
      await countAll(counting, sourcesOf(files, { stage, month, terminal }), terminal.err, quiet)
      const rows = counting.rows()
      const { lines, damaged, otherIssuer } = counting
      const say = linesTo(terminal.err)
      if (damaged > 0) {
        terminal.exitCode = 1
        say(`Damaged audit lines, which are not counted: ${damaged}.`)
      }
      if (rows.length === 0)
        throw new Error(
          otherIssuer === undefined
            ? `No audit line about a session is of ${month}. Lines: ${lines}.`
            : `The lines of ${month} are of other issuers, such as ${otherIssuer}.`,
        )
      if (terminal.now() < ends) say(`${month} has not ended: this is the month so far.`)
      if (csv) return void terminal.out.write(csvOf(month, rows))
      const { columns } = terminal.out
      linesTo(terminal.out)(json ? jsonOf(month, rows) : usageTable(rows, columns))
    })

async function countAll(
  counting: Counting,
  sources: ReturnType<typeof sourcesOf>,
  err: Output,
  quiet?: boolean,
): Promise<void> {
  const bar = progressLine(err, quiet)
  try {
    for await (const { lines, progress } of sources) {
      for await (const line of lines) {
        counting.add(line)
        if (counting.lines % 10_000 === 0) bar.show(counting.lines, progress())
      }
    }
  } finally {
    bar.end()
  }
}

async function requireSources(files: readonly string[], stage?: string): Promise<void> {
  if (stage !== undefined && files.length > 0)
    throw new UsageError('Give files or --stage, not both.')
  const paths = await Promise.all(files.map((file) => realpath(file).catch(() => file)))
  const again = files.find((_, index) => paths.indexOf(paths[index] as string) < index)
  if (again !== undefined)
    throw new UsageError(`${again} is named twice, so its lines would count twice.`)
}

type Given = { stage?: string | undefined; month: string; terminal: Terminal }

async function* sourcesOf(files: readonly string[], { stage, month, terminal }: Given) {
  if (stage === undefined) {
    if (files.length === 0) sayItReads(terminal)
    for (const file of files.length > 0 ? files : ['-']) yield await openLines(file, terminal.in)
    return
  }
  // The client of CloudWatch Logs loads only where it is used.
  const { stageLogs } = await import('./usage/stage-logs.ts')
  yield { lines: stageLogs(stage, month), progress: () => undefined }
}
