import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { metered } from '../test/support/counting.ts'
import { account } from './catalog.ts'
import { type CpuTime, measureCpu, median } from './cpu.ts'
import { type FilledEngine, filledEngine } from './filled-engine.ts'
import { flatFigures, functionsOver, isConsistent, keyIn, type Measured, measurePages } from './measure.ts'
import { type PageRequest, pageRequests, type Sizes } from './requests.ts'
import { printRows } from './rows.ts'
import { everything } from './tables.ts'
import { workbook } from './workbook.ts'

const help = `Usage: npm run bench -- [--sizes 1000,10000,100000] [--json FILE]

What pages cost, over catalogs of these many workbooks and dbt syncs, and a tenth as many notifications (1000 at least).
Ends with 1 where a page costs more calls, round trips, entries, items or read units in a larger catalog.
A million of each takes about half an hour, and 15 GB of memory for the engine.

  --json FILE   also writes all figures there
`

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

const sizes = values.sizes.split(',').map(Number)
if (sizes.some((size) => !(size > 0) || size % 1000 !== 0)) {
  process.stderr.write('--sizes takes multiples of 1000, such as 1000,10000; see --help.\n')
  process.exit(1)
}

const results: Record<string, { filledSeconds: number; pages: Timed[] }> = {}
let cpu: readonly CpuTime[] = []
for (const size of sizes) {
  const counts = { workbooks: size, syncs: size, notifications: Math.max(1000, size / 10) }
  const started = performance.now()
  const engine = await filledEngine(account, everything(counts, workbook))
  const filledSeconds = Math.round((performance.now() - started) / 100) / 10
  try {
    results[size] = { filledSeconds, pages: await measure(engine, counts) }
    console.log(`\n${size} workbooks\n`)
    printTable(results[size].pages)
    if (size === 1000) cpu = await printCpu(engine, counts)
  } finally {
    await engine.stop()
  }
}

if (values.json) await writeFile(values.json, jsonOf(results))
const grown = growing(Object.values(results).map(({ pages }) => pages))
for (const page of grown) console.log(`Costs more in a larger catalog: ${page}`)
if (grown.length > 0) process.exitCode = 1

type Timed = Measured & { readonly ms: number; readonly byKeyMs: number }

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
  const { items } = JSON.parse(await read({ list, query })) as { items: { id?: number; syncJobId?: string }[] }
  const keys = items.map(keyIn(list))
  const samples: { page: number; byKey: number }[] = []
  for (let run = 0; run < 9; run += 1) {
    const begin = performance.now()
    await read({ list, query })
    const middle = performance.now()
    await batchGet(storage, keys, { consistent: isConsistent(list) })
    samples.push({ page: middle - begin, byKey: performance.now() - middle })
  }
  const rounded = (values: number[]) => Math.round(median(values) * 10) / 10
  return { ms: rounded(samples.map(({ page }) => page)), byKeyMs: rounded(samples.map(({ byKey }) => byKey)) }
}

function printTable(pages: readonly Timed[]): void {
  const rows = pages.map((measured) => {
    const { page, returned, cost, byKey, ms, byKeyMs } = measured
    return [
      page,
      ...exactFigures(measured),
      (cost.capacity / returned).toFixed(2),
      (cost.capacity / byKey.capacity).toFixed(2),
      Math.round(cost.bytes / 1000),
      ms.toFixed(1),
      (ms / byKeyMs).toFixed(1),
    ]
  })
  const titles = 'page,items,calls,trips,entries,by key,units,/item,× by key,KB,ms,× by key'.split(',')
  printRows(titles, rows)
}

async function printCpu({ endpoint, tables }: FilledEngine, sizes: Sizes): Promise<readonly CpuTime[]> {
  const requests = pageRequests(sizes).filter(({ name }) => /^workbooks, (tenant|folder|union), first/.test(name))
  const measured = await measureCpu(endpoint, tables, requests)
  const titles = [
    'page',
    'ms',
    'bare read',
    'ratio',
    'each workbook more, µs',
    'as a map',
    'ratio',
    'of a page that keeps maps',
  ]
  console.log('\nCPU of this process, in ms, against the same workbooks read as native maps:\n')
  console.log(`| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}`)
  for (const { page, ms, oneMs, mapsMs, oneMapMs } of measured) {
    const more = (ms - oneMs) / 99
    const mapsMore = (mapsMs - oneMapMs) / 99
    const ofOneWithMaps = ms / (ms + 99 * (mapsMore - more))
    const whole = [ms.toFixed(1), mapsMs.toFixed(1), (ms / mapsMs).toFixed(2)]
    const perWorkbook = [(more * 1000).toFixed(0), (mapsMore * 1000).toFixed(0), (more / mapsMore).toFixed(2)]
    console.log(`| ${[page, ...whole, ...perWorkbook, ofOneWithMaps.toFixed(2)].join(' | ')} |`)
  }
  return measured
}

/** A line for each page, so that what has changed since is easily seen. */
function jsonOf(measured: typeof results): string {
  const sizes = Object.entries(measured).map(([size, { filledSeconds, pages }]) => {
    const lines = pages.map((page) => `    ${JSON.stringify(page)}`)
    return `  "${size}": {"filledSeconds": ${filledSeconds}, "pages": [\n${lines.join(',\n')}\n  ]}`
  })
  const lines = cpu.map((page) => `    ${JSON.stringify(page)}`)
  return `{\n${sizes.join(',\n')},\n  "cpu": [\n${lines.join(',\n')}\n  ]\n}\n`
}

/** What a page returns and costs, the same on every machine. */
function exactFigures({ returned, cost }: Measured): readonly number[] {
  return [returned, cost.calls, cost.roundTrips, cost.entries, cost.items, cost.capacity]
}

/** Pages whose exact figures grow with the catalog. */
function growing([smallest, ...larger]: readonly (readonly Measured[])[]): string[] {
  return (smallest ?? [])
    .filter((page, index) =>
      larger.some((pages) => String(flatFigures(pages[index] as Measured)) !== String(flatFigures(page))),
    )
    .map(({ page }) => page)
}
