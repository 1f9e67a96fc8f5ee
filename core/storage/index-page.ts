import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, projection } from './batch-get.ts'
import { justBehind, longestPartitionKey } from './keys.ts'
import type { Storage } from './storage.ts'
import { tableDefinitions } from './tables.ts'

/** One key range of an index of the catalog: a partition, from just after a sort position up to a bound. */
export type IndexRange = {
  readonly index: string
  readonly partition: string
  /** Where to begin: behind this sort key, or at it. Left out: at the start. */
  readonly after?: string | undefined
  readonly from?: string | undefined
  /** Where to end, inclusive; given along with a beginning. */
  readonly to?: string | undefined
  /** What is read of each entry. It costs the same capacity, but less time to take in. Left out: all of it. */
  readonly attributes?: readonly string[]
}

/** What one Query gave, in order of the sort key, and whether the range goes on behind it. */
export type IndexItems = { readonly items: Item[]; readonly more: boolean }

/**
 * One Query of at most 1 MB. Reading starts from a sort key and not from a stored key, so that the item behind a
 * cursor may be gone. Sort keys of an index partition are unique here: each ends with an id.
 */
export async function queryIndex(storage: Storage, range: IndexRange, limit: number): Promise<IndexItems> {
  if (Buffer.byteLength(range.partition) > longestPartitionKey) return { items: [], more: false }
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
      Limit: limit,
    }),
  )
  return { items: (Items ?? []) as Item[], more: LastEvaluatedKey !== undefined }
}

function sortKeyCondition({ after, from, to }: IndexRange) {
  if (to !== undefined) {
    // BETWEEN is inclusive.
    const least = after === undefined ? from : justBehind(after)
    return { condition: ' AND #s BETWEEN :from AND :to', bounds: { ':from': least, ':to': to } }
  }
  if (after !== undefined) return { condition: ' AND #s > :from', bounds: { ':from': after } }
  if (from) return { condition: ' AND #s >= :from', bounds: { ':from': from } }
  return { condition: '', bounds: {} }
}

/** All of a range, however many calls it takes. */
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
  if (!definition) throw new Error(`no index ${name}`)
  return definition
}
