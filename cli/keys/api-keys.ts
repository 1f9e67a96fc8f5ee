import { apiKeyWithChange } from '@embed-access/core/access/api-key.ts'
import {
  apiKeyIn,
  apiKeyItemsByHash,
  apiKeysOf,
  type StoredApiKey,
} from '@embed-access/core/access/api-keys.ts'
import { accountKey, deploymentKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { readUser, type User } from '@embed-access/core/access/user.ts'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import { isLive, itemId } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { routes } from '../../functions/operations/operations.ts'

type NewApiKey = {
  account: string
  user: number
  name?: string
  deployments?: readonly number[]
  may?: readonly string[]
  /** A time in ISO 8601. */
  expires?: string
}

/**
 * Makes a key for a user and stores its hash.
 * @param made is called with the new key, before anything is stored
 * @returns the key, which is not stored
 */
export async function createApiKey(
  storage: Storage,
  options: NewApiKey,
  now: number,
  made: (apiKey: string) => void = () => {},
): Promise<string> {
  const { account: accountId, user: userId, deployments: deploymentIds, may: operations } = options
  await requireAccount(storage, accountId)
  const user = await readUser(storage, accountId, userId)
  if (!user) {
    const advice = 'Import the user first, with npx embed-access catalog import.'
    throw new Error(`Account ${printable(accountId)} has no user ${userId}. ${advice}`)
  }
  await requireReadable(storage, accountId, user, deploymentIds ?? [])
  requireOpen(user, operations)
  const name = options.name ?? `made ${new Date(now).toISOString().slice(0, 10)}`
  const scope = { deploymentIds, operations, expiresAt: options.expires }
  const { apiKey, change } = apiKeyWithChange({ accountId, userId, name, ...scope })
  made(apiKey)
  await applied(storage, change)
  return apiKey
}

/**
 * The keys of an account, or of one of its users. Without deployments a key opens all of its
 * user's.
 */
export async function apiKeysFor(storage: Storage, accountId: string, userId?: number) {
  await requireAccount(storage, accountId)
  const keys = await apiKeysOf(storage, accountId, userId)
  return keys
    .sort((a, b) => a.userId - b.userId || (a.tokenHash < b.tokenHash ? -1 : 1))
    .map((key) => ({
      hash: key.tokenHash.slice(0, shownHashLength),
      userId: key.userId,
      name: key.name,
      deploymentIds: key.deploymentIds ?? null,
      operations: key.operations ?? null,
      expiresAt: key.expiresAt ?? null,
      lastUsedAt: key.lastUsedAt ?? null,
    }))
}

/**
 * @param hash the whole hash of the key, or the first characters of the hash
 * @returns the key as it was, or undefined if it was revoked before
 */
export async function revokeApiKey(
  storage: Storage,
  hash: string,
): Promise<StoredApiKey | undefined> {
  const items = await apiKeyItemsByHash(storage, hash)
  const [apiKey, another] = items.flatMap((item) => apiKeyIn(item) ?? [])
  if (items.length === 0)
    throw new Error(
      'There is no such key, so none was revoked. See npx embed-access keys list --account ID.',
    )
  if (!apiKey) return undefined
  if (another)
    throw new Error(`Several keys have a hash that begins with ${hash}. Give more of it.`)
  const { tokenHash, accountId, revision } = apiKey
  const deletion = { kind: 'apiKey', op: 'delete', data: { tokenHash, accountId } }
  const outcome = await applied(storage, { ...deletion, ...revisionAfter(revision) })
  if (outcome === 'skipped')
    throw new Error('The key was changed just now, and is not revoked. Revoke it again.')
  return apiKey
}

/**
 * A later revision than the key's own, so that importing the key's change again does not bring the
 * key back. The greatest revision has none after it. Then the deletion has no revision.
 */
const revisionAfter = (revision: number | undefined) =>
  revision === undefined || revision === Number.MAX_SAFE_INTEGER ? {} : { revision: revision + 1 }

/** Keys work only while their account exists. */
async function requireAccount(storage: Storage, id: string): Promise<void> {
  if (!isLive(await getItem(storage, 'catalog', accountKey(id))))
    throw new Error(`There is no account ${printable(id)}.`)
}

/** A key opens deployments that are there, and that its user may read. */
async function requireReadable(
  storage: Storage,
  accountId: string,
  user: User,
  wanted: readonly number[],
) {
  const deployments = await batchGet(storage, wanted.map(deploymentKey))
  const unknown = wanted.filter((id) => {
    const deployment = deployments.get(itemId(deploymentKey(id)))
    return !isLive(deployment) || deployment.accountId !== accountId
  })
  if (unknown.length > 0)
    throw new Error(`Account ${printable(accountId)} has no deployment ${unknown.join(', ')}.`)
  const { roles, deploymentIds } = user
  if (roles.includes('admin') || deploymentIds === 'all') return
  const unreadable = wanted.filter((each) => !deploymentIds.includes(each)).join(', ')
  if (unreadable === '') return
  throw new Error(
    `User ${user.id} may not read deployment ${unreadable}, so the key would not open it. ` +
      'No key was made.',
  )
}

/** A key that is limited to operations of admins opens nothing for anybody else. */
function requireOpen({ id, roles }: User, wanted: readonly string[] = []): void {
  if (roles.includes('admin') || wanted.length === 0) return
  const forAdmins = routes.filter(({ access }) => access === 'admin')
  const closed = wanted.filter((name) => forAdmins.some((route) => route.id === name)).join(', ')
  if (closed === '') return
  throw new Error(`User ${id} is no admin, so the key would not open ${closed}. No key was made.`)
}

async function applied(storage: Storage, change: object) {
  const [result] = await catalogWriter(storage, { now: Date.now })([change])
  if (result?.outcome === 'failed') throw result.cause
  if (result?.outcome !== 'refused') return result?.outcome
  const problems = result.problems.map(({ pointer, reason }) =>
    printable(`${pointer.replace('/data/', '')} ${reason}.`),
  )
  throw new Error(problems.join('\n'))
}
