import { TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { byItemId, type Item, type ItemKey, itemsFrom, keyOf, projection } from './item.ts'
import type { Storage } from './storage.ts'

/** Reads at most 100 catalog items as they are at one moment, for twice the units of a batch. */
export async function snapshot(
  { client, tables }: Storage,
  keys: readonly ItemKey[],
  attributes: readonly string[],
): Promise<Map<string, Item>> {
  const projected = { TableName: tables.catalog, ...projection(['pk', 'sk', ...attributes]) }
  const TransactItems = keys.map((key) => ({ Get: { ...projected, Key: keyOf(key) } }))
  const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems }))
  return byItemId(itemsFrom(Responses.flatMap(({ Item }) => Item ?? [])))
}
