import { requireReadable } from '../access/deployment.ts'
import { accountKey, deploymentKey } from '../access/keys.ts'
import { minterOf, type Principal } from '../access/principal.ts'
import { type User, usersByLogin } from '../access/user.ts'
import { definitionsKey, groupKey } from '../embed-tenants/embed-tenant.ts'
import { countingOneMore } from '../embed-tenants/session-tenants.ts'
import { type InputError, Refusal } from '../refusal.ts'
import { lowerCase } from '../schema.ts'
import { embedTokenBytes } from '../signing/token-signer.ts'
import {
  batchGet,
  type Item,
  type ItemKey,
  isLive,
  itemId,
  type RecentItemsOf,
} from '../storage/batch-get.ts'
import type { Storage } from '../storage/storage.ts'
import { sessionContext } from './context.ts'
import { type ChangedDefinition, mergeDefinitions } from './definitions.ts'
import type { GenerateSession } from './request.ts'
import { newSessionId, tokenIdOf } from './stored-session.ts'
import { embedTokenClaims, type TokenLimits } from './token.ts'

/**
 * A session that has passed every check, and is not stored. Its claims are what a token would say
 * now. `writes` goes with it, all or nothing.
 */
export type PreparedSession = Awaited<ReturnType<typeof prepareSession>>

/**
 * Reads all that the request names in one round trip, and checks it. An internal user takes a
 * second one, and a new embed tenant too. Nothing is written, so this alone is a dry run.
 * @param now milliseconds since the epoch
 * @throws Refusal for everything that docs/specification.md#generate-an-embed-session refuses
 */
export async function prepareSession(
  storage: Storage,
  principal: Principal,
  request: GenerateSession,
  now: number,
  limits: TokenLimits,
  recent: RecentItemsOf,
) {
  const { accountId } = principal
  const { deploymentId, embedTenantName, internalId, groups = [], tenantGroups = [] } = request
  if ((request.tokenLifetimeSeconds ?? 0) > limits.lifetimeSeconds) {
    throw wrongField(
      '/tokenLifetimeSeconds',
      `must be at most ${limits.lifetimeSeconds}, the limit of this service`,
    )
  }
  const [deployment, account] = [deploymentKey(deploymentId), accountKey(accountId)]
  const stored = definitionsKey(accountId, embedTenantName)
  const named = [deployment, account, stored, ...groups.map((group) => groupKey(accountId, group))]
  const [items, users] = await Promise.all([
    batchGet(storage, named, { consistent: true, recent: recent(accountId) }),
    internalId === undefined
      ? undefined
      : usersByLogin(storage, accountId, internalId, ['username', 'email']),
  ])
  const itemAt = (key: ItemKey): Item | undefined => items.get(itemId(key))

  requireReadable(principal, deploymentId, itemAt(deployment))
  // "The tenant" of rule 1 is the account, which is the customer of the platform. Its tombstone has
  // no such setting.
  const settings = itemAt(account)
  if (settings?.embeddingEnabled !== true) throw new Refusal('embedding_disabled')
  if (settings.onlyAdminsMint === true && !principal.admin) {
    throw new Refusal('admin_required', 'In this account only admins generate sessions.')
  }
  const user = users && internalUser(principal, request, users)
  const definitions = mergeDefinitions(
    storage.tables.catalog,
    principal,
    request,
    itemAt(stored),
    limits.maxTokenBytes,
  )
  requirePermittedDefinitions(principal, request, definitions.changes)
  const tenantHas = new Set(definitions.groups.map(({ name }) => name))
  refuseIfAny(definitions.problems, [
    ...unknownNames('groups', groups, (name) => isLive(itemAt(groupKey(accountId, name)))),
    ...unknownNames('tenantGroups', tenantGroups, (name) => tenantHas.has(name)),
  ])
  const isNewTenant = embedTenantName !== undefined && !isLive(itemAt(stored))
  const writes = [
    ...(definitions.write ? [definitions.write] : []),
    ...(isNewTenant ? [await countingOneMore(storage, accountId)] : []),
  ]

  const nowSeconds = Math.floor(now / 1000)
  const sessionId = newSessionId()
  const context = sessionContext(
    accountId,
    request,
    user,
    definitions.attributes,
    minterOf(principal, nowSeconds),
  )
  const claims = embedTokenClaims(context, tokenIdOf(sessionId), nowSeconds, limits)
  const tokenBytes = embedTokenBytes(claims)
  // It is refused here, at the host's backend, and not in the end user's browser.
  if (tokenBytes > limits.maxTokenBytes) {
    const bytes = `${tokenBytes} bytes; the limit is ${limits.maxTokenBytes}`
    throw new Refusal(
      'context_too_large',
      `The embed token would have ${bytes}. Shorten the context.`,
    )
  }
  return { sessionId, context, definitions, writes, claims, tokenBytes }
}

