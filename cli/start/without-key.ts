import { paginateScan } from '@aws-sdk/lib-dynamodb'
import { type Item, isLive } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { shellWord } from '../shell-word.ts'

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
