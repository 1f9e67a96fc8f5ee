import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { Item, ItemKey } from './item.ts'
import type { Storage } from './storage.ts'
import type { TableName } from './tables.ts'

/** Reads the item of a key consistently. */
export async function getItem(
  { client, tables }: Storage,
  table: TableName,
  key: ItemKey,
): Promise<Item | undefined> {
  const answer = await client.send(
    new GetCommand({ TableName: tables[table], Key: key, ConsistentRead: true }),
  )
  return answer.Item as Item | undefined
}
