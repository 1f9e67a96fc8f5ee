import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { type Item, itemsIn, projection } from './batch-get.ts'
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

/**
 * What was read, in order of the sort key. If the range may go on, `end` is the sort key of the
 * last item.
 */
type ItemsRead = { readonly items: Item[]; readonly end: string | undefined }

/**
 * Reads at most `limit` items, and at most 1 MB, of a range in one Query. The item that a cursor
 * was made of may be gone. Sort keys within a partition are unique: each ends with an id.
 */
export async function queryIndex(
  storage: Storage,
  { index, ...range }: IndexRange,
  limit?: number,
) {
  const { table, partitionKey, sortKey } = indexes.find(
    ({ name }) => name === index,
  ) as (typeof indexes)[number]
  return query(
    storage,
    { TableName: storage.tables[table], IndexName: index },
    [partitionKey, sortKey],
    range,
    limit,
  )
}

/** Reads a range of a partition of the catalog, as {@link queryIndex} does, and consistently. */
export const queryPartition = (
  storage: Storage,
  range: KeyRange,
  limit?: number,
): Promise<ItemsRead> =>
  query(
    storage,
    { TableName: storage.tables.catalog, ConsistentRead: true },
    ['pk', 'sk'],
    range,
    limit,
  )

/**
 * The range of the sort keys that begin with a part, which ends with `#`, after one of them. `$`
 * comes next after `#`.
 */
export const beginningWith = (beginning: string, after = beginning) => ({
  after,
  to: `${beginning.slice(0, -1)}$`,
})

/**
 * Reads, consistently, all items of a partition of the catalog whose sort keys begin with a part.
 */
export async function readAll(
  storage: Storage,
  partition: string,
  beginning: string,
): Promise<Item[]> {
  const found: Item[] = []
  let after: string | undefined = beginning
  while (after !== undefined) {
    const read: ItemsRead = await queryPartition(storage, {
      partition,
      ...beginningWith(beginning, after),
    })
    found.push(...read.items)
    after = read.end
  }
  return found
}

async function query(
  { client }: Storage,
  place: {
    readonly TableName: string
    readonly IndexName?: string
    readonly ConsistentRead?: boolean
  },
  [partitionKey, sortKey]: readonly [string, string | undefined],
  { partition, after = '', to, attributes }: KeyRange,
  Limit: number | undefined,
): Promise<ItemsRead> {
  // DynamoDB refuses a range that ends before it begins, such as the rest of a range that was read
  // to its end.
  const isEmpty = to !== undefined && after >= to
  if (isEmpty || Buffer.byteLength(partition) > maxPartitionKeyBytes)
    return { items: [], end: undefined }
  const sorted = sortKey && (to ? ' AND #s BETWEEN :from AND :to' : ' AND #s >= :from')
  const projected = attributes && projection(attributes)
  let answer: QueryCommandOutput | undefined
  // An answer may have nothing, and still say that the range goes on.
  while (!answer || (answer.LastEvaluatedKey && !answer.Items?.length)) {
    answer = await client.send(
      new QueryCommand({
        ...place,
        KeyConditionExpression: `#p = :p${sorted ?? ''}`,
        ExpressionAttributeNames: {
          '#p': partitionKey,
          ...(sortKey && { '#s': sortKey }),
          ...projected?.names,
        },
        ProjectionExpression: projected?.expression,
        ExpressionAttributeValues: {
          ':p': partition,
          ':from': sortKey && justAfter(after),
          ':to': to,
        },
        Limit,
        ExclusiveStartKey: answer?.LastEvaluatedKey,
      }),
    )
  }
  return {
    items: itemsIn(answer),
    end: sortKey && answer.LastEvaluatedKey?.[sortKey],
  }
}

const indexes = Object.entries(tableDefinitions).flatMap(([table, definition]) =>
  definition.indexes.map((index) => ({ ...index, table: table as TableName })),
)
