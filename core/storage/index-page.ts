import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Item } from './batch-get.ts'
import type { Storage } from './storage.ts'
import { tableDefinitions } from './tables.ts'

/** One key range of an index of the catalog: a partition, from just after a sort position up to a bound. */
export type IndexRange = {
  readonly index: string
  readonly partition: string
  /** Exclusive; left out: from the start. */
  readonly after?: string | undefined
  /** Only sort keys that begin with it. */
  readonly prefix?: string | undefined
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
  const { after, prefix } = range
  const condition =
    prefix !== undefined ? ' AND #s BETWEEN :from AND :to' : after !== undefined ? ' AND #s > :from' : ''
  const { Items, LastEvaluatedKey } = await storage.client.send(
    new QueryCommand({
      TableName: storage.tables.catalog,
      IndexName: range.index,
      KeyConditionExpression: `#p = :p${condition}`,
      ExpressionAttributeNames: { '#p': partitionKey, ...(condition && { '#s': sortKey as string }) },
      ExpressionAttributeValues: {
        ':p': range.partition,
        // BETWEEN is inclusive; a space sorts before all that may follow a position, so this begins just after it.
        ...(prefix !== undefined && { ':from': after === undefined ? prefix : `${after} `, ':to': `${prefix}~` }),
        ...(prefix === undefined && after !== undefined && { ':from': after }),
      },
      Limit: limit,
    }),
  )
  return { items: (Items ?? []) as Item[], more: LastEvaluatedKey !== undefined }
}

/** DynamoDB's limit, in bytes: a longer key cannot be stored, so nothing is found under it. */
const longestPartitionKey = 2048

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
