import { paginateScan, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { batchGet, type Item, type ItemKey, isLive, itemId } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { apiKeyUseKey, keyOwner } from './keys.ts'

/** An API key as stored: everything but the key itself. */
export type StoredApiKey = {
  readonly tokenHash: string
  readonly accountId: string
  readonly userId: number
  readonly name: string
  readonly deploymentIds?: readonly number[]
  readonly expiresAt?: string
  readonly lastUsedAt?: string
  readonly revision?: number
}

/** The API keys of a user. */
export async function apiKeysOfUser(storage: Storage, accountId: string, userId: number): Promise<StoredApiKey[]> {
  const { Items = [] } = await storage.client.send(
    new QueryCommand({
      TableName: storage.tables.credentials,
      IndexName: 'keysByUser',
      KeyConditionExpression: 'keyOwner = :owner',
      ExpressionAttributeValues: { ':owner': keyOwner(accountId, userId) },
    }),
  )
  const keys = Items.map(({ pk }) => ({ pk }) as ItemKey)
  const items = await batchGet(storage, keys, { table: 'credentials', consistent: true })
  return withLastUse(storage, [...items.values()].filter(isLive) as unknown as StoredApiKey[])
}

async function withLastUse(storage: Storage, apiKeys: readonly StoredApiKey[]): Promise<StoredApiKey[]> {
  const useKeys = apiKeys.map(({ tokenHash }) => apiKeyUseKey(tokenHash))
  const uses = await batchGet(storage, useKeys, { table: 'credentials', consistent: true })
  return apiKeys.map((apiKey) => {
    const lastUsedAt = uses.get(itemId(apiKeyUseKey(apiKey.tokenHash)))?.lastUsedAt as string | undefined
    return lastUsedAt === undefined ? apiKey : { ...apiKey, lastUsedAt }
  })
}

/** The API keys of an account. It reads the whole table, so it is for operators and not for requests. */
export const apiKeysOfAccount = async (storage: Storage, accountId: string): Promise<StoredApiKey[]> =>
  withLastUse(storage, await scan<StoredApiKey>(storage, '', (item) => isLive(item) && item.accountId === accountId))

/** The API keys whose hash begins with a prefix. It reads the whole table too. */
export const apiKeysByHash = async (storage: Storage, prefix: string): Promise<StoredApiKey[]> =>
  withLastUse(storage, await scan<StoredApiKey>(storage, prefix, isLive))

/** The items of the API keys whose hash begins with a prefix, deleted or not. It reads the whole table too. */
export const apiKeyItemsByHash = (storage: Storage, prefix: string): Promise<Item[]> =>
  scan<Item>(storage, prefix, () => true)

async function scan<Found>(storage: Storage, prefix: string, wanted: (item: Item) => boolean): Promise<Found[]> {
  const found: Item[] = []
  const pages = paginateScan(
    { client: storage.client },
    {
      TableName: storage.tables.credentials,
      ConsistentRead: true,
      FilterExpression: 'begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':prefix': key('apiKey', prefix) },
    },
  )
  for await (const { Items = [] } of pages) found.push(...(Items as Item[]).filter(wanted))
  return found as Found[]
}
