import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { type Document, unpack } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import type { SessionContext } from './context.ts'
import { readEnd, type SessionEnd, storeEnd } from './session-end.ts'
import { sessionKey, tokenIdOf } from './session-id.ts'
import { type Claims, embedTokenClaims, type TokenIssuance, type TokenSigner } from './token.ts'

/** A token, or the reason why there is none. The reason is for the audit log and not for the caller. */
export type Redemption =
  | { readonly token: string; readonly claims: Claims }
  | { readonly token?: never; readonly refused: SessionEnd }

/**
 * Exchanges a session id for its embed token, once. Of simultaneous deletes only one finds the session and gets its
 * content. Nothing is signed before that.
 *
 *   delete if it exists and has not expired ──▶ its content ──▶ sign, store its end ──▶ token
 *                └─ otherwise ──▶ look up how it ended ──▶ refused, whatever the reason
 *
 * The condition includes the expiry because DynamoDB deletes expired items late. Either way takes two calls.
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
    // If this fails the caller still gets the token, and the audit log shows a replay as an unknown session.
    storeEnd(storage, sessionId, 'redeemed', now, AbortSignal.timeout(storeEndTimeoutMs)).catch(() => undefined),
  ])
  return { token, claims }
}

/** The longest that a token waits until the end of its session is stored. */
const storeEndTimeoutMs = 250

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
