import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Storage } from './storage.ts'
import type { TableName } from './tables.ts'

export type ItemKey = { readonly pk: string; readonly sk?: string }
export type Item = Readonly<Record<string, unknown>> & ItemKey

/** What an instance has just read for one account. */
type RecentItems = { get(key: ItemKey): Item | undefined; add(item: Item): void }

/**
 * Gives the recent items of one account to one read. No account gets what was read for another one.
 */
export type RecentItemsOf = (accountId: string) => RecentItems

type HowToRead = {
  readonly consistent?: boolean
  /** The attributes to read besides the key. All of them by default. */
  readonly attributes?: readonly string[]
}

type ReadOptions = HowToRead & {
  readonly table?: TableName
  /** Items that were read recently. They are not read again, even by a consistent read. */
  readonly recent?: RecentItems | undefined
}

type TableReads = Readonly<
  Partial<Record<TableName, HowToRead & { readonly keys: readonly ItemKey[] }>>
>

/** The most keys that BatchGetItem takes. */
export const keysPerCall = 100

export const callsFor = (keys: number): number => Math.ceil(keys / keysPerCall)

/**
 * Reads items by key, in parallel calls of 100 keys. The result has the items that exist, by their
 * {@link itemId}.
 * @param keys may be whole items, such as those of an index. Duplicates are read once
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
  const calls = Array.from({ length: callsFor(missing.length) }, (_, call) =>
    getAll(storage, {
      [table]: { ...how, keys: missing.slice(call * keysPerCall, (call + 1) * keysPerCall) },
    }),
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
export async function batchGetAcross(
  storage: Storage,
  reads: TableReads,
): Promise<Map<string, Item>> {
  return new Map((await getAll(storage, reads)).map((item) => [itemId(item), item]))
}

export const keyOf = ({ pk, sk }: ItemKey): ItemKey => (sk === undefined ? { pk } : { pk, sk })

/** Whether the item is there and is no tombstone. */
export const isLive = <Stored extends Readonly<Record<string, unknown>>>(
  item: Stored | undefined,
): item is Stored => item !== undefined && item.deleted !== true

/** The items in the answer of a read. */
export const itemsIn = (answer: { Items?: Record<string, unknown>[] | undefined }): Item[] =>
  (answer.Items ?? []) as Item[]

/** Names an item within its table. */
export const itemId = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`

/** Attributes as placeholders, because some of their names are reserved words. */
export function projection(attributes: readonly string[]) {
  const names = Object.fromEntries(attributes.map((name, index) => [`#a${index}`, name]))
  return { expression: Object.keys(names).join(', '), names }
}

/** BatchGetItem leaves keys unread after 16 MB, which is no failure, and when it is throttled. */
async function getAll({ client, tables, pause }: Storage, reads: TableReads): Promise<Item[]> {
  const requests = Object.entries(reads).flatMap(
    ([table, { keys, consistent = false, attributes }]) => {
      const { expression, names } = projection(['pk', 'sk', ...(attributes ?? [])])
      const projected = attributes && {
        ProjectionExpression: expression,
        ExpressionAttributeNames: names,
      }
      const request = { Keys: [...keys], ConsistentRead: consistent, ...projected }
      return keys.length > 0 ? [[tables[table as TableName], request]] : []
    },
  )
  const items: Item[] = []
  let unread: NonNullable<BatchGetCommandInput['RequestItems']> = Object.fromEntries(requests)
  for (let emptyAnswers = 0; Object.keys(unread).length > 0; ) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetCommand({ RequestItems: unread }),
    )
    const read = Object.values(Responses).flat() as Item[]
    items.push(...read)
    unread = UnprocessedKeys
    emptyAnswers = read.length > 0 || Object.keys(unread).length === 0 ? 0 : emptyAnswers + 1
    if (emptyAnswers > 5) throw new ThrottledError()
    if (emptyAnswers > 0) await pause(25 * 2 ** emptyAnswers)
  }
  return items
}

/**
 * The database kept refusing part of a request. The name is that of the SDK's own throttling
 * errors.
 */
export class ThrottledError extends Error {
  override readonly name = 'ThrottlingException'
}
