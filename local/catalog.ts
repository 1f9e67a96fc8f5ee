import { paginateScan, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { apiKeyKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { read } from '@embed-access/core/catalog/conditional-put.ts'
import { type Item, isLive } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { shellWord } from '../cli/shell-word.ts'
import { demoKeys } from './demo/keys.ts'

/** Whether the tables hold a catalog. */
export async function hasCatalog({ client, tables }: Storage): Promise<boolean> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables.catalog, Limit: 1 }))
  return Items.length > 0
}

/** Whether the catalog in the tables is the demo's, whatever else it holds. */
export async function hasDemo(storage: Storage): Promise<boolean> {
  return isLive(await read(storage, 'credentials', apiKeyKey(hashOfApiKey(demoKeys.admin))))
}

/**
 * What to do if no API key opens the catalog, which has the hashes of keys alone.
 * @param url the address of the local service
 * @returns undefined if there is a key
 */
export async function withoutKey({ client, tables }: Storage, url: string): Promise<string | undefined> {
  const users: Item[] = []
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tables.credentials })) {
    const there = (Items as Item[]).filter(isLive)
    if (there.some(({ kind }) => kind === 'apiKey')) return undefined
    users.push(...there.filter(({ kind }) => kind === 'user'))
  }
  const user = users.find(({ roles }) => (roles as string[]).includes('admin')) ?? users[0]
  if (!user) return 'The catalog has no user, so it can have no API key. npm run catalog -- init DIR writes an example.'
  return `No API key opens this catalog. Make one:\n  npm run keys -- create --url ${url} --account ${shellWord(user.accountId as string)} --user ${user.id}`
}
