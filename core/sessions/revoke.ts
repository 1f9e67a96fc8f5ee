import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Principal } from '../access/principal.ts'
import {
  deploymentCutOff,
  type EndUsers,
  endOfTokens,
  endUsersRevocationKey,
  everywhereCutOff,
  keptUntil,
  type MinterId,
  minterName,
  minterRevocationKey,
  revocationKey,
  revokingUntil,
  slackSeconds,
} from '../access/revocation.ts'
import { Refusal } from '../refusal.ts'
import { conditionHeld } from '../storage/conditional-writes.ts'
import { inGroups } from '../storage/in-groups.ts'
import { inParallel } from '../storage/in-parallel.ts'
import type { ItemKey } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { sessionKey, storeEnd, tokenIdOf } from './stored-session.ts'

/** The sessions that a caller may revoke: in these deployments, or by this {@link minterName}. */
type Scope = Pick<Principal, 'accountId'> &
  Readonly<
    | { deploymentIds: Principal['deploymentIds']; minter?: never }
    | { deploymentIds?: never; minter: string }
  >

/**
 * An admin may revoke sessions of all deployments that the credential opens. Other users may revoke
 * what they have generated with the same API key, or with access tokens.
 * @throws Refusal `admin_required` for others with an embed token, which generates no sessions
 */
export function revocationScope({
  accountId,
  deploymentIds,
  admin,
  credential,
  userId,
}: Principal): Scope {
  if (admin) return { accountId, deploymentIds }
  if (credential.kind === 'embedToken') throw new Refusal('admin_required')
  const key = credential.kind === 'apiKey' ? credential.key : undefined
  return { accountId, minter: minterName({ key, userId }) }
}

/**
 * Revokes a session, redeemed or not (docs/api.md#revoke-a-session). An unknown id gets the same
 * answer, so the answer tells nothing. The token is revoked first, so that the token of a
 * simultaneous redemption is refused.
 */
export async function revokeSession(
  storage: Storage,
  scope: Scope,
  sessionId: string,
  now: number,
): Promise<void> {
  // Nothing to revoke, and DynamoDB adds no empty set.
  if (scope.deploymentIds?.length === 0) return
  await revokeToken(storage, scope, tokenIdOf(sessionId), endOfTokens(now))
  const { within, values } = conditionOf(scope)
  const deletion = new DeleteCommand({
    TableName: storage.tables.sessions,
    Key: sessionKey(sessionId),
    ConditionExpression: `accountId = :account${within}`,
    ExpressionAttributeValues: { ':account': scope.accountId, ...values },
  })
  const wasWaiting = await conditionHeld(storage.client.send(deletion))
  if (wasWaiting) await storeEnd(storage, scope, sessionId, 'revoked', now)
}

/** What a scope adds to the condition of a session's deletion. */
function conditionOf({ deploymentIds, minter }: Scope) {
  if (deploymentIds === undefined)
    return { within: ' AND minter = :minter', values: { ':minter': minter } }
  if (deploymentIds === 'all') return { within: '', values: {} }
  const values = Object.fromEntries(deploymentIds.map((id, index) => [`:d${index}`, id]))
  // IN takes at most 100 operands.
  const lists = inGroups(Object.keys(values), 100)
    .map((names) => `deploymentId IN (${names.join(', ')})`)
    .join(' OR ')
  return { within: ` AND (${lists})`, values }
}

/**
 * Revokes the token with this `jti`. A narrower scope takes back no earlier revocation.
 * @param expiresAt when the token expires, or the last that it may have, in seconds since the epoch
 */
export async function revokeToken(
  storage: Storage,
  scope: Scope,
  jti: string,
  expiresAt: number,
): Promise<void> {
  const Key = revocationKey(scope.accountId, jti)
  const { set, values } = keptUntil(Key, expiresAt + slackSeconds)
  const { addition, value } = additionOf(scope)
  const update = {
    TableName: storage.tables.sessions,
    Key,
    UpdateExpression: `${set}${addition}`,
    ExpressionAttributeValues: { ...values, ':scope': value },
  }
  await storage.client.send(new UpdateCommand(update))
}

/** What a scope adds to the revocation of a token: where it counts. */
function additionOf({ deploymentIds, minter }: Scope) {
  if (deploymentIds === undefined)
    return { addition: ' ADD minters :scope', value: new Set([minter]) }
  if (deploymentIds === 'all') return { addition: ', everywhere = :scope', value: true }
  return { addition: ' ADD deploymentIds :scope', value: new Set(deploymentIds) }
}

/**
 * Revokes all sessions that a minter generates until the grace has passed.
 * @param graceSeconds how long a credential that was just revoked may still generate sessions
 */
export const revokeMinted = (
  storage: Storage,
  accountId: string,
  minter: MinterId,
  graceSeconds: number,
  now: number,
): Promise<void> => {
  const key = minterRevocationKey(accountId, minter)
  return revokeUntil(storage, key, [everywhereCutOff], now, graceSeconds)
}

/**
 * Revokes all sessions of end users that were generated until the end of the next second, in the
 * deployments that an admin's credential opens. A session that waits can be redeemed, but its token
 * is refused.
 */
export async function revokeEndUsers(
  storage: Storage,
  { accountId, deploymentIds }: Pick<Principal, 'accountId' | 'deploymentIds'>,
  endUsers: EndUsers,
  now: number,
): Promise<void> {
  const key = endUsersRevocationKey(accountId, endUsers)
  const cutOffs = deploymentIds === 'all' ? [everywhereCutOff] : deploymentIds.map(deploymentCutOff)
  await inParallel(inGroups(cutOffs, maxCutOffs), (some) => revokeUntil(storage, key, some, now))
}

/** An expression of DynamoDB has 300 operators at most. The condition has four for each cut-off. */
const maxCutOffs = 75

/**
 * Sets many cut-offs of an item in one write. An item with hundreds of cut-offs is large, so each
 * write of it costs many units. If a call arrives late, its condition fails. Then it sets only the
 * cut-offs that are older than its own, so it moves none back.
 */
async function revokeUntil(
  storage: Storage,
  Key: ItemKey,
  cutOffs: readonly string[],
  now: number,
  graceSeconds = 0,
): Promise<void> {
  const revoking = revokingUntil(Key, cutOffs, now, graceSeconds)
  const update = new UpdateCommand({
    TableName: storage.tables.sessions,
    Key,
    ...revoking,
    ConditionExpression: Object.keys(revoking.ExpressionAttributeNames)
      .map((name) => `(attribute_not_exists(${name}) OR ${name} < :until)`)
      .join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  try {
    await storage.client.send(update)
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    const until = revoking.ExpressionAttributeValues[':until']
    const earlier = cutOffs.filter((cutOff) => Number(error.Item?.[cutOff]?.N ?? 0) < until)
    if (earlier.length > 0) await revokeUntil(storage, Key, earlier, now, graceSeconds)
  }
}
