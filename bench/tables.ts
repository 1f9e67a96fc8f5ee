import { randomBytes } from 'node:crypto'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { type Meter, metered } from '../test/support/counting.ts'
import { account, catalog } from './catalog.ts'
import { fill } from './fill.ts'
import { notifications, syncs } from './history.ts'
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
  await fill(storage, account, everything(sizes, resource))
  storage.client.destroy()
  return meter
}

/** A catalog of these sizes, as batches of changes. */
export function* everything(sizes: Sizes, resource: (index: number) => object): Generator<readonly object[]> {
  yield* catalog(sizes.workbooks, resource)
  yield* syncs(sizes.syncs)
  yield* notifications(sizes.notifications)
}
