import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { type Document, unpack } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import type { SessionContext } from './context.ts'
import { readEnd, recordEnd, type SessionEnd } from './session-end.ts'
import { sessionKey, tokenIdOf } from './session-id.ts'
import { type Claims, embedTokenClaims, type TokenIssuance, type TokenSigner } from './token.ts'

/** A token, or why there is none: the reason is for the audit alone, and whoever asked learns nothing of it. */
export type Redemption =
  | { readonly token: string; readonly claims: Claims }
  | { readonly token?: never; readonly refused: SessionEnd }

/**
 * Exchanges a session id for its embed token, once: the delete that finds the session alive takes it, and of any number
 * of simultaneous ones only one does. Nothing is signed before that.
 *
 *   delete if it exists and has not ended ──▶ its old content ──▶ sign, note the end ──▶ token
 *                └─ otherwise ──▶ look up how it ended ──▶ refused, all reasons alike
 *
 * The end is part of the condition because DynamoDB's expiry deletes late. Either way makes two calls.
 * @param now milliseconds since the epoch
 */
export async function redeemSession(
  storage: Storage,
  sessionId: string,
  now: number,
  issuance: TokenIssuance,
  signer: TokenSigner,
): Promise<Redemption> {
  const taken = await takeSession(storage, sessionId, now)
  if (!taken.context) {
    const end = await readEnd(storage, sessionId)
    return { refused: taken.expired && end === 'unknown' ? 'expired' : end }
  }
  const claims = embedTokenClaims(taken.context, tokenIdOf(sessionId), Math.floor(now / 1000), issuance)
  const [token] = await Promise.all([
    signer.sign(claims),
    // The token is not withheld for the sake of the audit: a later replay would then count as unknown.
    recordEnd(storage, sessionId, 'redeemed', now, AbortSignal.timeout(patience)).catch(() => undefined),
  ])
  return { token, claims }
}

/** How long a token waits for the note of its redemption at most, in milliseconds. */
const patience = 250

type Taken = { readonly context: SessionContext } | { readonly context?: never; readonly expired: boolean }

async function takeSession({ client, tables }: Storage, sessionId: string, now: number): Promise<Taken> {
  try {
    const { Attributes } = await client.send(
      new DeleteCommand({
        TableName: tables.sessions,
        Key: sessionKey(sessionId),
        ConditionExpression: 'attribute_exists(pk) AND expiresAt > :now',
        ExpressionAttributeValues: { ':now': now / 1000 },
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    return { context: JSON.parse(unpack(Attributes?.context as Document)) as SessionContext }
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return { expired: error.Item !== undefined }
  }
}
