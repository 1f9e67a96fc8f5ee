import { TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, type ItemKey, itemId, keyOf, projection } from './batch-get.ts'
import type { Storage } from './storage.ts'

/**
 * Reads items of the catalog as they are at one moment, in one transaction. It costs twice the capacity of {@link batchGet},
 * which reads item by item. The result has the items that exist, by their {@link itemId}.
 * @param keys at most 100, each once
 */
export async function snapshot(
  { client, tables }: Storage,
  keys: readonly ItemKey[],
  attributes: readonly string[],
): Promise<Map<string, Item>> {
  // Without a part of the key, an item that has none of the attributes would look like one that is not there.
  const { expression, names } = projection(['pk', ...attributes])
  const projected = { TableName: tables.catalog, ProjectionExpression: expression, ExpressionAttributeNames: names }
  const { Responses = [] } = await client.send(
    new TransactGetCommand({
      TransactItems: keys.map((key) => ({ Get: { ...projected, Key: keyOf(key) } })),
    }),
  )
  return new Map(
    keys.flatMap((key, index) => {
      const item = Responses[index]?.Item
      return item ? [[itemId(key), { ...item, ...key }]] : []
    }),
  )
}
