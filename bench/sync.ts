import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { Context, SQSEvent } from 'aws-lambda'
import { handler as catalogSync } from '../functions/catalog-sync.ts'
import { startEngine } from '../local/engine.ts'
import { account, catalog } from './catalog.ts'
import { fill } from './fill.ts'
import { printRows } from './rows.ts'
import { sizeArgument } from './size-argument.ts'
import { emptyTables } from './tables.ts'
import { workbook } from './workbook.ts'

const help = `Usage: npm run bench:sync -- [WORKBOOKS]

Gives the changes of so many workbooks (1000), with their folders and shares, to the function of the queue: in messages of one
change, so many a call, so many calls at a time. Then the same with three of ten changes sent twice and three of ten out
of order. The least that this can take is a put of each thing, without a condition and without a look at anything. Units are those that the database counts; the rate is this machine's, with the embedded engine, and nothing of AWS.
`

const count = sizeArgument(help, 1000)
const changes = [...catalog(count, workbook)].flat().map((change, index) => ({ ...change, revision: index + 1 }))
const engine = await startEngine({})

/** Three of ten, by the index: the same at each run. */
const isChosen = (index: number): boolean => index % 10 < 3

const disordered = changes
  .flatMap((change, index) =>
    isChosen(index)
      ? [
          { change, index },
          { change, index: index + 7 },
        ]
      : [{ change, index }],
  )
  .map(({ change, index }) => ({ change, at: isChosen(index + 5) ? index + 500 : index }))
  .sort((a, b) => a.at - b.at)
  .map(({ change }) => change)

const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 600_000 } as Context

const eventOf = (sent: readonly object[]) =>
  ({
    Records: sent.map((change, index) => ({
      messageId: String(index),
      body: JSON.stringify(change),
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
    })),
  }) as SQSEvent

async function deliver(storage: Storage, sent: readonly object[], batch: number, calls: number): Promise<void> {
  let next = 0
  const worker = async () => {
    const handler = catalogSync.create({
      storage,
      now: Date.now,
      issuer: 'https://embed.bench',
      log: () => {},
      deadLetters: () => Promise.reject(new Error('A change was refused.')),
    })
    while (next < sent.length) {
      const some = sent.slice(next, next + batch)
      next += batch
      const { batchItemFailures } = await handler(eventOf(some), context)
      if (batchItemFailures.length > 0) throw new Error('A change failed.')
    }
  }
  await Promise.all(Array.from({ length: calls }, worker))
}

/** Units of writing each thing once. */
async function leastUnits(): Promise<number> {
  const { storage, measure } = await emptyTables(engine.endpoint)
  const [{ capacity }] = await measure(() => fill(storage, account, catalog(count, workbook)))
  storage.client.destroy()
  return capacity
}

async function measured(name: string, sent: readonly object[], batch: number, calls: number, least: number) {
  const { storage, measure } = await emptyTables(engine.endpoint)
  const [cost] = await measure(() => deliver(storage, sent, batch, calls))
  storage.client.destroy()
  // The meter answers requests in rounds, which takes time.
  const unmetered = connect((await emptyTables(engine.endpoint)).storage.tables, engine.endpoint)
  const started = performance.now()
  await deliver(unmetered, sent, batch, calls)
  const seconds = (performance.now() - started) / 1000
  unmetered.client.destroy()
  const perThing = (value: number) => (value / changes.length).toFixed(2)
  const rate = Math.round(sent.length / seconds)
  return [name, batch, calls, rate, perThing(cost.calls), perThing(cost.capacity), (cost.capacity / least).toFixed(2)]
}

try {
  const least = await leastUnits()
  const rows = []
  for (const [batch, calls] of [
    [1, 1],
    [1, 10],
    [10, 1],
    [10, 10],
    [100, 1],
    [100, 10],
  ] as const) {
    rows.push(await measured('once, in order', changes, batch, calls, least))
  }
  rows.push(await measured('30 % twice, 30 % late', disordered, 100, 10, least))
  const perThing = (least / changes.length).toFixed(2)
  rows.push(['the least', '', '', '', '1.00', perThing, '1.00'])
  printRows(['changes', 'a call', 'calls at a time', 'changes/s', 'requests/thing', 'units/thing', '× the least'], rows)
} finally {
  await engine.stop()
}
