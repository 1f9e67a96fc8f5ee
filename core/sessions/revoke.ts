import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { revocationKey } from '../access/revocation.ts'
import type { Storage } from '../storage/storage.ts'
import { storeEnd } from './session-end.ts'
import { sessionKey, sessionLifetimeSeconds, tokenIdOf } from './session-id.ts'

/**
 * Revokes a session of the account, redeemed or not (decisions, "Revoke"). An unknown id is revoked too, so the answer
 * tells nothing.
 *
 *   store the revocation of the jti ──▶ delete the session if it waits ──▶ store its end
 *
 * The revocation comes first, so that the token of a simultaneous redemption is refused.
 * @param now milliseconds since the epoch
 * @param maxTokenSeconds the longest lifetime of a token that any setting allows, as a revocation must outlive the token
 */
export async function revokeSession(
  storage: Storage,
  accountId: string,
  sessionId: string,
  now: number,
  maxTokenSeconds: number,
): Promise<void> {
  const { client, tables } = storage
  const expiresAt = Math.ceil(now / 1000) + sessionLifetimeSeconds + maxTokenSeconds
  await client.send(
    new PutCommand({
      TableName: tables.sessions,
      Item: { ...revocationKey(accountId, tokenIdOf(sessionId)), expiresAt },
    }),
  )
  try {
    await client.send(
      new DeleteCommand({
        TableName: tables.sessions,
        Key: sessionKey(sessionId),
        ConditionExpression: 'accountId = :account',
        ExpressionAttributeValues: { ':account': accountId },
      }),
    )
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return
  }
  await storeEnd(storage, sessionId, 'revoked', now)
}
