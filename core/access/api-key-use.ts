import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Storage } from '../storage/storage.ts'
import { apiKeyKey } from './keys.ts'

/** A key that has just let somebody in, and when it last did as far as was recorded. */
export type UsedApiKey = { readonly tokenHash: string; readonly lastUsedAt: string | undefined }

/** How exact the last use of a key is, in milliseconds: within that time it is written once. */
const exactness = 3_600_000

/** How long recording may hold a request up, in milliseconds. */
const patience = 250

/** So many keys are remembered as written, at most, before all are forgotten. */
const mostRemembered = 10_000

/**
 * Records when keys were last used, as `lastUsedAt` in ISO 8601. The condition leaves alone what was revoked in the
 * meantime, and the item's `version` stays, so that a catalog change is never in the way nor out of date by it.
 * @returns what to call for each use; it is to be waited for and throws whatever keeps it from recording
 */
export function apiKeyUses({ client, tables }: Storage): (key: UsedApiKey, now: number) => Promise<void> {
  // Keys are read with a lag, and many requests of one key come at once: only the first of them writes. That holds for
  // a failed attempt too, so that a database in trouble is not written to for every request.
  const written = new Map<string, number>()
  return async ({ tokenHash, lastUsedAt }, now) => {
    const known = Math.max(written.get(tokenHash) ?? 0, lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt))
    if (known > now - exactness) return
    if (written.size >= mostRemembered) written.clear()
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
            ':old': new Date(now - exactness).toISOString(),
          },
        }),
        { abortSignal: AbortSignal.timeout(patience) },
      )
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
    }
  }
}
