import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { type Item, itemsFrom, projection } from './batch-get.ts'
import { justAfter, maxPartitionKeyBytes } from './keys.ts'
import type { Storage } from './storage.ts'
import { type IndexDefinition, tableDefinitions, tableNames } from './tables.ts'

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

/** Items by their sort keys. `end` is the last sort key if the range may go on. */
type ItemsRead = { readonly items: Item[]; readonly end: string | undefined }

/**
 * Reads at most `limit` items, and at most 1 MB, of a range in one Query. A sort key is unique in
 * its partition, because it ends with an id. The item of a cursor may be gone.
 */
export async function queryIndex(
  storage: Storage,
  { index, ...range }: IndexRange,
  limit?: number,
) {
  const found = indexes.find(({ name }) => name === index)
  if (!found) throw new Error(`There is no index ${index}.`)
  const place = { TableName: storage.tables[found.table], IndexName: index }
  return query(storage, place, found, range, limit)
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
    tableDefinitions.catalog,
    range,
    limit,
  )

/** The sort keys that begin with a part, which ends with `#`. The next character is `$`. */
export const beginningWith = (beginning: string, after = beginning) => ({
  after,
  to: `${beginning.slice(0, -1)}$`,
})

/** Reads, consistently, the items of a catalog partition whose sort keys begin with a part. */
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
  { partitionKey, sortKey }: Pick<IndexDefinition, 'partitionKey' | 'sortKey'>,
  { partition, after = '', to, attributes }: KeyRange,
  Limit: number | undefined,
): Promise<ItemsRead> {
  // DynamoDB refuses a range that ends before it begins. The rest of a whole range is such a range.
  const isEmpty = to !== undefined && after >= to
  if (isEmpty || Buffer.byteLength(partition) > maxPartitionKeyBytes)
    return { items: [], end: undefined }
  const sorted = sortKey && (to ? ' AND #s BETWEEN :from AND :to' : ' AND #s >= :from')
  const projected = attributes && projection(attributes)
  let answer: QueryCommandOutput | undefined
  // An answer may have no item, and still say that the range goes on.
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
    items: itemsFrom(answer.Items),
    end: sortKey && answer.LastEvaluatedKey?.[sortKey],
  }
}

const indexes = tableNames.flatMap((table) =>
  tableDefinitions[table].indexes.map((index) => ({ ...index, table })),
)
