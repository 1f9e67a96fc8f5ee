import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { requireReadable } from '../access/deployment.ts'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { minterOf, type Principal } from '../access/principal.ts'
import type { User } from '../access/user.ts'
import { groupKey } from '../embed-tenants/embed-tenant.ts'
import { type InputError, Refusal } from '../refusal.ts'
import { lowerCase } from '../schema.ts'
import { batchGet, type Item, type ItemKey, itemId, ThrottledError } from '../storage/batch-get.ts'
import { maxAttempts, once } from '../storage/client.ts'
import { pack } from '../storage/document.ts'
import type { RecentItemsOf } from '../storage/recent-items.ts'
import type { Storage } from '../storage/storage.ts'
import { isDatabaseUnavailable } from '../storage/unavailable.ts'
import { type SessionContext, sessionContext } from './context.ts'
import { type DefinitionChange, type Definitions, definedIn, definitionsAfter } from './definitions.ts'
import { resolveInternalUser } from './internal-user.ts'
import { requirePermittedDefinitions } from './permitted-definitions.ts'
import type { GenerateSession } from './request.ts'
import { newSessionId, sessionKey, sessionLifetimeSeconds, tokenIdOf } from './session-id.ts'
import { type Claims, embedTokenBytes, embedTokenClaims, type TokenIssuance } from './token.ts'
import { unknownNames } from './unknown-names.ts'

export type TokenLimits = TokenIssuance & {
  /** The longest embed token, in bytes. It has to fit in a request header. */
  readonly maxTokenBytes: number
}

/**
 * How often to try, if other requests keep changing the same definitions or the embed tenant's item, and the longest wait
 * before the next attempt. All waits take less time than a function has.
 */
const maxRounds = 15
const maxPauseMs = 800

/**
 * Makes an embed session (docs/specification.md#generate-an-embed-session).
 *
 *   read what the request names ──▶ check everything ──▶ write session, embed tenant and definitions, all or none
 *             ▲                                                       │
 *             └── another request changed the definitions meanwhile, ─┘
 *                 or the database did not answer
 *
 * @param now milliseconds since the epoch
 * @param recent the deployments, accounts and groups that the instance has just read
 * @throws Refusal for everything that docs/specification.md#generate-an-embed-session refuses
 * @throws ThrottledError if other requests changed the same definitions again and again
 */
export async function generateSession(
  storage: Storage,
  principal: Principal,
  request: GenerateSession,
  now: number,
  limits: TokenLimits,
  recent: RecentItemsOf,
): Promise<{ sessionId: string; claims: Claims; changes: readonly DefinitionChange[] }> {
  let failures = 0
  for (let round = 0; round < maxRounds; round += 1) {
    if (round > 0) await storage.pause(Math.min(10 * 2 ** round, maxPauseMs))
    // A write is tried once under an id. One whose answer was lost may be carried out later still, and would bring a
    // session back that was redeemed or revoked.
    const sessionId = newSessionId()
    const { context, definitions } = await prepare(storage, principal, request, now, limits, recent)
    const claims = embedTokenClaims(context, tokenIdOf(sessionId), Math.floor(now / 1000), limits)
    requireRoomInHeader(embedTokenBytes(claims), limits)
    try {
      if (await write(storage, sessionId, context, definitions, now)) {
        return { sessionId, claims, changes: definitions.changes }
      }
    } catch (error) {
      failures += 1
      if (failures === maxAttempts || !isDatabaseUnavailable(error)) throw error
      await storage.pause(100 * 2 ** failures)
    }
  }
  throw new ThrottledError()
}

/** The token that a session would give, and the limits. */
export type DryRun = {
  readonly claims: Claims
  readonly tokenBytes: number
  readonly limits: { readonly maxTokenBytes: number; readonly sessionSeconds: number; readonly tokenSeconds: number }
}

/**
 * Checks all that {@link generateSession} checks, and writes nothing. No token will ever have the `jti`.
 * @param now milliseconds since the epoch
 */
export async function tryGenerateSession(
  storage: Storage,
  principal: Principal,
  request: GenerateSession,
  now: number,
  limits: TokenLimits,
  recent: RecentItemsOf,
): Promise<DryRun> {
  const { context } = await prepare(storage, principal, request, now, limits, recent)
  const claims = embedTokenClaims(context, tokenIdOf(newSessionId()), Math.floor(now / 1000), limits)
  const tokenBytes = embedTokenBytes(claims)
  requireRoomInHeader(tokenBytes, limits)
  const { maxTokenBytes, lifetimeSeconds } = limits
  return {
    claims,
    tokenBytes,
    limits: { maxTokenBytes, sessionSeconds: sessionLifetimeSeconds, tokenSeconds: lifetimeSeconds },
  }
}

