import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, projection } from './batch-get.ts'
import { justAfter, maxPartitionKeyBytes } from './keys.ts'
import type { Storage } from './storage.ts'
import { tableDefinitions } from './tables.ts'

/**
 * A key range of an index of the catalog.
 *
 *   partition  ─────●━━━━━━━━━━━━━━━━●─────▶ sort key
 *                   after or from    to, if given
 */
export type IndexRange = {
  readonly index: string
  readonly partition: string
  /** Begins after this sort key. */
  readonly after?: string | undefined
  /** Begins at this sort key, if `after` is not given. Without both the range begins at the start. */
  readonly from?: string | undefined
  /** Ends at this sort key, included. Needs `after` or `from`. */
  readonly to?: string | undefined
  /** The attributes to read, which saves time but no capacity. All of them by default. */
  readonly attributes?: readonly string[]
}

/** What one Query gave, in order of the sort key. `more` says whether the range may go on after it. */
export type IndexItems = { readonly items: Item[]; readonly more: boolean }

/**
 * Reads at most `limit` items, if given, and at most 1 MB, of a range in one Query. It starts from a sort key and needs no stored
 * item there, so the item that a cursor was made of may be gone. Sort keys within a partition are unique: each ends with
 * an id.
 * @example await queryIndex(storage, { index: 'byFolder', partition: '1#workbook', after: '/a5' }, 100)
 */
export async function queryIndex(storage: Storage, range: IndexRange, limit?: number): Promise<IndexItems> {
  if (Buffer.byteLength(range.partition) > maxPartitionKeyBytes || isEmpty(range)) return { items: [], more: false }
  const { partitionKey, sortKey } = indexDefinition(range.index)
  const { condition, bounds } = sortKeyCondition(range)
  const projected = range.attributes && projection(range.attributes)
  const { Items, LastEvaluatedKey } = await storage.client.send(
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
    }),
  )
  return { items: (Items ?? []) as Item[], more: LastEvaluatedKey !== undefined }
}

/** DynamoDB refuses a range that ends before it begins, such as the rest of a range that was read to its end. */
const isEmpty = ({ after, from = '', to }: IndexRange): boolean =>
  to !== undefined && (after === undefined ? from > to : after >= to)

function sortKeyCondition({ after, from, to }: IndexRange) {
  if (to !== undefined) {
    // BETWEEN is inclusive.
    const begin = after === undefined ? from : justAfter(after)
    return { condition: ' AND #s BETWEEN :from AND :to', bounds: { ':from': begin, ':to': to } }
  }
  if (after !== undefined) return { condition: ' AND #s > :from', bounds: { ':from': after } }
  if (from) return { condition: ' AND #s >= :from', bounds: { ':from': from } }
  return { condition: '', bounds: {} }
}

/**
 * Reads a whole range, 1000 items or 1 MB at a time.
 * @example for await (const items of queryWhole(storage, range)) count += items.length
 */
export async function* queryWhole(storage: Storage, range: IndexRange): AsyncGenerator<Item[]> {
  const { sortKey } = indexDefinition(range.index)
  let { after } = range
  for (let more = true; more; ) {
    const read = await queryIndex(storage, { ...range, after }, 1000)
    yield read.items
    after = read.items.at(-1)?.[sortKey as string] as string | undefined
    more = read.more && after !== undefined
  }
}

function indexDefinition(name: string) {
  const definition = tableDefinitions.catalog.indexes.find((index) => index.name === name)
  if (!definition) throw new Error(`The catalog has no index ${name}.`)
  return definition
}
