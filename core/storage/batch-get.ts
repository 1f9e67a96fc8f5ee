import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb'
import { inGroups } from './in-groups.ts'
import { byItemId, type Item, type ItemKey, itemId, itemsFrom, keyOf, projection } from './item.ts'
import type { Storage } from './storage.ts'
import { type TableName, tableNames } from './tables.ts'
import { ThrottledError } from './unavailable.ts'

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
  /** An item in it is not read again, even if the read is consistent. */
  readonly recent?: RecentItems | undefined
}

type TableReads = Readonly<
  Partial<Record<TableName, HowToRead & { readonly keys: readonly ItemKey[] }>>
>

/** The most keys that BatchGetItem takes. */
export const keysPerCall = 100

export const callsFor = (keys: number): number => Math.ceil(keys / keysPerCall)

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
  const items = new Map<string, Item>()
  const toRead = new Map<string, ItemKey>()
  for (const key of keys) {
    const known = recent?.get(key)
    if (known) items.set(itemId(key), known)
    else toRead.set(itemId(key), keyOf(key))
  }
  const groups = inGroups([...toRead.values()], keysPerCall)
  const read = await Promise.all(
    groups.map((keys) => getUntilAllAreRead(storage, { [table]: { ...how, keys } })),
  )
  for (const item of read.flat()) {
    recent?.add(item)
    items.set(itemId(item), item)
  }
  return items
}

/** Reads one item, as {@link batchGet} does: most functions have no permission for GetItem. */
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
): Promise<Map<string, Item>> => byItemId(await getUntilAllAreRead(storage, reads))

type Requests = NonNullable<BatchGetCommandInput['RequestItems']>

/**
 * BatchGetItem leaves keys unread after 16 MB, and when it is throttled. So there is a pause before
 * it reads these. Only throttling leaves an answer without any item: six such answers in a row are
 * a failure.
 */
async function getUntilAllAreRead(
  { client, tables, pause }: Storage,
  reads: TableReads,
): Promise<Item[]> {
  const items: Item[] = []
  let unread = requestsFor(tables, reads)
  let emptyAnswers = 0
  while (Object.keys(unread).length > 0) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetCommand({ RequestItems: unread }),
    )
    const read = itemsFrom(Object.values(Responses).flat())
    items.push(...read)
    unread = UnprocessedKeys
    const isLeft = Object.keys(unread).length > 0
    emptyAnswers = isLeft && read.length === 0 ? emptyAnswers + 1 : 0
    if (emptyAnswers > 5) throw new ThrottledError()
    if (isLeft) await pause(25 * 2 ** emptyAnswers)
  }
  return items
}

function requestsFor(tables: Storage['tables'], reads: TableReads): Requests {
  const requests: Requests = {}
  for (const table of tableNames) {
    const { keys = [], consistent = false, attributes } = reads[table] ?? {}
    const projected = attributes && projection(['pk', 'sk', ...attributes])
    if (keys.length > 0)
      requests[tables[table]] = { Keys: [...keys], ConsistentRead: consistent, ...projected }
  }
  return requests
}
