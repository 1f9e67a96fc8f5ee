import { requireReadable } from '../access/deployment.ts'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { isUnlimitedAdmin, minterOf, type Principal } from '../access/principal.ts'
import { type User, usersByLogin } from '../access/user.ts'
import { definitionsKey, groupKey } from '../embed-tenants/embed-tenant.ts'
import { requireRoomForOneMore } from '../embed-tenants/session-tenants.ts'
import { type InputError, inputRefusal, Refusal } from '../refusal.ts'
import { lowerCase } from '../schema.ts'
import { embedTokenBytes } from '../signing/token-signer.ts'
import { batchGet, type RecentItemsOf } from '../storage/batch-get.ts'
import { type Item, type ItemKey, isLive, itemId } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { sessionContext } from './context.ts'
import { type Asked, type ChangedDefinition, mergeDefinitions } from './definitions.ts'
import type { GenerateSession } from './request.ts'
import { newSessionId, tokenIdOf } from './stored-session.ts'
import { type Claims, embedTokenClaims, type TokenLimits } from './token.ts'
import { unknownGroups, unknownTenant, unknownTenantGroups } from './unknown-names.ts'

export type SessionRequest = Asked & {
  readonly storage: Storage
  readonly limits: TokenLimits
  readonly recent: RecentItemsOf
}

/**
 * A session that has passed every check, and is not stored. Its claims are those of a token that
 * would be made now. It and its `writes` are stored together, or not at all.
 */
export type PreparedSession = Awaited<ReturnType<typeof prepareSession>>

/**
 * Reads all that the request names in one round trip, and checks it. An internal user takes a
 * second one, and so does a new embed tenant. This writes nothing, so it alone is a dry run.
 * @throws Refusal for all that docs/specification.md#generate-an-embed-session refuses in a request
 * whose form is right
 */
export async function prepareSession(asked: SessionRequest) {
  const { storage, principal, request, now, limits } = asked
  const { accountId } = principal
  requireShortLifetime(request, limits)
  const { deployment, account, stored, users, isGroup } = await readNamed(asked)

  requireReadable(principal, request.deploymentId, deployment)
  requireMayGenerate(principal, request, account)
  const user = users && internalUser(principal, users)
  const definitions = mergeDefinitions(asked, storage.tables.catalog, stored)
  requirePermittedDefinitions(principal, request, definitions.changes)
  const newTenant = isLive(stored) ? undefined : request.embedTenantName
  const mayCreate = account?.embedTenants !== 'fromCatalog' && !request.actor
  refuseIfAny(definitions.problems, [
    ...(users && !user ? [unknownUser] : []),
    ...(await unknownGroups(storage, accountId, request, isGroup)),
    ...unknownTenantGroups(request, definitions.groups),
    ...(newTenant && !mayCreate ? await unknownTenant(storage, principal, newTenant) : []),
  ])
  if (user) requireEmailOf(user, request)
  const writes = [
    ...definitions.writes,
    ...(newTenant ? [await requireRoomForOneMore(storage, accountId)] : []),
  ]

  const nowSeconds = Math.floor(now / 1000)
  const sessionId = newSessionId()
  const minter = minterOf(principal, nowSeconds)
  const context = sessionContext(accountId, request, user, definitions.attributes, minter)
  const claims = embedTokenClaims(context, tokenIdOf(sessionId), nowSeconds, limits)
  const tokenBytes = requireShortToken(claims, limits)
  return { sessionId, context, definitions, newTenant, writes, claims, tokenBytes }
}

/** Reads what the request names: items by key, and the users with the name of its internal user. */
async function readNamed({ storage, principal, request, recent }: SessionRequest) {
  const { accountId } = principal
  const { deploymentId, embedTenantName, internalId, groups = [] } = request
  const deployment = deploymentKey(deploymentId)
  const account = accountKey(accountId)
  const definitions = definitionsKey(accountId, embedTenantName)
  // A caller who is no admin must not learn by the number of calls which users exist.
  const readAlways = principal.admin ? [] : [principal.userId]
  const keys = [
    deployment,
    account,
    definitions,
    ...groups.map((name) => groupKey(accountId, name)),
  ]
  const [items, users] = await Promise.all([
    batchGet(storage, keys, { consistent: true, recent: recent(accountId) }),
    // A key that is limited to some operations is refused for every internal user.
    internalId === undefined || principal.operations
      ? undefined
      : usersByLogin(storage, accountId, internalId, ['username', 'email'], readAlways),
  ])
  const itemAt = (key: ItemKey) => items.get(itemId(key))
  return {
    deployment: itemAt(deployment),
    account: itemAt(account),
    /** The item with the definitions that the request merges with. */
    stored: itemAt(definitions),
    users,
    isGroup: (name: string) => isLive(itemAt(groupKey(accountId, name))),
  }
}

