import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb'
import { batchGet, type Item, isLive, itemId } from '../storage/batch-get.ts'
import { briefly } from '../storage/client.ts'
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
  readonly deploymentIds?: readonly number[]
  readonly operations?: readonly string[]
  readonly expiresAt?: string
  readonly lastUsedAt?: string
  readonly revision?: number
}

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
  const apiKeys = items.filter(
    (item) => isLive(item) && item.accountId === accountId,
  ) as unknown as StoredApiKey[]
  const useKeys = apiKeys.map(({ tokenHash }) => apiKeyUseKey(tokenHash))
  const uses = await batchGet(storage, useKeys, { table: 'credentials', consistent: true })
  return apiKeys.map((apiKey) => {
    const lastUsedAt = uses.get(itemId(apiKeyUseKey(apiKey.tokenHash)))?.lastUsedAt as
      | string
      | undefined
    return lastUsedAt === undefined ? apiKey : { ...apiKey, lastUsedAt }
  })
}

async function itemsOfUser(storage: Storage, accountId: string, userId: number): Promise<Item[]> {
  const { items } = await queryIndex(storage, {
    index: 'keysByUser',
    partition: keyOwner(accountId, userId),
  })
  return [...(await batchGet(storage, items, { table: 'credentials', consistent: true })).values()]
}

/**
 * The items of API keys by the beginning of their hash, deleted or not. It reads the whole table.
 */
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
  // Stryker disable next-line ArrayDeclaration: The default of what is always there.
  for await (const { Items = [] } of paginateScan({ client }, scan))
    found.push(...(Items as Item[]))
  return found
}

/** Within that time an instance writes the last use once. */
const exactnessMs = 3_600_000

/** After so many keys an instance forgets all of them. */
const maxRemembered = 10_000

/**
 * Stores when API keys were last used, in an item that no catalog change touches. `now` is in
 * milliseconds since the epoch.
 */
export function apiKeyUses() {
  const written = new Map<string, number>()
  return async (
    { client, tables }: Storage,
    { tokenHash, accountId }: Pick<StoredApiKey, 'tokenHash' | 'accountId'>,
    now: number,
  ): Promise<void> => {
    if ((written.get(tokenHash) ?? 0) > now - exactnessMs) return
    if (written.size >= maxRemembered) written.clear()
    // Before the write: a database in trouble should not get more writes.
    written.set(tokenHash, now)
    const Item = { ...apiKeyUseKey(tokenHash), accountId, lastUsedAt: new Date(now).toISOString() }
    await client.send(new PutCommand({ TableName: tables.credentials, Item }), briefly())
  }
}
