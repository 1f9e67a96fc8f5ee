import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { sessionLifetimeSeconds } from '../access/lifetimes.ts'
import { minterName } from '../access/revocation.ts'
import { once, pauseBeforeRetry } from '../storage/client.ts'
import { conditionHeld } from '../storage/conditional-writes.ts'
import { pack } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import { isConflict, isUnanswered, ThrottledError } from '../storage/unavailable.ts'
import { type PreparedSession, prepareSession, type SessionRequest } from './prepare.ts'
import { sessionKey } from './stored-session.ts'

/** How often to try while other requests change the same item. A function has time for that. */
const maxRounds = 15
const maxPauseMs = 800

/**
 * Makes an embed session (docs/specification.md#generate-an-embed-session).
 *
 *   1. read what the request names
 *   2. check everything
 *   3. write the session and new definitions: both or nothing
 *
 * It begins again at 1 if another request has changed the definitions before 3, or if the database
 * was unavailable.
 * @param lost gets each session whose write had no answer: its definitions may have been stored
 * @throws Refusal like {@link prepareSession}
 * @throws ThrottledError if other requests changed the same definitions again and again
 */
export async function generateSession(
  request: SessionRequest,
  lost: (session: PreparedSession) => void,
): Promise<PreparedSession> {
  const { storage, now } = request
  let failures = 0
  for (let round = 0; round < maxRounds; round += 1) {
    if (round > 0) await storage.pause(Math.min(10 * 2 ** round, maxPauseMs))
    // Each round has a new id. A write whose answer was lost may still be carried out. Under the
    // same id it would bring back a session that was redeemed or revoked meanwhile.
    const session = await prepareSession(request)
    try {
      if (await write(storage, session, now)) return session
    } catch (error) {
      if (isUnanswered(error)) lost(session)
      failures += 1
      await pauseBeforeRetry(storage, failures, error)
    }
  }
  throw new ThrottledError()
}

/** @returns false if the definitions have changed since they were read, and nothing was written */
async function write(
  { client, tables }: Storage,
  session: PreparedSession,
  now: number,
): Promise<boolean> {
  const { sessionId, context, writes } = session
  const Item = {
    ...sessionKey(sessionId),
    accountId: context.accountId,
    deploymentId: context.deploymentId,
    minter: minterName(context.mintedBy),
    context: pack(JSON.stringify(context)),
    expiresAt: Math.floor(now / 1000) + sessionLifetimeSeconds,
  }
  const Put = { TableName: tables.sessions, Item }
  const writing =
    writes.length > 0
      ? client.send(once(new TransactWriteCommand({ TransactItems: [{ Put }, ...writes] })))
      : client.send(once(new PutCommand(Put)))
  try {
    return await conditionHeld(writing)
  } catch (error) {
    if (error instanceof TransactionCanceledException && isConflict(error)) return false
    throw error
  }
}