function requireShortLifetime({ tokenLifetimeSeconds = 0 }: GenerateSession, limits: TokenLimits) {
  const most = limits.lifetimeSeconds
  const message = `must be at most ${most}, the limit of this service`
  if (tokenLifetimeSeconds > most)
    throw inputRefusal('invalid_body', [{ pointer: '/tokenLifetimeSeconds', message }])
}

/** Rule 1 of docs/specification.md#generate-an-embed-session, and the account's own settings. */
function requireMayGenerate(
  principal: Principal,
  request: GenerateSession,
  account: Item | undefined,
): void {
  // The tombstone of an account has no settings.
  if (account?.embeddingEnabled !== true) throw new Refusal('embedding_disabled')
  if (account.onlyAdminsMint === true && !principal.admin) {
    throw new Refusal('admin_required', 'In this account only admins generate sessions.')
  }
  if (request.actor) requireMayViewAs(principal, account)
  // The user's token would open what the key doesn't.
  if (request.internalId !== undefined && principal.operations)
    throw new Refusal(
      'internal_id_forbidden',
      'An API key that is limited to some operations generates no sessions for internal users.',
    )
}

const onlyUnlimited =
  'Only an admin whose credential is not limited to deployments or operations may'

/**
 * A session with an `actor` shows somebody what an end user sees. So it takes an admin with an
 * unlimited credential, in an account that allows it (docs/api.md#view-as-an-end-user).
 */
function requireMayViewAs(principal: Principal, { viewAs }: Item): void {
  if (viewAs === false) throw new Refusal('view_as_forbidden', 'This account forbids actors.')
  if (!isUnlimitedAdmin(principal))
    throw new Refusal('view_as_forbidden', `${onlyUnlimited} name an actor.`)
}

/**
 * Refuses a session whose token would be too long. So the host's backend gets the error, and not
 * the end user's browser.
 */
function requireShortToken(claims: Claims, { maxTokenBytes }: TokenLimits): number {
  const tokenBytes = embedTokenBytes(claims)
  if (tokenBytes <= maxTokenBytes) return tokenBytes
  const bytes = `${tokenBytes} bytes; the limit is ${maxTokenBytes}`
  throw new Refusal(
    'context_too_large',
    `The embed token would have ${bytes}. Shorten the context.`,
  )
}

/** The internal user of a session, by its `internalId`; undefined if the account has none. */
function internalUser(
  { admin, userId }: Principal,
  [user, another]: readonly User[],
): User | undefined {
  // A caller who is no admin must not learn which users exist.
  if (!admin && (user?.id !== userId || another)) throw new Refusal('internal_id_forbidden')
  const message = 'names more than one user of the account'
  if (another) throw inputRefusal('unknown_name', [{ pointer: '/internalId', message }])
  return user
}

const unknownUser = {
  pointer: '/internalId',
  message: 'must be the name or e-mail address of a user of the account',
}

function requireEmailOf(user: User, { email }: GenerateSession): void {
  const message = 'must be the address of the user that internalId names, or be left out'
  if (email !== undefined && lowerCase(email) !== lowerCase(user.email))
    throw inputRefusal('invalid_body', [{ pointer: '/email', message }])
}

/**
 * A default reaches the sessions of other callers. So only admins with an unlimited credential
 * change definitions of user attributes. Others may send them as they are stored
 * (docs/decisions/03-embed-tenants.md).
 */
function requirePermittedDefinitions(
  principal: Principal,
  { userAttributeDefinitions = [] }: GenerateSession,
  changes: readonly ChangedDefinition[],
): void {
  const changedNames = changes
    .filter(({ list }) => list === 'userAttributeDefinitions')
    .map(({ name }) => name)
  if (changedNames.length === 0 || isUnlimitedAdmin(principal)) return
  const texts = changedNames.map((name) => JSON.stringify(name)).join(', ')
  const errors = userAttributeDefinitions.flatMap(({ name }, index) => {
    const pointer = `/userAttributeDefinitions/${index}`
    const message = `differs from what is stored: ${JSON.stringify(name)}`
    return changedNames.includes(name) ? [{ pointer, message }] : []
  })
  throw new Refusal(
    'definitions_forbidden',
    `${onlyUnlimited} create or change definitions of user attributes: ${texts}.`,
    errors,
  )
}

function refuseIfAny(unfit: readonly InputError[], unknown: readonly InputError[]): void {
  if (unfit.length > 0) throw inputRefusal('invalid_body', [...unfit, ...unknown])
  if (unknown.length > 0) throw inputRefusal('unknown_name', unknown)
}
