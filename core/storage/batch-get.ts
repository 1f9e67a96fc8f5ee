import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import type { Storage } from './storage.ts'
import type { TableName } from './tables.ts'

export type ItemKey = { readonly pk: string; readonly sk?: string }
export type Item = Readonly<Record<string, unknown>> & ItemKey

type ReadOptions = {
  readonly table?: TableName
  readonly consistent?: boolean
  /** What is read of each item besides its key, which costs less time to take in. Left out: all of it. */
  readonly attributes?: readonly string[]
}

/** How many keys one BatchGetItem takes. */
const keysPerCall = 100

/**
 * Reads items by key, 100 a call and the calls side by side; the result is keyed by {@link itemId}. Of what is given, such
 * as an item of an index, only the key counts.
 */
export async function batchGet(
  storage: Storage,
  keys: readonly ItemKey[],
  options: ReadOptions = {},
): Promise<Map<string, Item>> {
  const distinct = [...new Map(keys.map((key) => [itemId(key), keyOf(key)])).values()]
  const calls = Array.from({ length: Math.ceil(distinct.length / keysPerCall) }, (_, call) =>
    getAll(storage, distinct.slice(call * keysPerCall, (call + 1) * keysPerCall), options),
  )
  return new Map((await Promise.all(calls)).flat().map((item) => [itemId(item), item]))
}

const keyOf = ({ pk, sk }: ItemKey): ItemKey => (sk === undefined ? { pk } : { pk, sk })

export const itemId = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`

/** Attributes by placeholders, since some of their names are reserved words. */
export function projection(attributes: readonly string[]) {
  const names = Object.fromEntries(attributes.map((name, index) => [`#a${index}`, name]))
  return { expression: Object.keys(names).join(', '), names }
}

/** BatchGetItem may leave keys unread: past 16 MB at once, which is no failure, or when throttled. */
async function getAll(
  { client, tables }: Storage,
  keys: readonly ItemKey[],
  { table = 'catalog', consistent = false, attributes }: ReadOptions,
): Promise<Item[]> {
  const tableName = tables[table]
  const { expression, names } = projection(['pk', 'sk', ...(attributes ?? [])])
  const projected = attributes && { ProjectionExpression: expression, ExpressionAttributeNames: names }
  const items: Item[] = []
  let unread = keys
  for (let fruitless = 0; unread.length > 0; ) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: [...unread], ConsistentRead: consistent, ...projected } },
      }),
    )
    const read = (Responses?.[tableName] ?? []) as Item[]
    items.push(...read)
    unread = (UnprocessedKeys?.[tableName]?.Keys ?? []) as ItemKey[]
    fruitless = read.length > 0 || unread.length === 0 ? 0 : fruitless + 1
    if (fruitless > 5) throw new ThrottledError()
    if (fruitless > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** fruitless))
  }
  return items
}

/** The database kept refusing part of a batch. Named as the SDK names its own throttling errors. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottlingException'
}
