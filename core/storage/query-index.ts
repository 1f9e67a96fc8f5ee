import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { type Item, projection } from './batch-get.ts'
import { justAfter, maxPartitionKeyBytes } from './keys.ts'
import type { Storage } from './storage.ts'
import { type TableName, tableDefinitions } from './tables.ts'

/** A key range of an index. No two tables have an index of the same name. */
export type IndexRange = {
  readonly index: string
  readonly partition: string
  /** Begins after this sort key, by default at the start. */
  readonly after?: string | undefined
  /** Ends at this sort key, included, by default at the end. */
  readonly to?: string | undefined
  /** The attributes to read, which saves time but no capacity. All of them by default. */
  readonly attributes?: readonly string[]
}

/**
 * What was read, in order of the sort key. `more` says whether the range may go on after it; then there is at least one
 * item.
 */
export type IndexItems = { readonly items: Item[]; readonly more: boolean }

/**
 * Reads at most `limit` items, if given, and at most 1 MB, of a range in one Query. It needs no stored item where the range
 * begins, so the item that a cursor was made of may be gone. Sort keys within a partition are unique: each ends with an id.
 * @example await queryIndex(storage, { index: 'byFolder', partition: '1', after: 'b12a5' }, 100)
 */
export async function queryIndex(storage: Storage, range: IndexRange, limit?: number): Promise<IndexItems> {
  if (Buffer.byteLength(range.partition) > maxPartitionKeyBytes || isEmpty(range)) return { items: [], more: false }
  const { table, partitionKey, sortKey } = indexNamed(range.index)
  const { condition, bounds } = sortKeyCondition(range)
  const names = { '#p': partitionKey, ...(condition && { '#s': sortKey as string }) }
  const projected = range.attributes && projection(range.attributes)
  let answer: QueryCommandOutput | undefined
  // An answer may have nothing, and still say that the range goes on.
  while (!answer || (answer.LastEvaluatedKey && !answer.Items?.length)) {
    answer = await storage.client.send(
      new QueryCommand({
        TableName: storage.tables[table],
        IndexName: range.index,
        KeyConditionExpression: `#p = :p${condition}`,
        ExpressionAttributeNames: { ...names, ...projected?.names },
        ...(projected && { ProjectionExpression: projected.expression }),
        ExpressionAttributeValues: { ':p': range.partition, ...bounds },
        ...(limit !== undefined && { Limit: limit }),
        ...(answer && { ExclusiveStartKey: answer.LastEvaluatedKey }),
      }),
    )
  }
  return { items: (answer.Items ?? []) as Item[], more: answer.LastEvaluatedKey !== undefined }
}

/** DynamoDB refuses a range that ends before it begins, such as the rest of a range that was read to its end. */
const isEmpty = ({ after = '', to }: IndexRange): boolean => to !== undefined && after >= to

function sortKeyCondition({ after = '', to }: IndexRange) {
  // BETWEEN is inclusive.
  if (to) return { condition: ' AND #s BETWEEN :from AND :to', bounds: { ':from': justAfter(after), ':to': to } }
  if (after) return { condition: ' AND #s > :from', bounds: { ':from': after } }
  return { condition: '' }
}

const indexes = Object.entries(tableDefinitions).flatMap(([table, definition]) =>
  definition.indexes.map((index) => ({ ...index, table: table as TableName })),
)

function indexNamed(name: string) {
  const index = indexes.find((each) => each.name === name)
  if (!index) throw new Error(`No table has an index ${name}.`)
  return index
}
