import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Storage } from '../storage/storage.ts'
import { apiKeyUseKey } from './keys.ts'

/** A key that has just let somebody in. */
export type UsedApiKey = { readonly tokenHash: string; readonly accountId: string }

/** How exact the stored time of the last use is, in milliseconds. Within that time an instance writes it once. */
const exactnessMs = 3_600_000

/** The longest that a request waits for the write. */
const timeoutMs = 250

/** How many keys an instance remembers to have written. After that it forgets all of them. */
const maxRemembered = 10_000

/**
 * Stores when API keys were last used, as `lastUsedAt` in ISO 8601. It is an item of its own beside the key's, so it is
 * never in the way of a catalog change and never brings back a revoked key.
 * @returns a function to call, and await, after each use, with the time in milliseconds since the epoch; it throws if the
 * write fails
 */
export function apiKeyUses(): (storage: Storage, key: UsedApiKey, now: number) => Promise<void> {
  // Of many requests with one key only the first writes, even if its write fails: a database in trouble should not get
  // more writes.
  const written = new Map<string, number>()
  return async ({ client, tables }, { tokenHash, accountId }, now) => {
    if ((written.get(tokenHash) ?? 0) > now - exactnessMs) return
    if (written.size >= maxRemembered) written.clear()
    written.set(tokenHash, now)
    const lastUsedAt = new Date(now).toISOString()
    await client.send(
      new PutCommand({ TableName: tables.credentials, Item: { ...apiKeyUseKey(tokenHash), accountId, lastUsedAt } }),
      { abortSignal: AbortSignal.timeout(timeoutMs) },
    )
  }
}
