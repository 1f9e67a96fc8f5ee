import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Storage } from './storage.ts'
import { type TableName, tableNames } from './tables.ts'

export type ItemKey = { readonly pk: string; readonly sk?: string }

/** Attributes that mean the same in each item that has them (docs/design.md#the-data-model). */
type SharedAttributes = {
  readonly kind?: string
  readonly revision?: number | undefined
  readonly version?: string
  readonly deleted?: boolean | undefined
  /** Only in a tombstone: the identity of the deleted thing, as JSON. */
  readonly identity?: string
  readonly accountId?: string | undefined
  readonly deploymentId?: number
}

/** An item as it was read. */
export type Item = ItemKey & SharedAttributes & Readonly<Record<string, unknown>>

/** An item to write. */
export type NewItem = ItemKey & Readonly<Record<string, unknown>>

type RecentItems = { get(key: ItemKey): Item | undefined; add(item: Item): void }

/** The items that an instance has just read for an account. No other account gets them. */
export type RecentItemsOf = (accountId: string) => RecentItems

type HowToRead = {
  readonly consistent?: boolean
  /** The attributes to read besides the key. All of them by default. */
  readonly attributes?: readonly string[]
}

type ReadOptions = HowToRead & {
  readonly table?: TableName
  /** What is in here is not read again, even by a consistent read. */
  readonly recent?: RecentItems | undefined
}

type TableReads = Readonly<
  Partial<Record<TableName, HowToRead & { readonly keys: readonly ItemKey[] }>>
>

/** The most keys that BatchGetItem takes. */
export const keysPerCall = 100

export const callsFor = (keys: number): number => Math.ceil(keys / keysPerCall)

/** The items in groups of at most this size, in the same order. */
export const inGroups = <Each>(items: readonly Each[], size: number): Each[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  )

/**
 * Reads items by key, in parallel calls of 100. Returns those that exist, by {@link itemId}.
 * @param keys keys or whole items, such as those of an index. Duplicates are read once
 * @throws ThrottledError if the database keeps leaving keys unread
 */
export async function batchGet(
  storage: Storage,
  keys: readonly ItemKey[],
  { table = 'catalog', recent, ...how }: ReadOptions = {},
): Promise<Map<string, Item>> {
  const unread = new Map(keys.map((key) => [itemId(key), keyOf(key)]))
  const items = new Map<string, Item>()
  for (const [id, key] of recent ? unread : []) {
    const item = recent?.get(key)
    if (item && unread.delete(id)) items.set(id, item)
  }
  const missing = [...unread.values()]
  const calls = inGroups(missing, keysPerCall).map((keys) =>
    getAll(storage, { [table]: { ...how, keys } }),
  )
  for (const item of (await Promise.all(calls)).flat()) {
    recent?.add(item)
    items.set(itemId(item), item)
  }
  return items
}

/** Reads one item, as {@link batchGet} does. */
export const getOne = async (
  storage: Storage,
  key: ItemKey,
  options?: ReadOptions,
): Promise<Item | undefined> => (await batchGet(storage, [key], options)).get(itemId(key))

/**
 * Reads at most 100 different keys of several tables in one call, as {@link batchGet} does. No two
 * tables share a key.
 */
export const batchGetAcross = async (
  storage: Storage,
  reads: TableReads,
): Promise<Map<string, Item>> =>
  new Map((await getAll(storage, reads)).map((item) => [itemId(item), item]))

export const keyOf = ({ pk, sk }: ItemKey): ItemKey => (sk === undefined ? { pk } : { pk, sk })

/** Whether the item is there and is no tombstone. */
export const isLive = <Stored extends Readonly<Record<string, unknown>>>(
  item: Stored | undefined,
): item is Stored => item !== undefined && item.deleted !== true

/** Items as the SDK gives them. Each item of ours has a key. */
export const itemsFrom = (answered: readonly Readonly<Record<string, unknown>>[] = []): Item[] =>
  answered as Item[]

/** Names an item within its table. */
export const itemId = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`

/** Attributes as placeholders, because some of their names are reserved words. */
export function projection(attributes: readonly string[]) {
  const names = Object.fromEntries(attributes.map((name, index) => [`#a${index}`, name]))
  return { expression: Object.keys(names).join(', '), names }
}

/** BatchGetItem leaves keys unread when it is throttled, and after 16 MB, which is no failure. */
async function getAll({ client, tables, pause }: Storage, reads: TableReads): Promise<Item[]> {
  const requests = tableNames.flatMap((table) => {
    const { keys, consistent = false, attributes } = reads[table] ?? { keys: [] }
    const { expression, names } = projection(['pk', 'sk', ...(attributes ?? [])])
    const projected = attributes && {
      ProjectionExpression: expression,
      ExpressionAttributeNames: names,
    }
    const request = { Keys: [...keys], ConsistentRead: consistent, ...projected }
    return keys.length > 0 ? [[tables[table], request]] : []
  })
  const items: Item[] = []
  let unread: NonNullable<BatchGetCommandInput['RequestItems']> = Object.fromEntries(requests)
  for (let emptyAnswers = 0; Object.keys(unread).length > 0; ) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetCommand({ RequestItems: unread }),
    )
    const read = itemsFrom(Object.values(Responses).flat())
    items.push(...read)
    unread = UnprocessedKeys
    emptyAnswers = read.length > 0 || Object.keys(unread).length === 0 ? 0 : emptyAnswers + 1
    if (emptyAnswers > 5) throw new ThrottledError()
    if (emptyAnswers > 0) await pause(25 * 2 ** emptyAnswers)
  }
  return items
}

/** The database kept refusing part of a request. The SDK's own throttling errors have this name. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottlingException'
}
