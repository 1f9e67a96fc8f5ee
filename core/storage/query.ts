import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, itemsFrom, projection } from './item.ts'
import { justAfter, maxPartitionKeyBytes } from './keys.ts'
import type { Storage } from './storage.ts'
import { type IndexDefinition, tableDefinitions, tableNames } from './tables.ts'

/** Items of a partition, in the order of their sort keys. */
type KeyRange = {
  readonly partition: string
  /** The range begins after this sort key. By default it begins with the partition. */
  readonly after?: string | undefined
  /** The range begins at this sort key, included, whatever `after` is. */
  readonly from?: string | undefined
  /** The last sort key of the range. By default it ends with the partition. */
  readonly to?: string | undefined
  /** The attributes to read. All of them by default. */
  readonly attributes?: readonly string[]
}

/** What was read of a range. `end` is the last sort key if the range may go on. */
type ItemsRead = { readonly items: Item[]; readonly end: string | undefined }

const indexes = tableNames.flatMap((table) =>
  tableDefinitions[table].indexes.map((index) => ({ ...index, table })),
)

/**
 * Reads a range of an index in one Query: at most `limit` items, and at most 1 MB. The item at
 * `after` may be gone by now. No item is skipped, because each item of a partition has a sort key
 * of its own.
 * @param index no two tables have an index of the same name
 */
export async function queryIndex(
  storage: Storage,
  { index, ...range }: KeyRange & { readonly index: string },
  limit?: number,
): Promise<ItemsRead> {
  const definition = indexes.find(({ name }) => name === index)
  if (!definition) throw new Error(`There is no index ${index}.`)
  const source = { TableName: storage.tables[definition.table], IndexName: index }
  return query(storage, source, definition, range, limit)
}

/** Reads a range of a partition of the catalog, as {@link queryIndex} does, and consistently. */
export function queryPartition(
  storage: Storage,
  range: KeyRange,
  limit?: number,
): Promise<ItemsRead> {
  const source = { TableName: storage.tables.catalog, ConsistentRead: true }
  return query(storage, source, tableDefinitions.catalog, range, limit)
}

/**
 * The range of the sort keys that begin with a text. The text must end with `#`. The character
 * after `#` is `$`.
 * @example beginningWith('share#') // { after: 'share#', to: 'share$' }
 */
export const beginningWith = (beginning: string) => ({
  after: beginning,
  to: `${beginning.slice(0, -1)}$`,
})

/**
 * The sort keys that begin with a part of a name. `~` sorts after each letter of a name.
 * @param after if it lies within this range, the range begins after it
 */
export const namedLike = (part: string, after = '') => ({
  from: after < part ? part : justAfter(after),
  to: `${part}~`,
})

/** Reads a range to its end with {@link queryIndex} or {@link queryPartition}. */
export async function readAll<Range extends KeyRange>(
  query: (storage: Storage, range: Range) => Promise<ItemsRead>,
  storage: Storage,
  range: Range,
): Promise<Item[]> {
  const found: Item[] = []
  let { after } = range
  do {
    const { items, end } = await query(storage, { ...range, after })
    found.push(...items)
    after = end
  } while (after !== undefined)
  return found
}

/** Reads all items of a catalog partition whose sort keys begin with a text, consistently. */
export const readBeginning = (
  storage: Storage,
  partition: string,
  beginning: string,
): Promise<Item[]> => readAll(queryPartition, storage, { partition, ...beginningWith(beginning) })

type Source = {
  readonly TableName: string
  readonly IndexName?: string
  readonly ConsistentRead?: boolean
}

async function query(
  { client }: Storage,
  source: Source,
  { partitionKey, sortKey }: Pick<IndexDefinition, 'partitionKey' | 'sortKey'>,
  { partition, after = '', from = justAfter(after), to, attributes }: KeyRange,
  limit: number | undefined,
): Promise<ItemsRead> {
  // The range was read to its end, so nothing is left. DynamoDB refuses an empty range.
  const isEmpty = to !== undefined && from > to
  const isTooLong = Buffer.byteLength(partition) > maxPartitionKeyBytes
  if (isEmpty || isTooLong) return { items: [], end: undefined }
  const projected = attributes && projection(attributes)
  const inRange = to === undefined ? '#s >= :from' : '#s BETWEEN :from AND :to'
  const request = {
    ...source,
    ...projected,
    KeyConditionExpression: sortKey ? `#p = :p AND ${inRange}` : '#p = :p',
    ExpressionAttributeNames: {
      '#p': partitionKey,
      ...(sortKey && { '#s': sortKey }),
      ...projected?.ExpressionAttributeNames,
    },
    ExpressionAttributeValues: { ':p': partition, ...(sortKey && { ':from': from, ':to': to }) },
    Limit: limit,
  }
  let answer = await client.send(new QueryCommand(request))
  // An answer may have no item, and still say that the range goes on.
  while (answer.LastEvaluatedKey && !answer.Items?.length) {
    const ExclusiveStartKey = answer.LastEvaluatedKey
    answer = await client.send(new QueryCommand({ ...request, ExclusiveStartKey }))
  }
  return { items: itemsFrom(answer.Items), end: sortKey && answer.LastEvaluatedKey?.[sortKey] }
}
