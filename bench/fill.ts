import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { createEmbedTenant } from '@embed-access/core/catalog/named-tenants.ts'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { corrected } from '@embed-access/core/catalog/recipient-lists.ts'
import { type Item, itemId } from '@embed-access/core/storage/batch-get.ts'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import { ownSortKey } from '@embed-access/core/storage/keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { newVersion } from '@embed-access/core/storage/version.ts'

/** What one BatchWriteItem takes. */
const itemsPerCall = 25

/**
 * Fills empty tables faster than an import does: the catalog itself makes the items, and puts are written many at a time.
 * Only for things that arrive once, without revision.
 * @param accountId to which all deployments belong
 * @param batches changes; a recipient comes in the same batch as its notification
 */
export async function fill(storage: Storage, accountId: string, batches: Iterable<readonly object[]>): Promise<void> {
  const apply = catalogWriter(storage, Date)
  const tenants = new Set<string>()
  for (const changes of batches) {
    const made = new Map<string, { readonly table: string; readonly item: Item }>()
    for (const change of changes) {
      const parsed = parse(change)
      if ('problems' in parsed) throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(parsed.problems)}`)
      const { kind, key, attributes } = parsed
      if (kind.write) {
        const [result] = await apply([change])
        if (result?.outcome !== 'applied') throw new Error(`${JSON.stringify(change)}: ${JSON.stringify(result)}`)
        continue
      }
      const named = tenantNamed(attributes as Naming)
      if (named !== undefined) tenants.add(named)
      const item = { ...key, kind: kind.name, ...attributes, version: newVersion() }
      const notification = made.get(itemId({ pk: key.pk, sk: ownSortKey }))?.item
      made.set(itemId(item), {
        table: storage.tables[kind.table],
        item: kind.name === 'recipient' ? (corrected(item, notification) ?? item) : item,
      })
    }
    await write(storage, [...made.values()])
  }
  await inParallel([...tenants], (name) => createEmbedTenant(storage, accountId, name))
}

type Naming = {
  readonly grantee?: { readonly name?: string }
  readonly recipient?: { readonly embedTenantName?: string }
}

const tenantNamed = ({ grantee, recipient }: Naming): string | undefined => grantee?.name ?? recipient?.embedTenantName

async function write({ client }: Storage, items: readonly { table: string; item: Item }[]): Promise<void> {
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