const wrongField = (pointer: string, message: string) =>
  new Refusal('invalid_body', `${pointer} ${message}.`, [{ pointer, message }])

/** The internal user that a session is for, of all whom its `internalId` names. */
function internalUser(
  { admin, userId, operations }: Principal,
  { email }: GenerateSession,
  [user, another]: readonly User[],
): User {
  // The user's token would open what the key doesn't.
  if (operations) throw new Refusal('internal_id_forbidden', limitedKey)
  // A caller that is no admin must not learn which users exist.
  if (!admin && (user?.id !== userId || another)) throw new Refusal('internal_id_forbidden')
  if (another) throw unknownUser('names more than one user of the account')
  if (!user) throw unknownUser('must be the name or e-mail address of a user of the account')
  if (email === undefined || lowerCase(email) === lowerCase(user.email)) return user
  throw wrongField('/email', 'must be that of the user that internalId names, or be left out')
}

const limitedKey =
  'An API key that is limited to some operations generates sessions for external users only.'

const unknownUser = (message: string) =>
  new Refusal('unknown_name', `internalId ${message}.`, [{ pointer: '/internalId', message }])

/**
 * A default reaches other callers' sessions. So definitions of user attributes are created and
 * changed by admins whose credential is not limited; anybody else may send them as they are stored
 * (docs/decisions/04-embed-tenants.md).
 */
function requirePermittedDefinitions(
  { admin, scoped, operations }: Principal,
  { userAttributeDefinitions = [] }: GenerateSession,
  changes: readonly ChangedDefinition[],
): void {
  const changedNames = changes.flatMap(({ list, name }) =>
    list === 'userAttributeDefinitions' ? [name] : [],
  )
  if (changedNames.length === 0 || (admin && !scoped && !operations)) return
  const changed = userAttributeDefinitions
    .map(({ name }, index) => ({
      name,
      text: JSON.stringify(name),
      pointer: `/userAttributeDefinitions/${index}`,
    }))
    .filter(({ name }) => changedNames.includes(name))
  throw new Refusal(
    'definitions_forbidden',
    'Only an admin whose credential is not limited to deployments or operations may ' +
      `create or change definitions of user attributes: ${changed.map(({ text }) => text).join(', ')}.`,
    changed.map(({ text, pointer }) => ({
      pointer,
      message: `differs from what is stored: ${text}`,
    })),
  )
}

const unknownNames = (
  field: string,
  names: readonly string[],
  isKnown: (name: string) => boolean,
): InputError[] =>
  names.flatMap((name, index) => {
    const message = `names no existing group: ${JSON.stringify(name)}`
    return isKnown(name) ? [] : [{ pointer: `/${field}/${index}`, message }]
  })

function refuseIfAny(unfit: readonly InputError[], unknown: readonly InputError[]): void {
  if (unfit.length > 0) {
    const message = 'Definitions of the request do not fit their types or limits.'
    throw new Refusal('invalid_body', message, [...unfit, ...unknown])
  }
  if (unknown.length > 0)
    throw new Refusal('unknown_name', 'Groups of the request do not exist.', unknown)
}
