import { randomBytes } from 'node:crypto'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { account, catalog } from './catalog.ts'
import { fill } from './fill.ts'
import { notifications, syncs } from './history.ts'
import { type Meter, metered } from './meter.ts'
import type { Sizes } from './requests.ts'

/** New tables, and a meter over them. */
export async function emptyTables(endpoint: string): Promise<Meter> {
  const storage = connect(tablesWithPrefix(`bench-${randomBytes(4).toString('hex')}`), endpoint)
  await createTables(storage)
  storage.client.destroy()
  return metered(storage.tables, endpoint)
}

/** New tables with a catalog of these sizes, and a meter over them. */
export async function filledTables(
  endpoint: string,
  sizes: Sizes,
  resource: (index: number) => object,
): Promise<Meter> {
  const meter = await emptyTables(endpoint)
  const storage = connect(meter.storage.tables, endpoint)
  await fill(storage, account, told(everything(sizes, resource)))
  storage.client.destroy()
  return meter
}

/** The same, telling now and then how many changes there have been: large catalogs take long. */
function* told(batches: Iterable<readonly object[]>) {
  let count = 0
  for (const changes of batches) {
    yield changes
    const before = count
    count += changes.length
    if (Math.floor(count / every) > Math.floor(before / every)) process.stderr.write(`${count} changes\n`)
  }
}

const every = 500_000

function* everything(sizes: Sizes, resource: (index: number) => object) {
  yield* catalog(sizes.workbooks, resource)
  yield* syncs(sizes.syncs)
  yield* notifications(sizes.notifications)
}
