import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Storage } from '../storage/storage.ts'
import { apiKeyKey } from './keys.ts'

/** An API key that was just used, and the last use that is stored. */
export type UsedApiKey = { readonly tokenHash: string; readonly lastUsedAt: string | undefined }

/** How exact the stored time of the last use is, in milliseconds. Within that time it is written once. */
const exactnessMs = 3_600_000

/** The longest that a request waits for the write. */
const timeoutMs = 250

/** The most keys to remember as written. After that all are forgotten. */
const maxRemembered = 10_000

/**
 * Stores when API keys were last used, as `lastUsedAt` in ISO 8601. It never brings back a revoked key. It leaves the
 * item's `version`, so it doesn't conflict with catalog changes.
 * @returns a function to call, and await, after each use, with the time in milliseconds since the epoch; it throws if the
 * write fails
 * @example
 * const storeUse = apiKeyUses(storage)
 * await storeUse({ tokenHash, lastUsedAt: '2026-01-31T12:00:00.000Z' }, Date.now())
 */
export function apiKeyUses({ client, tables }: Storage): (key: UsedApiKey, now: number) => Promise<void> {
  // Of many requests with one key only the first writes, even if its write fails: a database in trouble should not get
  // more writes.
  const written = new Map<string, number>()
  return async ({ tokenHash, lastUsedAt }, now) => {
    const known = Math.max(written.get(tokenHash) ?? 0, lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt))
    if (known > now - exactnessMs) return
    if (written.size >= maxRemembered) written.clear()
    written.set(tokenHash, now)
    try {
      await client.send(
        new UpdateCommand({
          TableName: tables.credentials,
          Key: apiKeyKey(tokenHash),
          UpdateExpression: 'SET lastUsedAt = :now',
          ConditionExpression:
            'attribute_exists(pk) AND attribute_not_exists(deleted) ' +
            'AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :old)',
          ExpressionAttributeValues: {
            ':now': new Date(now).toISOString(),
            ':old': new Date(now - exactnessMs).toISOString(),
          },
        }),
        { abortSignal: AbortSignal.timeout(timeoutMs) },
      )
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
    }
  }
}
