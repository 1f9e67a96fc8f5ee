import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { revocationKey } from '../access/revocation.ts'
import type { Storage } from '../storage/storage.ts'
import { recordEnd } from './session-end.ts'
import { sessionKey, sessionLifetimeSeconds, tokenIdOf } from './session-id.ts'

/**
 * Revokes a session of the account, redeemed or not; an id of nobody's session is revoked just the same, so that the
 * answer tells nothing (decisions, "Revoke"). The revocation is written first: whichever way a redemption at the same
 * moment goes, its token is refused.
 * @param now milliseconds since the epoch
 * @param longestTokenSeconds the longest that tokens may live by any setting, since a revocation must outlive them all
 */
export async function revokeSession(
  storage: Storage,
  accountId: string,
  sessionId: string,
  now: number,
  longestTokenSeconds: number,
): Promise<void> {
  const { client, tables } = storage
  const expiresAt = Math.ceil(now / 1000) + sessionLifetimeSeconds + longestTokenSeconds
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
  await recordEnd(storage, sessionId, 'revoked', now)
}
