import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { engineBinary, startEngine } from '../local/engine.ts'
import { applyAll, createTenants } from './fill.ts'
import { itemsOf, type NewItem } from './items.ts'

export type FilledEngine = {
  readonly endpoint: string
  readonly tables: Storage['tables']
  /** Ends the engine and deletes its data. */
  stop(): Promise<void>
}

const tables = tablesWithPrefix('bench')

/**
 * Starts an engine of its own with filled tables. The engine imports files in the format of DynamoDB's export to S3,
 * which takes a tenth of the time of calls.
 * @param accountId to which all deployments belong
 * @param batches changes, as {@link itemsOf} takes them
 */
export async function filledEngine(accountId: string, batches: Iterable<readonly object[]>): Promise<FilledEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'embed-access-'))
  try {
    const source = join(directory, 'source')
    const { others, tenants } = await writeSource(source, batches)
    await importFrom(source, directory)
    const engine = await startEngine({ dataDirectory: directory })
    const storage = connect(tables, engine.endpoint)
    // The import makes only those that have items.
    await createTables(storage)
    await applyAll(storage, others)
    await createTenants(storage, accountId, tenants)
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
