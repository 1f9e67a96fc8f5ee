import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import type { Context, SQSEvent } from 'aws-lambda'
import { createTables } from '../cli/create-tables.ts'
import { handler as catalogSync } from '../functions/catalog-sync.ts'
import { startEngine } from '../local/engine.ts'
import { catalog } from '../test/pages/catalog.ts'
import { workbook } from '../test/pages/workbook.ts'
import { metered } from '../test/support/counting.ts'
import { measured } from './measured-command.ts'
import { printTable } from './table.ts'

export const help = `Usage: npm run bench -- feed [--workbooks N]

Brings the changes of workbooks, with their folders and shares, into the tables:

  - by "npx embed-access catalog", of so many (5000, in thousands): import, export, and
    reconciliation with the file. The engine keeps its data on disk. Memory is that of the command's
    process: when a quarter of its time was over, and the most at any time. Linux only.
  - by the function of the queue, of a thousand: so many changes a call, so many calls at a time;
    then with three of ten changes sent twice and three of ten late.

Requests and units are those that the database counts. The rates are this machine's, with the
engine on it.
`

type Change = Readonly<Record<string, unknown>>

const changesOf = (workbooks: number): Change[] =>
  [...catalog(workbooks, workbook)]
    .flat()
    .map((change, index) => ({ ...change, revision: index + 1 }))

async function byCommand(workbooks: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'embed-access-feed-'))
  const engine = await startEngine(directory)
  try {
    await runCommands(engine.endpoint, directory, workbooks)
  } finally {
    await engine.stop()
    await rm(directory, { recursive: true })
  }
}

async function runCommands(endpoint: string, directory: string, workbooks: number): Promise<void> {
  const [file, exported] = [join(directory, 'catalog.ndjson'), join(directory, 'export.ndjson')]
  const changes = changesOf(workbooks)
  await writeFile(file, changes.map((change) => `${JSON.stringify(change)}\n`).join(''))
  const fileMegabytes = Math.round((await stat(file)).size / 1e6)
  const storage = await emptyTables(endpoint)
  storage.client.destroy()
  const env = {
    DYNAMODB_ENDPOINT: endpoint,
    CATALOG_TABLE: storage.tables.catalog,
    SESSIONS_TABLE: storage.tables.sessions,
    CREDENTIALS_TABLE: storage.tables.credentials,
  }
  const rows: unknown[][] = []
  for (const args of [
    ['import', file, '--dry-run'],
    ['import', file],
    ['export', exported],
    ['reconcile', file],
  ]) {
    const { seconds, megabytes } = await measured(['catalog', ...args], { env })
    const rate = Math.round(changes.length / seconds)
    rows.push([args.join(' ').replace(`${directory}/`, ''), seconds.toFixed(1), rate, ...megabytes])
  }
  printTable(
    [`${changes.length} changes, ${fileMegabytes} MB`, 'seconds', 'a second', 'MB', 'MB at most'],
    rows,
  )
}

async function byQueue(): Promise<void> {
  const engine = await startEngine()
  try {
    await deliverAll(engine.endpoint)
  } finally {
    await engine.stop()
  }
}

async function deliverAll(endpoint: string): Promise<void> {
  const changes = changesOf(1000)
  const rows: unknown[][] = []
  for (const [name, sent, batch, calls] of [
    ['once, in order', changes, 1, 1],
    ['once, in order', changes, 10, 10],
    ['once, in order', changes, 100, 1],
    ['once, in order', changes, 100, 10],
    ['three of ten twice, three of ten late', disordered(changes), 100, 10],
  ] as const) {
    const meter = metered((await emptyTables(endpoint)).tables, endpoint)
    const [cost] = await meter.measure(() => deliver(meter.storage, sent, batch, calls))
    meter.storage.client.destroy()
    // The meter answers requests in rounds, which takes time.
    const storage = await emptyTables(endpoint)
    const begun = performance.now()
    await deliver(storage, sent, batch, calls)
    const rate = Math.round((sent.length * 1000) / (performance.now() - begun))
    storage.client.destroy()
    const forEach = (value: number) => (value / changes.length).toFixed(2)
    rows.push([name, batch, calls, rate, forEach(cost.calls), forEach(cost.capacity)])
  }
  process.stdout.write('\n')
  printTable(
    ['changes', 'a call', 'calls at a time', 'a second', 'requests for each', 'units for each'],
    rows,
  )
}

async function emptyTables(endpoint: string): Promise<Storage> {
  const storage = connect(tablesWithPrefix(`feed-${randomBytes(4).toString('hex')}`), endpoint)
  await createTables(storage)
  return storage
}

/** Repeats three of ten changes, and moves three of ten 500 places back: the same in each run. */
function disordered(changes: readonly Change[]): Change[] {
  const isChosen = (place: number): boolean => place % 10 < 3
  const placed = changes.flatMap((change, index) => {
    const places = isChosen(index) ? [index, index + 7] : [index]
    return places.map((at) => ({ change, at: isChosen(at + 5) ? at + 500 : at }))
  })
  return placed.toSorted((a, b) => a.at - b.at).map(({ change }) => change)
}

const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 600_000 } as Context

const eventOf = (sent: readonly Change[]) =>
  ({
    Records: sent.map((change, index) => ({
      messageId: String(index),
      body: JSON.stringify(change),
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
    })),
  }) as SQSEvent

async function deliver(
  storage: Storage,
  sent: readonly Change[],
  batch: number,
  calls: number,
): Promise<void> {
  let next = 0
  const worker = async () => {
    const handler = catalogSync.create({
      storage,
      now: Date.now,
      issuer: 'https://embed.bench',
      log: (entry) => {
        if (entry.level !== 'info') process.stderr.write(`${JSON.stringify(entry)}\n`)
      },
      deadLetters: () => Promise.reject(new Error('A change was refused.')),
    })
    while (next < sent.length) {
      const some = sent.slice(next, next + batch)
      next += batch
      const { batchItemFailures } = await handler(eventOf(some), context)
      if (batchItemFailures.length > 0) throw new Error('A change failed. Is the machine busy?')
    }
  }
  await Promise.all(Array.from({ length: calls }, worker))
}

export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { workbooks: { type: 'string', default: '5000' } },
  })
  if (!/^\d{1,3}000$/.test(values.workbooks))
    throw new Error('--workbooks takes a multiple of 1000.')
  await byCommand(Number(values.workbooks))
  await byQueue()
}
