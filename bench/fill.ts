import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { createEmbedTenant } from '@embed-access/core/catalog/named-tenants.ts'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { itemsOf, type NewItem } from './items.ts'

/** What one BatchWriteItem takes. */
const itemsPerCall = 25

/**
 * Fills empty tables faster than an import does: the catalog itself makes the items, and puts are written many at a time.
 * @param accountId to which all deployments belong
 * @param batches changes, as {@link itemsOf} takes them
 */
export async function fill(storage: Storage, accountId: string, batches: Iterable<readonly object[]>): Promise<void> {
  const named = new Set<string>()
  for (const changes of batches) {
    const { items, others, tenants } = itemsOf(storage.tables, changes)
    await applyAll(storage, others)
    await write(storage, items)
    for (const tenant of tenants) named.add(tenant)
  }
  await createTenants(storage, accountId, named)
}

/** Applies changes one after the other. */
export async function applyAll(storage: Storage, changes: readonly object[]): Promise<void> {
  const apply = catalogWriter(storage, Date)
  for (const change of changes) {
    const [result] = await apply([change])
    if (result?.outcome !== 'applied') throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(result)}`)
  }
}

export async function createTenants(storage: Storage, accountId: string, names: Iterable<string>): Promise<void> {
  await inParallel([...names], (name) => createEmbedTenant(storage, accountId, name))
}

async function write({ client }: Storage, items: readonly NewItem[]): Promise<void> {
  const calls = Array.from({ length: Math.ceil(items.length / itemsPerCall) }, (_, call) =>
    items.slice(call * itemsPerCall, (call + 1) * itemsPerCall),
  )
  const writeOne = async (call: typeof items) => {
    const byTable = Object.groupBy(call, ({ table }) => table)
    let requests = Object.fromEntries(
      Object.entries(byTable).map(([table, of = []]) => [
        table,
        of.map(({ item }) => ({ PutRequest: { Item: item } })),
      ]),
    ) as NonNullable<ConstructorParameters<typeof BatchWriteCommand>[0]['RequestItems']>
    while (Object.keys(requests).length > 0) {
      const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems: requests }))
      requests = UnprocessedItems ?? {}
    }
  }
  await inParallel(calls, writeOne, 4)
}
