import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb'
import { batchGet } from '../storage/batch-get.ts'
import { briefly } from '../storage/client.ts'
import { type Item, isLive, itemId, itemsFrom } from '../storage/item.ts'
import { key } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { apiKeyUseKey, keyOwner } from './keys.ts'

/** An API key as stored: everything but the key itself. */
export type StoredApiKey = {
  readonly tokenHash: string
  readonly accountId: string
  readonly userId: number
  readonly name: string
  readonly deploymentIds?: readonly number[] | undefined
  readonly operations?: readonly string[] | undefined
  readonly expiresAt?: string | undefined
  readonly lastUsedAt?: string | undefined
  readonly revision?: number | undefined
}

/** A key that a request had. */
export type UsedApiKey = Pick<StoredApiKey, 'tokenHash' | 'accountId'>

export const apiKeyIn = (item: Item | undefined): StoredApiKey | undefined =>
  isLive(item) ? (item as Item & StoredApiKey) : undefined

/**
 * The API keys of a user, or of all users of an account. The latter reads the whole table, so it is
 * not for requests.
 */
export async function apiKeysOf(
  storage: Storage,
  accountId: string,
  userId?: number,
): Promise<StoredApiKey[]> {
  const items = await (userId === undefined
    ? apiKeyItemsByHash(storage, '')
    : itemsOfUser(storage, accountId, userId))
  const apiKeys = items
    .flatMap((item) => apiKeyIn(item) ?? [])
    .filter((apiKey) => apiKey.accountId === accountId)
  const useKeys = apiKeys.map(({ tokenHash }) => apiKeyUseKey(tokenHash))
  const uses = await batchGet(storage, useKeys, { table: 'credentials', consistent: true })
  return apiKeys.map((apiKey) => {
    const lastUsedAt = uses.get(itemId(apiKeyUseKey(apiKey.tokenHash)))?.lastUsedAt
    return typeof lastUsedAt === 'string' ? { ...apiKey, lastUsedAt } : apiKey
  })
}

async function itemsOfUser(storage: Storage, accountId: string, userId: number): Promise<Item[]> {
  const range = { index: 'keysByUser', partition: keyOwner(accountId, userId) }
  const { items } = await queryIndex(storage, range)
  const current = await batchGet(storage, items, { table: 'credentials', consistent: true })
  return [...current.values()]
}

/** Returns API keys whose hash begins with a text, also deleted ones. Reads the whole table. */
export async function apiKeyItemsByHash(
  { client, tables }: Storage,
  prefix: string,
): Promise<Item[]> {
  const found: Item[] = []
  const scan = {
    TableName: tables.credentials,
    ConsistentRead: true,
    FilterExpression: 'begins_with(pk, :prefix)',
    ExpressionAttributeValues: { ':prefix': key('apiKey', prefix) },
  }
  for await (const page of paginateScan({ client }, scan)) found.push(...itemsFrom(page.Items))
  return found
}

/** An instance writes the last use of a key once in this time. */
const exactnessMs = 3_600_000

/** An instance that remembers this many keys forgets all of them. */
const maxRemembered = 10_000

/**
 * Stores when API keys were last used, in an item that no catalog change touches. `now` is in
 * milliseconds since the epoch.
 */
export function apiKeyUses() {
  const written = new Map<string, number>()
  return async (
    { client, tables }: Storage,
    { tokenHash, accountId }: UsedApiKey,
    now: number,
  ): Promise<void> => {
    if ((written.get(tokenHash) ?? 0) > now - exactnessMs) return
    if (written.size >= maxRemembered) written.clear()
    // Remember first: if the write fails, a database in trouble gets no more of them.
    written.set(tokenHash, now)
    const Item = { ...apiKeyUseKey(tokenHash), accountId, lastUsedAt: new Date(now).toISOString() }
    await client.send(new PutCommand({ TableName: tables.credentials, Item }), briefly())
  }
}
