import { TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, type ItemKey, itemId, keyOf, projection } from './item.ts'
import type { Storage } from './storage.ts'

/** Reads at most 100 catalog items as they are at one moment, for twice the units of a batch. */
export async function snapshot(
  { client, tables }: Storage,
  keys: readonly ItemKey[],
  attributes: readonly string[],
): Promise<Map<string, Item>> {
  // With `pk`, an item that has none of the attributes is not taken for one that is not there.
  const projected = { TableName: tables.catalog, ...projection(['pk', ...attributes]) }
  const TransactItems = keys.map((key) => ({ Get: { ...projected, Key: keyOf(key) } }))
  const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems }))
  const items = new Map<string, Item>()
  for (const [index, { Item }] of Responses.entries()) {
    if (Item) items.set(itemId(keys[index] as ItemKey), Item as Item)
  }
  return items
}
