import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { maxAttempts, once, UnreadableAnswer } from '../storage/client.ts'
import { type Document, unpack } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import { isDatabaseUnavailable, isUnanswered } from '../storage/unavailable.ts'
import type { SessionContext } from './context.ts'
import { readEnd, type SessionEnd, storeEnd } from './session-end.ts'
import { sessionKey, tokenIdOf } from './session-id.ts'
import { type Claims, embedTokenClaims, type TokenIssuance, type TokenSigner } from './token.ts'

/**
 * A token, or the reason why there is none. The reason is for the audit log and not for the caller, except for
 * `answer_lost`: the session was there, or may have been, and is gone with an answer that never came.
 */
export type Redemption =
  | { readonly token: string; readonly claims: Claims }
  | { readonly token?: never; readonly refused: SessionEnd | 'answer_lost' }

/**
 * Exchanges a session id for its embed token, once. Of simultaneous deletes only one finds the session and gets its
 * content. Nothing is signed before that.
 *
 *   delete if it exists and has not expired ──▶ its content ──▶ sign, store its end ──▶ token
 *        │       └─ otherwise ──▶ look up how it ended ──▶ refused, whatever the reason
 *        └─ no answer ──▶ the same delete again, which can't tell who has taken the session: this request or nobody
 *
 * The condition includes the expiry because DynamoDB deletes expired items late. Either way takes two
 * calls, if each is answered.
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
    if (end !== 'unknown') return { refused: end }
    return { refused: taken.expired ? 'expired' : taken.answerLost ? 'answer_lost' : 'unknown' }
  }
  const claims = embedTokenClaims(taken.context, tokenIdOf(sessionId), Math.floor(now / 1000), issuance)
  const ending = storeEnd(storage, taken.context.accountId, sessionId, 'redeemed', now)
  const [token] = await Promise.all([signer.sign(claims), ending])
  return { token, claims }
}

type Taken =
  | { readonly context: SessionContext }
  | { readonly context?: never; readonly expired: boolean; readonly answerLost: boolean }

/** It tries again by itself and not by the SDK, to know whether an attempt before the last one was left without answer. */
async function takeSession(storage: Storage, sessionId: string, now: number): Promise<Taken> {
  let answerLost = false
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { context: await deleteSession(storage, sessionId, now) }
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { expired: error.Item !== undefined, answerLost }
      if (attempt === maxAttempts || !isDatabaseUnavailable(error)) throw error
      answerLost ||= isUnanswered(error)
      await storage.pause(100 * 2 ** attempt)
    }
  }
}

async function deleteSession({ client, tables }: Storage, sessionId: string, now: number): Promise<SessionContext> {
  const command = new DeleteCommand({
    TableName: tables.sessions,
    Key: sessionKey(sessionId),
    ConditionExpression: 'attribute_exists(pk) AND expiresAt > :now',
    ExpressionAttributeValues: { ':now': now / 1000 },
    ReturnValues: 'ALL_OLD',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  const { Attributes } = await client.send(once(command))
  if (!Attributes) throw new UnreadableAnswer()
  return JSON.parse(unpack(Attributes.context as Document)) as SessionContext
}