/** Reads all that the request names in one round trip, and checks it. */
async function prepare(
  storage: Storage,
  principal: Principal,
  request: GenerateSession,
  now: number,
  { maxTokenBytes }: TokenLimits,
  recent: RecentItemsOf,
): Promise<{ context: SessionContext; definitions: Definitions }> {
  const { accountId } = principal
  const { deploymentId, groups = [] } = request
  const deployment = deploymentKey(deploymentId)
  const account = accountKey(accountId)
  const definitionsKey = definedIn(accountId, request)
  const named = [deployment, account, definitionsKey, ...groups.map((group) => groupKey(accountId, group))]
  const [items, internalUser] = await Promise.all([
    batchGet(storage, named, { consistent: true, recent: recent(accountId) }),
    request.internalId === undefined ? undefined : resolveInternalUser(storage, accountId, request.internalId),
  ])
  const itemAt = (key: ItemKey): Item | undefined => items.get(itemId(key))

  requireReadable(principal, deploymentId, itemAt(deployment))
  requireEmbedding(itemAt(account))
  const user = await internalUser?.permittedTo(principal)
  requireOwnEmail(user, request)
  const definitions = definitionsAfter(accountId, request, itemAt(definitionsKey), maxTokenBytes)
  requirePermittedDefinitions(principal, request, definitions)
  const unknown = unknownNames(accountId, request, itemAt, definitions.groups)
  requireNone(unknown, definitions.problems)
  const mintedBy = minterOf(principal, Math.floor(now / 1000))
  return { context: sessionContext(accountId, request, user, definitions.attributes, mintedBy), definitions }
}

/** "The tenant" in rule 1 of the specification is the account, which is the customer of the platform. */
function requireEmbedding(account: Item | undefined): void {
  // The tombstone of an account has no setting.
  if (account?.embeddingEnabled !== true) throw new Refusal('embedding_disabled')
}

/** A token of an internal user has that user's own address, and the caller cannot give it another. */
function requireOwnEmail(user: User | undefined, { email }: GenerateSession): void {
  if (!user || email === undefined || lowerCase(email) === lowerCase(user.email)) return
  const message = 'must be that of the user that internalId names, or be left out'
  throw new Refusal('invalid_body', `/email ${message}.`, [{ pointer: '/email', message }])
}

/** @throws Refusal with all that is wrong */
function requireNone(unknown: readonly InputError[], others: readonly InputError[]): void {
  if (others.length > 0) {
    const message = 'Definitions of the request do not fit their types or limits.'
    throw new Refusal('invalid_body', message, [...others, ...unknown])
  }
  if (unknown.length > 0) throw new Refusal('unknown_name', 'Groups of the request do not exist.', unknown)
}

/** Fails here, at the host's backend, and not in the end user's browser. */
function requireRoomInHeader(tokenBytes: number, { maxTokenBytes }: TokenLimits): void {
  if (tokenBytes <= maxTokenBytes) return
  throw new Refusal(
    'context_too_large',
    `The embed token would have ${tokenBytes} bytes; at most ${maxTokenBytes} are possible. Shorten the context.`,
  )
}

/** @returns false where the definitions changed since they were read, and nothing was written */
async function write(
  { client, tables }: Storage,
  sessionId: string,
  context: SessionContext,
  definitions: Definitions,
  now: number,
): Promise<boolean> {
  const session = {
    ...sessionKey(sessionId),
    accountId: context.accountId,
    deploymentId: context.deploymentId,
    context: pack(JSON.stringify(context)),
    expiresAt: Math.floor(now / 1000) + sessionLifetimeSeconds,
  }
  const putSession = { TableName: tables.sessions, Item: session }
  if (!definitions.change) {
    await client.send(once(new PutCommand(putSession)))
    return true
  }
  try {
    await client.send(
      once(new TransactWriteCommand({ TransactItems: [{ Put: putSession }, definitions.change(tables.catalog)] })),
    )
    return true
  } catch (error) {
    if (error instanceof TransactionCanceledException && lostRace(error)) return false
    throw error
  }
}

/** `ValidationError`: additions that raced have made the item too large, which the next reading tells. */
const lostRace = ({ CancellationReasons = [] }: TransactionCanceledException): boolean =>
  CancellationReasons.every(({ Code = 'None' }) =>
    ['None', 'ConditionalCheckFailed', 'TransactionConflict', 'ValidationError'].includes(Code),
  )
