import { TransactGetCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, type ItemKey, itemId, keyOf, projection } from './batch-get.ts'
import type { Storage } from './storage.ts'

/** Reads at most 100 catalog items as they are at one moment, for twice the units of a batch. */
export async function snapshot(
  { client, tables }: Storage,
  keys: readonly ItemKey[],
  attributes: readonly string[],
) {
  // An item that has none of the attributes must not look as if it were not there.
  const { expression, names } = projection(['pk', ...attributes])
  const projected = {
    TableName: tables.catalog,
    ProjectionExpression: expression,
    ExpressionAttributeNames: names,
  }
  const TransactItems = keys.map((key) => ({ Get: { ...projected, Key: keyOf(key) } }))
  const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems }))
  return new Map<string, Item>(
    keys.flatMap((key, index) => {
      const item = Responses[index]?.Item
      return item ? [[itemId(key), { ...item, ...key }]] : []
    }),
  )
}
