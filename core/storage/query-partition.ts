import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Item } from './batch-get.ts'
import type { Storage } from './storage.ts'

/** Reads, consistently, all items of a partition of the catalog whose sort keys have this beginning. */
export async function queryPartition({ client, tables }: Storage, pk: string, beginning: string): Promise<Item[]> {
  const found: Item[] = []
  let start: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tables.catalog,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :beginning)',
        ExpressionAttributeValues: { ':pk': pk, ':beginning': beginning },
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    found.push(...(Items as Item[]))
    start = LastEvaluatedKey
  } while (start)
  return found
}
