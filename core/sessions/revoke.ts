import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Principal } from '../access/principal.ts'
import { minterAttribute, minterRevocationsKey, revocationKey } from '../access/revocation.ts'
import { conditionHeld } from '../storage/condition-held.ts'
import type { Storage } from '../storage/storage.ts'
import { storeEnd } from './session-end.ts'
import { sessionKey, sessionLifetimeSeconds, tokenIdOf } from './session-id.ts'

/** An account, and those of its deployments in which a revocation counts. */
type RevocationScope = Pick<Principal, 'accountId' | 'deploymentIds'>

/**
 * Revokes a session of the account, redeemed or not (docs/specification.md#revoke-a-session). An unknown id is revoked
 * too, so the answer tells nothing. The revocation of the token comes before the session is deleted, so that the token of a
 * simultaneous redemption is refused.
 * @param now milliseconds since the epoch
 * @param maxTokenSeconds the longest lifetime of a token that any setting allows, as a revocation must outlive the token
 */
export async function revokeSession(
  storage: Storage,
  scope: RevocationScope,
  sessionId: string,
  now: number,
  maxTokenSeconds: number,
): Promise<void> {
  if (scope.deploymentIds.length === 0) return
  await revokeToken(storage, scope, tokenIdOf(sessionId), now, maxTokenSeconds)
  if (!(await deleteWaiting(storage, scope, sessionId))) return
  await storeEnd(storage, scope.accountId, sessionId, 'revoked', now)
}

/**
 * Revokes the token with this `jti`. What was revoked before stays revoked: a narrower scope takes nothing back. The
 * parameters are those of {@link revokeSession}.
 */
export async function revokeToken(
  { client, tables }: Storage,
  { accountId, deploymentIds }: RevocationScope,
  jti: string,
  now: number,
  maxTokenSeconds: number,
): Promise<void> {
  const everywhere = deploymentIds === 'all'
  await client.send(
    new UpdateCommand({
      TableName: tables.sessions,
      Key: revocationKey(accountId, jti),
      UpdateExpression: `SET expiresAt = :end${everywhere ? ', everywhere = :scope' : ' ADD deploymentIds :scope'}`,
      ExpressionAttributeValues: {
        ':end': endOfTokens(now, maxTokenSeconds),
        ':scope': everywhere || new Set(deploymentIds),
      },
    }),
  )
}

/**
 * Revokes all sessions that an API key or a user generates until the grace has passed.
 * @param minter an API key by the beginning of its hash, or a user of the account
 * @param graceSeconds how long a credential that was revoked just before may still generate sessions
 */
export async function revokeMinted(
  { client, tables }: Storage,
  accountId: string,
  minter: Parameters<typeof minterAttribute>[0],
  graceSeconds: number,
  now: number,
  maxTokenSeconds: number,
): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: tables.sessions,
      Key: minterRevocationsKey(accountId),
      UpdateExpression: 'SET #minter = :until, expiresAt = :end',
      ExpressionAttributeNames: { '#minter': minterAttribute(minter) },
      ExpressionAttributeValues: {
        ':until': Math.floor(now / 1000) + graceSeconds,
        ':end': endOfTokens(now, maxTokenSeconds) + graceSeconds,
      },
    }),
  )
}

/** When the last token of all sessions until now has ended, in seconds since the epoch. */
const endOfTokens = (now: number, maxTokenSeconds: number): number =>
  Math.ceil(now / 1000) + sessionLifetimeSeconds + maxTokenSeconds

/** The most operands of IN. */
const maxOperands = 100

/** @returns whether the session was waiting, within this scope */
function deleteWaiting(
  { client, tables }: Storage,
  { accountId, deploymentIds }: RevocationScope,
  sessionId: string,
): Promise<boolean> {
  const ids = deploymentIds === 'all' ? [] : deploymentIds
  const names = ids.map((_, index) => `:d${index}`)
  const groups = Array.from({ length: Math.ceil(ids.length / maxOperands) }, (_, group) =>
    // Stryker disable next-line ArithmeticOperator: The engine takes more operands than DynamoDB.
    names.slice(group * maxOperands, (group + 1) * maxOperands),
  )
  const within = groups.map((group) => `deploymentId IN (${group.join(', ')})`).join(' OR ')
  const command = new DeleteCommand({
    TableName: tables.sessions,
    Key: sessionKey(sessionId),
    ConditionExpression: `accountId = :account${within && ` AND (${within})`}`,
    ExpressionAttributeValues: {
      ':account': accountId,
      ...Object.fromEntries(ids.map((id, index) => [`:d${index}`, id])),
    },
  })
  return conditionHeld(client.send(command))
}
