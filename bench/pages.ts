import { parseArgs } from 'node:util'
import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { command } from '../scripts/chosen.ts'
import { type FilledEngine, filledEngine } from '../test/pages/filled-engine.ts'
import {
  flatFigures,
  functionsOver,
  isConsistent,
  keyIn,
  type Measured,
  measurePages,
} from '../test/pages/measure.ts'
import { type PageRequest, pageRequests, type Sizes } from '../test/pages/requests.ts'
import { workbook } from '../test/pages/workbook.ts'
import { metered } from '../test/support/counting.ts'
import { median } from './median.ts'
import { printTable } from './table.ts'

const help = `Usage: npm run bench -- pages [--sizes 1000,10000,100000]

What pages cost, over catalogs of these many workbooks and dbt syncs, and a tenth as many
notifications (1000 at least). Ends with 1 if a page costs more calls, round trips, entries, items
or read units in a larger catalog. A million of each takes about half an hour, and 15 GB of memory
for the engine.
`

type Timed = Measured & { readonly ms: number; readonly byKeyMs: number }

async function pagesOf(size: number): Promise<Timed[]> {
  const counts = { workbooks: size, syncs: size, notifications: Math.max(1000, size / 10) }
  const engine = await filledEngine(counts, workbook)
  try {
    const pages = await measure(engine, counts)
    process.stdout.write(`\n${size} workbooks\n\n`)
    printPages(pages)
    return pages
  } finally {
    await engine.stop()
  }
}

async function measure({ endpoint, tables }: FilledEngine, sizes: Sizes): Promise<Timed[]> {
  const meter = metered(tables, endpoint)
  const requests = pageRequests(sizes)
  const measured = await measurePages(meter, requests)
  const timer = connect(tables, endpoint)
  const pages: Timed[] = []
  for (const [index, request] of requests.entries()) {
    pages.push({ ...(measured[index] as Measured), ...(await timesOf(timer, request)) })
  }
  timer.client.destroy()
  meter.storage.client.destroy()
  return pages
}

/** Medians of interleaved runs, in milliseconds; of one machine, with the engine on it. */
async function timesOf(storage: Storage, { list, query }: PageRequest) {
  const read = functionsOver(storage)
  const { items } = JSON.parse(await read({ list, query })) as {
    items: { id?: number; syncJobId?: string }[]
  }
  const keys = items.map(keyIn(list))
  const pages: number[] = []
  const byKey: number[] = []
  for (let run = 0; run < 9; run += 1) {
    const begin = performance.now()
    await read({ list, query })
    const middle = performance.now()
    await batchGet(storage, keys, { consistent: isConsistent(list) })
    pages.push(middle - begin)
    byKey.push(performance.now() - middle)
  }
  return { ms: median(pages), byKeyMs: median(byKey) }
}

function printPages(pages: readonly Timed[]): void {
  const titles = [
    'page',
    'items',
    'calls',
    'trips',
    'entries',
    'read units',
    '× by key',
    'ms',
    '× by key',
  ]
  const rows = pages.map(({ page, returned, cost, byKey, ms, byKeyMs }) => [
    page,
    returned,
    cost.calls,
    cost.roundTrips,
    cost.entries,
    cost.capacity,
    (cost.capacity / byKey.capacity).toFixed(2),
    ms.toFixed(1),
    (ms / byKeyMs).toFixed(1),
  ])
  printTable(titles, rows)
}

/** Pages whose exact figures grow with the catalog. */
function growing([smallest, ...larger]: readonly (readonly Measured[])[]): string[] {
  return (smallest ?? [])
    .filter((page, index) =>
      larger.some(
        (pages) => String(flatFigures(pages[index] as Measured)) !== String(flatFigures(page)),
      ),
    )
    .map(({ page }) => page)
}

await command(async () => {
  const { values } = parseArgs({
    options: { sizes: { type: 'string', default: '1000,10000,100000' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const sizes = values.sizes.split(',').map(Number)
  if (sizes.some((size) => !(size > 0) || size % 1000 !== 0)) {
    throw new Error(
      '--sizes takes multiples of 1000, such as 1000,10000. See npm run bench -- pages --help.',
    )
  }
  const results: Timed[][] = []
  for (const size of sizes) results.push(await pagesOf(size))
  const grown = growing(results)
  if (grown.length > 0) throw new Error(`These cost more in a larger catalog: ${grown.join('; ')}.`)
})
