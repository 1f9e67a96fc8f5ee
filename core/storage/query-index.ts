import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { type Item, projection } from './batch-get.ts'
import { justAfter, maxPartitionKeyBytes } from './keys.ts'
import type { Storage } from './storage.ts'
import { tableDefinitions } from './tables.ts'

/**
 * A key range of an index of the catalog.
 *
 *   partition  ─────●━━━━━━━━━━━━━━━━●─────▶ sort key
 *                   after            to, if given
 */
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
 * Reads at most `limit` items, if given, and at most 1 MB, of a range in one Query. It starts from a sort key and needs no stored
 * item there, so the item that a cursor was made of may be gone. Sort keys within a partition are unique: each ends with
 * an id.
 * @example await queryIndex(storage, { index: 'byFolder', partition: '1', after: 'b12a5' }, 100)
 */
export async function queryIndex(storage: Storage, range: IndexRange, limit?: number): Promise<IndexItems> {
  if (Buffer.byteLength(range.partition) > maxPartitionKeyBytes || isEmpty(range)) return { items: [], more: false }
  const { partitionKey, sortKey } = indexDefinition(range.index)
  const { condition, bounds } = sortKeyCondition(range)
  const projected = range.attributes && projection(range.attributes)
  let answer: QueryCommandOutput | undefined
  // An answer may have nothing, and still say that the range goes on.
  while (!answer || (answer.LastEvaluatedKey && !answer.Items?.length)) {
    answer = await storage.client.send(
      new QueryCommand({
        TableName: storage.tables.catalog,
        IndexName: range.index,
        KeyConditionExpression: `#p = :p${condition}`,
        ExpressionAttributeNames: {
          '#p': partitionKey,
          ...(condition && { '#s': sortKey as string }),
          ...projected?.names,
        },
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
  return { condition: '', bounds: {} }
}

function indexDefinition(name: string) {
  const definition = tableDefinitions.catalog.indexes.find((index) => index.name === name)
  if (!definition) throw new Error(`The catalog has no index ${name}.`)
  return definition
}
