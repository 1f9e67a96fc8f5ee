import { parseArgs } from 'node:util'
import { filledEngine } from '../test/pages/filled-engine.ts'
import { flatFigures, type Measured, measurePages } from '../test/pages/measure.ts'
import { pageRequests } from '../test/pages/requests.ts'
import { workbook } from '../test/pages/workbook.ts'
import { metered } from '../test/support/counting.ts'
import { printTable } from './table.ts'

export const help = `Usage: npm run bench -- pages [--sizes 1000,10000,100000]

Measures what pages cost in catalogs of so many workbooks and dbt syncs, and a tenth as many
notifications (at least 1000). Ends with 1 if a page costs more calls, round trips, entries, items
or read units in a larger catalog. A million of each takes about half an hour, and 15 GB of memory
for the engine.
`

async function pagesOf(size: number): Promise<Measured[]> {
  const sizes = { workbooks: size, syncs: size, notifications: Math.max(1000, size / 10) }
  const engine = await filledEngine(sizes, workbook)
  try {
    const meter = metered(engine.tables, engine.endpoint)
    const pages = await measurePages(meter, pageRequests(sizes))
    meter.storage.client.destroy()
    process.stdout.write(`\n${size} workbooks\n\n`)
    printPages(pages)
    return pages
  } finally {
    await engine.stop()
  }
}

function printPages(pages: readonly Measured[]): void {
  const rows = pages.map(({ page, returned, cost, byKey }) => [
    page,
    returned,
    cost.calls,
    cost.roundTrips,
    cost.entries,
    cost.capacity,
    (cost.capacity / byKey.capacity).toFixed(2),
  ])
  printTable(['page', 'items', 'calls', 'trips', 'entries', 'read units', '× by key'], rows)
}

/** Pages whose exact figures grow with the catalog. */
function growing([smallest = [], ...larger]: readonly (readonly Measured[])[]): string[] {
  const figuresOf = (page: Measured) => String(flatFigures(page))
  const grown = smallest.filter((page, index) =>
    larger.some((pages) => figuresOf(pages[index] as Measured) !== figuresOf(page)),
  )
  return grown.map(({ page }) => page)
}

export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { sizes: { type: 'string', default: '1000,10000,100000' } },
  })
  const sizes = values.sizes.split(',').map(Number)
  if (sizes.some((size) => !(size > 0) || size % 1000 !== 0)) {
    throw new Error(
      '--sizes takes multiples of 1000, such as 1000,10000. See npm run bench -- pages --help.',
    )
  }
  const results: Measured[][] = []
  for (const size of sizes) results.push(await pagesOf(size))
  const grown = growing(results)
  if (grown.length > 0) throw new Error(`These cost more in a larger catalog: ${grown.join('; ')}.`)
}
