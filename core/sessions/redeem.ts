import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { once, pauseBeforeRetry, UnreadableAnswer } from '../storage/client.ts'
import type { Storage } from '../storage/storage.ts'
import { isUnanswered } from '../storage/unavailable.ts'
import type { SessionContext } from './context.ts'
import {
  type Owner,
  readEnd,
  type SessionEnd,
  sessionKey,
  storedContext,
  storeEnd,
  tokenIdOf,
} from './stored-session.ts'
import { type Claims, embedTokenClaims, type TokenIssuance } from './token.ts'

/** What comes of an exchange: a token, or the reason why there is none. */
export type Redemption = { readonly token: string; readonly claims: Claims } | NoToken

type NoToken = {
  readonly token?: never
  readonly reason: NoTokenReason
  /** Whose the session was, if what is stored says it. */
  readonly owner?: Owner | undefined
}

/**
 * For the audit log. The caller learns only of `answer_lost`: an attempt had no answer and may have
 * deleted the session, and no end of the session is stored.
 */
export type NoTokenReason = SessionEnd | 'expired' | 'answer_lost' | 'unknown'

/**
 * Exchanges a session id for its embed token, once. Only one of several simultaneous deletes finds
 * the session and gets its content. Nothing is signed before that.
 *
 *   delete the session if it is there and has not expired
 *     deleted                sign its content, store how the session ended, give the token
 *     not there, or expired  look up how it ended, and refuse, whatever the reason
 *     database unavailable   the same delete again
 *
 * The condition includes the expiry because DynamoDB deletes expired items late. Each redemption
 * makes two calls, if both are answered.
 */
export async function redeemSession(
  storage: Storage,
  sessionId: string,
  now: number,
  issuance: TokenIssuance,
  signer: { sign(claims: Claims): Promise<string> },
): Promise<Redemption> {
  const taken = await takeSession(storage, sessionId, now)
  if ('reason' in taken) {
    const stored = await readEnd(storage, sessionId)
    return stored ? { reason: stored.end, owner: stored.owner } : taken
  }
  const claims = embedTokenClaims(taken, tokenIdOf(sessionId), Math.floor(now / 1000), issuance)
  const ending = storeEnd(storage, taken, sessionId, 'redeemed', now)
  const [token] = await Promise.all([signer.sign(claims), ending])
  return { token, claims }
}

/**
 * Deletes the session, and tries again if that may help. The SDK's own retries would not tell
 * whether an attempt had no answer.
 */
async function takeSession(
  storage: Storage,
  sessionId: string,
  now: number,
): Promise<SessionContext | NoToken> {
  let answerLost = false
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await deleteSession(storage, sessionId, now)
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        const accountId = error.Item?.accountId?.S
        if (accountId !== undefined) return { reason: 'expired', owner: { accountId } }
        // Perhaps an attempt without an answer has deleted the session.
        return { reason: answerLost ? 'answer_lost' : 'unknown' }
      }
      answerLost ||= isUnanswered(error)
      await pauseBeforeRetry(storage, attempt, error)
    }
  }
}

async function deleteSession(
  { client, tables }: Storage,
  sessionId: string,
  now: number,
): Promise<SessionContext> {
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
  return storedContext(Attributes)
}
