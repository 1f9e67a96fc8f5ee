import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { marshall } from '@aws-sdk/util-dynamodb'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { createEmbedTenant } from '@embed-access/core/catalog/named-tenants.ts'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { corrected } from '@embed-access/core/catalog/recipient-lists.ts'
import { newVersion } from '@embed-access/core/storage/conditional-writes.ts'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import { type Item, itemId } from '@embed-access/core/storage/item.ts'
import { ownSortKey } from '@embed-access/core/storage/keys.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { type TableName, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { createTables, tableInput } from '../../cli/create-tables.ts'
import { engineBinary, startEngine } from '../../local/engine.ts'
import { patient } from '../support/patient.ts'
import { account, catalog, sharesWithMany } from './catalog.ts'
import { notifications, syncs } from './history.ts'
import type { Sizes } from './requests.ts'

const tables = tablesWithPrefix('bench')

export type FilledEngine = Awaited<ReturnType<typeof filledEngine>>

/**
 * Starts an engine of its own with a catalog of these sizes. The engine imports files in the format
 * of DynamoDB's export to S3, which takes a tenth of the time of calls.
 * @param resource what each workbook of a thousand has
 * @returns `stop` ends the engine and deletes its data
 */
export async function filledEngine(sizes: Sizes, resource: (index: number) => object) {
  const directory = await mkdtemp(join(tmpdir(), 'embed-access-'))
  try {
    const { others, tenants } = await importInto(directory, everything(sizes, resource))
    const engine = await startEngine(directory)
    const storage = patient(connect(tables, engine.endpoint))
    // The import makes only those that have items.
    await createTables(storage)
    await applyAll(storage, others)
    await inParallel([...tenants], (name) => createEmbedTenant(storage, account, name, 0))
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

function* everything(
  sizes: Sizes,
  resource: (index: number) => object,
): Generator<readonly object[]> {
  yield* catalog(sizes.workbooks, resource)
  yield sharesWithMany(sizes.workbooks / 100)
  yield* syncs(sizes.syncs)
  yield* notifications(sizes.notifications)
}

export async function applyAll(storage: Storage, changes: readonly object[]): Promise<void> {
  const apply = catalogWriter(storage, Date)
  for (const change of changes) {
    const [result] = await apply([change])
    if (result?.outcome !== 'applied')
      throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(result)}`)
  }
}

/** Imports the items of all batches, and returns what can't be imported. */
async function importInto(directory: string, batches: Iterable<readonly object[]>) {
  const others: object[] = []
  const tenants = new Set<string>()
  const [source, schema] = [join(directory, 'source'), join(directory, 'schema.json')]
  const names = Object.entries(tables) as [TableName, string][]
  for (const [, name] of names) await mkdir(join(source, name, 'data'), { recursive: true })
  for (const changes of batches) {
    const made = itemsOf(changes)
    others.push(...made.others)
    for (const tenant of made.tenants) tenants.add(tenant)
    for (const [table, items = []] of Object.entries(
      Object.groupBy(made.items, ({ table }) => table),
    )) {
      const lines = items.map(({ item }) =>
        JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) }),
      )
      await appendFile(
        join(source, tables[table as TableName], 'data', 'items.json'),
        `${lines.join('\n')}\n`,
      )
    }
  }
  await writeFile(
    schema,
    JSON.stringify(names.map(([of, name]) => ({ Table: tableInput(name, tableDefinitions[of]) }))),
  )
  const output = join(directory, 'dynamodb.sqlite')
  await promisify(execFile)(engineBinary(), [
    'import',
    '--source',
    source,
    '--schema',
    schema,
    '--output',
    output,
  ])
  await rm(source, { recursive: true })
  return { others, tenants }
}

type Naming = {
  readonly grantee?: { readonly name?: string }
  readonly recipient?: { readonly embedTenantName?: string }
}

/**
 * The items that the catalog makes of changes. Only for things that arrive once, without revision.
 * @param changes a recipient comes in the same batch as its notification
 * @returns `others`: changes that are more than one item, and must be applied. `tenants`: those
 * that shares and recipients name
 */
function itemsOf(changes: readonly object[]) {
  const items = new Map<string, { readonly table: TableName; readonly item: Item }>()
  const others: object[] = []
  const tenants = new Set<string>()
  for (const change of changes) {
    const parsed = parse(change)
    if ('problems' in parsed)
      throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(parsed.problems)}`)
    const { kind, key, content } = parsed
    const isNotification = kind.name === 'notification'
    // These have a write of their own, which brings a notification and its recipients together.
    if (kind.write && !isNotification && kind.name !== 'recipient') {
      others.push(change)
      continue
    }
    const { grantee, recipient } = content as Naming
    const named = grantee?.name ?? recipient?.embedTenantName
    if (named !== undefined) tenants.add(named)
    const version = newVersion()
    const own = { ...key, kind: kind.name, ...content, version }
    const item = isNotification ? { ...own, listVersion: version } : own
    const notification = items.get(itemId({ pk: key.pk, sk: ownSortKey }))?.item
    const whole = kind.name === 'recipient' ? (corrected(item, notification) ?? item) : item
    items.set(itemId(item), { table: kind.table, item: whole })
  }
  return { items: [...items.values()], others, tenants }
}
