import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { Refusal } from '../refusal.ts'
import { type Document, unpack } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import type { SessionContext } from './context.ts'
import { sessionKey, tokenIdOf } from './session-id.ts'
import { embedTokenClaims, type TokenIssuance, type TokenSigner } from './token.ts'

export type EmbedToken = { readonly token: string; readonly expiresIn: number }

/**
 * Exchanges a session id for its embed token, once: the delete that finds the session alive takes it, and of any number
 * of simultaneous ones only one does. Nothing is signed before that.
 *
 *   delete if it exists and has not ended ──▶ its old content ──▶ sign ──▶ token
 *                └─ otherwise ──▶ refused, all reasons alike
 *
 * The end is part of the condition because DynamoDB's expiry deletes late.
 * @param now milliseconds since the epoch
 * @throws Refusal `invalid_session` whether the id is unknown, expired, revoked or used
 */
export async function redeemSession(
  storage: Storage,
  sessionId: string,
  now: number,
  issuance: TokenIssuance,
  signer: TokenSigner,
): Promise<EmbedToken> {
  const context = await takeSession(storage, sessionId, now)
  const claims = embedTokenClaims(context, tokenIdOf(sessionId), Math.floor(now / 1000), issuance)
  return { token: await signer.sign(claims), expiresIn: issuance.lifetimeSeconds }
}

async function takeSession({ client, tables }: Storage, sessionId: string, now: number): Promise<SessionContext> {
  try {
    const { Attributes } = await client.send(
      new DeleteCommand({
        TableName: tables.sessions,
        Key: sessionKey(sessionId),
        ConditionExpression: 'attribute_exists(pk) AND expiresAt > :now',
        ExpressionAttributeValues: { ':now': now / 1000 },
        ReturnValues: 'ALL_OLD',
      }),
    )
    return JSON.parse(unpack(Attributes?.context as Document)) as SessionContext
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    throw new Refusal('invalid_session', 'The session id is unknown, expired or already used.')
  }
}
