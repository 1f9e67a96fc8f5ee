import * as v from 'valibot'
import { keyOperations } from '../access/api-key.ts'
import {
  accountKey,
  apiKeyKey,
  deploymentKey,
  deploymentsOf,
  issuerAndAudience,
  keyOwner,
  loginPartition,
  userKey,
} from '../access/keys.ts'
import { isIssuer } from '../access/oidc-url.ts'
import { goneRevocationKey } from '../access/revocation.ts'
import { boolean, exactly, id, integer, list, oneOf, optional, text, textOf } from '../schema.ts'
import { ascending } from '../storage/keys.ts'
import { time } from '../time.ts'
import { writeClaim } from './claims.ts'
import { kind } from './kind.ts'
import { createNamedTenants } from './named-tenants.ts'

export const accountId = textOf(1, 200)

/** What a deletion may say about the owner. */
const owner = { accountId: optional(accountId), accountSince: optional(integer) }

const issuer = v.pipe(
  textOf(1, 2048),
  v.check(
    isIssuer,
    'must be an https URL with the name of a host, and without user name, query and fragment ' +
      '(or http on loopback)',
  ),
)

/**
 * The tombstone of an account stays until a purge. Without the tombstone, a new account with the
 * same id would get the old account's things.
 */
export const account = kind({
  name: 'account',
  tombstoneStays: true,
  data: exactly({
    id: accountId,
    name: text,
    embeddingEnabled: optional(boolean),
    onlyAdminsMint: optional(boolean),
    viewAs: optional(boolean),
    maxEmbedTenants: optional(id),
    embedTenants: optional(oneOf(['any', 'fromCatalog'])),
    oidc: optional(exactly({ issuer, audience: textOf(1, 2048), userClaim: textOf(1, 256) })),
  }),
  identity: v.object({ id: accountId }),
  key: ({ id }) => accountKey(id),
  revocation: ({ id }) => goneRevocationKey(id, 'account'),
  item: (data) => ({ ...data, issuerAndAudience: data.oidc && issuerAndAudience(data.oidc) }),
})

/**
 * The tombstone of a deployment keeps the account's id for good. Otherwise another account could
 * take the id of the deployment, and see what is in the deployment.
 */
export const deployment = kind({
  name: 'deployment',
  tombstoneStays: true,
  data: exactly({ accountId, id, name: text, accountSince: optional(integer) }),
  identity: v.object({ id, ...owner }),
  key: ({ id }) => deploymentKey(id),
  revocation: ({ accountId = '', id }) => goneRevocationKey(accountId, 'deployment', id),
  item: ({ accountSince, ...data }) => ({
    ...data,
    deploymentList: deploymentsOf(data.accountId),
    order: ascending(data.id),
  }),
  write: (writer, parsed) =>
    writeClaim(writer, parsed, 'this id belongs to another account, and ids are never reused'),
  followUp: (writer, { change: { data } }) => createNamedTenants(writer, data.id),
})

/** The authorizer's answer contains the ids of a user's deployments, and has little room. */
const maxDeploymentIds = 400

const deploymentIds = v.pipe(
  list(id),
  v.maxLength(maxDeploymentIds, `must have at most ${maxDeploymentIds} entries`),
)

export const user = kind({
  name: 'user',
  table: 'credentials',
  data: exactly({
    accountId,
    id,
    email: textOf(1, 320),
    username: optional(textOf(1, 320)),
    firstName: optional(text),
    picture: optional(text),
    roles: list(text),
    deploymentIds: v.union(
      [v.literal('all'), deploymentIds],
      `must be "all" or a list of at most ${maxDeploymentIds} ids`,
    ),
  }),
  identity: v.object({ accountId, id }),
  key: ({ accountId, id }) => userKey(accountId, id),
  revocation: ({ accountId, id }) => goneRevocationKey(accountId, 'user', id),
  item: (data) => ({
    ...data,
    emailLogin: loginPartition(data.accountId, data.email),
    usernameLogin: data.username && loginPartition(data.accountId, data.username),
  }),
})

const tokenHash = v.pipe(text, v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex'))

/**
 * An API key counts only while its user and its account are there. Its item has no copy of their
 * fields.
 */
export const apiKey = kind({
  name: 'apiKey',
  table: 'credentials',
  data: exactly({
    accountId,
    tokenHash,
    userId: id,
    name: text,
    deploymentIds: optional(deploymentIds),
    operations: optional(
      v.pipe(list(oneOf(keyOperations)), v.minLength(1, 'must name an operation, or be left out')),
    ),
    expiresAt: optional(time),
    accountSince: optional(integer),
  }),
  identity: v.object({ tokenHash, ...owner }),
  key: ({ tokenHash }) => apiKeyKey(tokenHash),
  item: ({ accountSince, ...data }) => ({
    ...data,
    keyOwner: keyOwner(data.accountId, data.userId),
  }),
  write: (writer, parsed) =>
    writeClaim(writer, parsed, 'this key belongs to another account, and keys are never reused'),
})
