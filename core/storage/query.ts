import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { type Item, projection } from './batch-get.ts'
import { justAfter, maxPartitionKeyBytes } from './keys.ts'
import type { Storage } from './storage.ts'
import { type TableName, tableDefinitions } from './tables.ts'

type KeyRange = {
  readonly partition: string
  /** Begins after this sort key, by default at the start. */
  readonly after?: string | undefined
  /** Ends at this sort key, included, by default at the end. */
  readonly to?: string | undefined
  /** The attributes to read. All of them by default. */
  readonly attributes?: readonly string[]
}

/** A key range of an index. No two tables have an index of the same name. */
type IndexRange = KeyRange & { readonly index: string }

/** What was read, in order of the sort key. If the range may go on after it (`more`), there is at least one item. */
type ItemsRead = { readonly items: Item[]; readonly more: boolean }

/**
 * Reads at most `limit` items, and at most 1 MB, of a range in one Query. The item that a cursor was made of may be gone.
 * Sort keys within a partition are unique: each ends with an id.
 */
export async function queryIndex(storage: Storage, { index, ...range }: IndexRange, limit?: number) {
  const { table, partitionKey, sortKey } = indexes.find(({ name }) => name === index) as (typeof indexes)[number]
  return query(storage, { TableName: storage.tables[table], IndexName: index }, [partitionKey, sortKey], range, limit)
}

/** Reads a range of a partition of the catalog, as {@link queryIndex} does, and consistently. */
export const queryPartition = (storage: Storage, range: KeyRange, limit?: number): Promise<ItemsRead> =>
  query(storage, { TableName: storage.tables.catalog, ConsistentRead: true }, ['pk', 'sk'], range, limit)

/** The range of the sort keys that begin with a part, which ends with `#`, after one of them. `$` comes next after `#`. */
export const beginningWith = (beginning: string, after = beginning) => ({ after, to: `${beginning.slice(0, -1)}$` })

/** Reads, consistently, all items of a partition of the catalog whose sort keys begin with a part. */
export async function readAll(storage: Storage, partition: string, beginning: string): Promise<Item[]> {
  const found: Item[] = []
  for (let after: string | undefined, more = true; more; ) {
    const read = await queryPartition(storage, { partition, ...beginningWith(beginning, after) })
    found.push(...read.items)
    after = read.items.at(-1)?.sk as string | undefined
    more = read.more
  }
  return found
}

type Place = { readonly TableName: string; readonly IndexName?: string; readonly ConsistentRead?: boolean }

async function query(
  { client }: Storage,
  place: Place,
  [partitionKey, sortKey]: readonly [string, string | undefined],
  range: KeyRange,
  limit: number | undefined,
): Promise<ItemsRead> {
  if (Buffer.byteLength(range.partition) > maxPartitionKeyBytes || isEmpty(range)) return { items: [], more: false }
  const { condition, bounds } = sortKeyCondition(range)
  const names = { '#p': partitionKey, ...(condition && { '#s': sortKey as string }) }
  const projected = range.attributes && projection(range.attributes)
  let answer: QueryCommandOutput | undefined
  // An answer may have nothing, and still say that the range goes on.
  while (!answer || (answer.LastEvaluatedKey && !answer.Items?.length)) {
    answer = await client.send(
      new QueryCommand({
        ...place,
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
const isEmpty = ({ after = '', to }: KeyRange): boolean => to !== undefined && after >= to

function sortKeyCondition({ after = '', to }: KeyRange) {
  // BETWEEN is inclusive.
  if (to) return { condition: ' AND #s BETWEEN :from AND :to', bounds: { ':from': justAfter(after), ':to': to } }
  if (after) return { condition: ' AND #s > :from', bounds: { ':from': after } }
  return { condition: '' }
}

const indexes = Object.entries(tableDefinitions).flatMap(([table, definition]) =>
  definition.indexes.map((index) => ({ ...index, table: table as TableName })),
)
