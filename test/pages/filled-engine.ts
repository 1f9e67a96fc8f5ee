import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { createEmbedTenant } from '@embed-access/core/catalog/named-tenants.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { engineBinary, startEngine } from '../../local/engine.ts'
import { account, catalog } from './catalog.ts'
import { notifications, syncs } from './history.ts'
import { itemsOf, type NewItem } from './items.ts'
import type { Sizes } from './requests.ts'

export type FilledEngine = {
  readonly endpoint: string
  readonly tables: Storage['tables']
  /** Ends the engine and deletes its data. */
  stop(): Promise<void>
}

const tables = tablesWithPrefix('bench')

/**
 * Starts an engine of its own with a catalog of these sizes. The engine imports files in the format of DynamoDB's export
 * to S3, which takes a tenth of the time of calls.
 * @param resource what each workbook of a thousand has
 */
export async function filledEngine(sizes: Sizes, resource: (index: number) => object): Promise<FilledEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'embed-access-'))
  try {
    const source = join(directory, 'source')
    const { others, tenants } = await writeSource(source, everything(sizes, resource))
    await importFrom(source, directory)
    const engine = await startEngine({ dataDirectory: directory })
    const storage = connect(tables, engine.endpoint)
    // The import makes only those that have items.
    await createTables(storage)
    await applyAll(storage, others)
    await inParallel([...tenants], (name) => createEmbedTenant(storage, account, name))
    storage.client.destroy()
    const stop = async () => {
      await engine.stop()
      await rm(directory, { recursive: true })
    }
    return { endpoint: engine.endpoint, tables, stop }
  } catch (error) {
    await rm(directory, { recursive: true })
    throw error
  }
}

/** A catalog of these sizes, as batches of changes. */
function* everything(sizes: Sizes, resource: (index: number) => object): Generator<readonly object[]> {
  yield* catalog(sizes.workbooks, resource)
  yield* syncs(sizes.syncs)
  yield* notifications(sizes.notifications)
}

/** Applies changes, one after the other. */
export async function applyAll(storage: Storage, changes: readonly object[]): Promise<void> {
  const apply = catalogWriter(storage, Date)
  for (const change of changes) {
    const [result] = await apply([change])
    if (result?.outcome !== 'applied') throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(result)}`)
  }
}

/** Writes the items of all batches, and returns what can't be written so. */
async function writeSource(source: string, batches: Iterable<readonly object[]>) {
  const others: object[] = []
  const tenants = new Set<string>()
  for (const table of Object.values(tables)) await mkdir(join(source, table, 'data'), { recursive: true })
  for (const changes of batches) {
    const made = itemsOf(tables, changes)
    others.push(...made.others)
    for (const tenant of made.tenants) tenants.add(tenant)
    for (const [table, items = []] of Object.entries(Object.groupBy(made.items, ({ table }) => table))) {
      await appendFile(join(source, table, 'data', 'items.json'), items.map(lineOf).join(''))
    }
  }
  return { others, tenants }
}

const lineOf = ({ item }: NewItem): string =>
  `${JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) })}\n`

async function importFrom(source: string, directory: string): Promise<void> {
  const schema = join(directory, 'schema.json')
  await writeFile(schema, JSON.stringify(await schemas()))
  const output = join(directory, 'dynamodb.sqlite')
  await promisify(execFile)(engineBinary(), ['import', '--source', source, '--schema', schema, '--output', output])
  await rm(source, { recursive: true })
}

/** How the engine itself describes the tables. */
async function schemas(): Promise<object[]> {
  const engine = await startEngine({})
  const storage = connect(tables, engine.endpoint)
  try {
    await createTables(storage)
    return await Promise.all(
      Object.values(tables).map(async (TableName) => {
        const { Table } = await storage.client.send(new DescribeTableCommand({ TableName }))
        return { Table }
      }),
    )
  } finally {
    storage.client.destroy()
    await engine.stop()
  }
}
