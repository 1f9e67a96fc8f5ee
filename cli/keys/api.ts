import { newApiKey } from '@embed-access/core/access/api-key.ts'
import {
  apiKeysByHash,
  apiKeysOfAccount,
  apiKeysOfUser,
  type StoredApiKey,
} from '@embed-access/core/access/api-keys.ts'
import { accountKey, deploymentKey, hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { readUser } from '@embed-access/core/access/user.ts'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import type { Outcome } from '@embed-access/core/catalog/change.ts'
import { printable, quoted } from '@embed-access/core/catalog/quoted.ts'
import { batchGet, isLive, itemId } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { hashFromStdin } from '../key-from-stdin.ts'
import { deploymentsFrom, expiryFrom, userIdFrom } from './api-options.ts'

export type ApiKeyOptions = {
  readonly account?: string | undefined
  readonly user?: string | undefined
  readonly name?: string | undefined
  readonly deployments?: string | undefined
  readonly expires?: string | undefined
  readonly 'key-from-stdin'?: boolean | undefined
}

/** How many characters of the hash a revocation needs at least. */
const leastHash = 8

/**
 * Makes a key for a user and stores its hash.
 * @returns the key, which is not stored
 */
export async function create(storage: Storage, options: ApiKeyOptions, now: number): Promise<string> {
  const accountId = required(options.account, '--account ACCOUNT')
  const userId = userIdFrom(required(options.user, '--user ID'))
  const deploymentIds = options.deployments === undefined ? undefined : deploymentsFrom(options.deployments)
  const expiresAt = options.expires === undefined ? undefined : expiryFrom(options.expires, now)
  if (!(await readUser(storage, accountId, userId))) {
    throw new Error(`Account ${accountId} has no user ${userId}. Import the user first, with npm run catalog.`)
  }
  await requireAccount(storage, accountId)
  await requireDeployments(storage, accountId, deploymentIds ?? [])

  const apiKey = newApiKey({ accountId, userId })
  const name = options.name ?? `made ${new Date(now).toISOString().slice(0, 10)}`
  const tokenHash = hashOfApiKey(apiKey)
  await change(storage, { kind: 'apiKey', data: { accountId, userId, tokenHash, name, deploymentIds, expiresAt } })
  return apiKey
}

/** Lists the keys of an account, or of one of its users, by their hashes. */
export async function list(storage: Storage, options: ApiKeyOptions): Promise<string> {
  const accountId = required(options.account, '--account ACCOUNT')
  const keys = await (options.user === undefined
    ? apiKeysOfAccount(storage, accountId)
    : apiKeysOfUser(storage, accountId, userIdFrom(options.user)))
  const rows = keys
    .sort((a, b) => a.userId - b.userId || (a.tokenHash < b.tokenHash ? -1 : 1))
    .map(({ tokenHash, userId, name, deploymentIds, expiresAt, lastUsedAt }) => [
      tokenHash.slice(0, shownHashLength),
      String(userId),
      quoted(name),
      deploymentIds?.join(',') ?? 'all of the user’s',
      expiresAt ?? 'never',
      lastUsedAt ?? 'never',
    ])
  return table([['HASH', 'USER', 'NAME', 'DEPLOYMENTS', 'EXPIRES', 'LAST USED'], ...rows])
}

/**
 * Revokes a key, named by the beginning of its hash or by itself.
 * @returns the key as it was
 */
export async function revoke(
  storage: Storage,
  hash: string | undefined,
  options: ApiKeyOptions,
): Promise<StoredApiKey> {
  const fromStdin = options['key-from-stdin'] === true
  if (fromStdin === (hash !== undefined)) {
    throw new Error(
      'Name the key by the beginning of its hash, as npm run keys -- list shows it, or use --key-from-stdin.',
    )
  }
  const prefix = hash ?? (await hashFromStdin())
  if (!fromStdin && !new RegExp(`^[0-9a-f]{${leastHash},64}$`).test(prefix)) {
    throw new Error(
      `${leastHash} to 64 characters of the hash are needed, 0-9 and a-f. To give the key itself, use --key-from-stdin.`,
    )
  }
  const [apiKey, another] = await apiKeysByHash(storage, prefix)
  if (!apiKey) throw new Error('There is no such key, or it is already revoked. See npm run keys -- list.')
  if (another) throw new Error(`Several keys have a hash that begins with ${prefix}. Give more of it.`)
  const { tokenHash, accountId, revision } = apiKey
  const outcome = await change(storage, {
    kind: 'apiKey',
    op: 'delete',
    ...after(revision),
    data: { tokenHash, accountId },
  })
  if (outcome === 'skipped') throw new Error('The key was changed just now, and is not revoked. Revoke it again.')
  return apiKey
}

/**
 * A later revision than the key's own: bringing in the same change again does not bring the key back. The greatest has
 * none after it. Then the deletion has no revision, and the key keeps its own.
 */
const after = (revision: number | undefined) =>
  revision === undefined || revision === Number.MAX_SAFE_INTEGER ? {} : { revision: revision + 1 }

/** Keys work only while their account exists. */
async function requireAccount(storage: Storage, id: string): Promise<void> {
  const account = (await batchGet(storage, [accountKey(id)])).get(itemId(accountKey(id)))
  if (isLive(account)) return
  throw new Error(`There is no account ${id}. Import the account first, with npm run catalog.`)
}

async function requireDeployments(storage: Storage, accountId: string, ids: readonly number[]): Promise<void> {
  const deployments = await batchGet(storage, ids.map(deploymentKey))
  const unknown = ids.filter((id) => {
    const deployment = deployments.get(itemId(deploymentKey(id)))
    return !isLive(deployment) || deployment.accountId !== accountId
  })
  if (unknown.length > 0) throw new Error(`Account ${accountId} has no deployment ${unknown.join(', ')}.`)
}

async function change(storage: Storage, change: object): Promise<Outcome | undefined> {
  const [result] = await applyChanges(storage, [change], { now: Date.now })
  if (result?.outcome === 'failed') throw result.cause
  if (result?.outcome !== 'refused') return result?.outcome
  throw new Error(
    result.problems.map(({ pointer, reason }) => printable(`${pointer.replace('/data/', '')} ${reason}.`)).join('\n'),
  )
}

function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new Error(`${option} is required. See npm run keys -- --help.`)
  return value
}

/** Aligns columns. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
