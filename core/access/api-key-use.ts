import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Storage } from '../storage/storage.ts'
import { apiKeyUseKey } from './keys.ts'

/** A key that has just let somebody in. */
export type UsedApiKey = { readonly tokenHash: string; readonly accountId: string }

/** How exact the last use of a key is, in milliseconds: within that time each of the writers writes it once. */
const exactness = 3_600_000

/** How long recording may hold a request up, in milliseconds. */
const patience = 250

/** So many keys are remembered as written, at most, before all are forgotten. */
const mostRemembered = 10_000

/**
 * Records when keys were last used, as `lastUsedAt` in ISO 8601. That's an item of its own beside the key's, so that a
 * catalog change is never in the way, and a revoked key is never written back.
 * @returns what to call for each use; it is to be waited for and throws whatever keeps it from recording
 */
export function apiKeyUses({ client, tables }: Storage): (key: UsedApiKey, now: number) => Promise<void> {
  // Many requests of one key come at once: only the first of them writes. That holds for a failed attempt too, so that a
  // database in trouble is not written to for every request.
  const written = new Map<string, number>()
  return async ({ tokenHash, accountId }, now) => {
    if ((written.get(tokenHash) ?? 0) > now - exactness) return
    if (written.size >= mostRemembered) written.clear()
    written.set(tokenHash, now)
    const lastUsedAt = new Date(now).toISOString()
    await client.send(
      new PutCommand({ TableName: tables.credentials, Item: { ...apiKeyUseKey(tokenHash), accountId, lastUsedAt } }),
      { abortSignal: AbortSignal.timeout(patience) },
    )
  }
}
