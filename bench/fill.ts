import { BatchGetCommand, BatchWriteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { type Item, type ItemKey, itemId } from '@embed-access/core/storage/batch-get.ts'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

/** What one BatchWriteItem takes. */
const itemsPerCall = 25

/**
 * Fills empty tables faster than an import does: the catalog itself makes the items, but reads see only what this run
 * has put, and puts are written many at a time. Only for things that arrive once, each after what it refers to.
 * @param batches changes; one that refers to a workbook or notification comes in the same batch
 */
export async function fill(storage: Storage, batches: Iterable<readonly object[]>): Promise<void> {
  const kept = new Map<string, Item>()
  for (const changes of batches) {
    const made = new Map<string, { table: string; item: Item }>()
    const client = {
      async send(command: unknown) {
        if (command instanceof PutCommand) {
          const { TableName, Item } = command.input as { TableName: string; Item: Item }
          made.set(itemId(Item), { table: TableName, item: Item })
          return {}
        }
        // Nothing waits for what comes after what it refers to.
        if (command instanceof QueryCommand) return { Items: [] }
        if (!(command instanceof BatchGetCommand)) throw new Error('Only for things that arrive once, in order.')
        const [[table, { Keys = [] }] = ['', {}]] = Object.entries(command.input.RequestItems ?? {})
        const found = (Keys as ItemKey[]).map((key) => made.get(itemId(key))?.item ?? kept.get(itemId(key)))
        return { Responses: { [table]: found.filter((item) => item !== undefined) } }
      },
    }
    const results = await applyChanges({ ...storage, client: client as unknown as Storage['client'] }, changes)
    const refused = results.findIndex(({ outcome }) => outcome !== 'applied')
    if (refused !== -1) throw new Error(`${JSON.stringify(changes[refused])}: ${JSON.stringify(results[refused])}`)
    for (const { item } of made.values()) if (isReferredToLater(item)) kept.set(itemId(item), item)
    await write(storage, [...made.values()])
  }
}

const isReferredToLater = ({ pk }: Item) => /^(account|deployment)#|#folder#/.test(pk)

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
