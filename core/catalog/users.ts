import * as v from 'valibot'
import { apiKeysOfUser } from '../access/api-keys.ts'
import { apiKeyKey, deploymentsOf, keyOwner, login, userKey } from '../access/keys.ts'
import { notificationLists } from '../notifications/keys.ts'
import { exactly, id, list, optional, text, textOf, time } from '../schema.ts'
import { batchGet, type Item, type ItemKey } from '../storage/batch-get.ts'
import { queryWhole } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import { accountId } from './accounts.ts'
import { end } from './dependents.ts'
import { kind } from './kind.ts'
import { endRecord, putRecord } from './record.ts'

/** Deployment ids travel in the authorizer's answer, which has little room. */
const mostDeploymentIds = 400

const deploymentIds = v.pipe(list(id), v.maxLength(mostDeploymentIds, `must have at most ${mostDeploymentIds} entries`))

export const user = kind({
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
      `must be "all" or a list of at most ${mostDeploymentIds} ids`,
    ),
  }),
  identity: v.object({ accountId, id }),
  key: ({ accountId, id }) => userKey(accountId, id),
  async apply({ storage }, change, { previous }) {
    const { accountId, id } = change.data
    const key = userKey(accountId, id)
    if (change.op === 'delete') {
      await endRecord(storage, 'credentials', previous, key, change.revision)
      await endKeys(storage, accountId, id)
      await endReceipts(storage, accountId, id)
      return 'applied'
    }
    const { email, username } = change.data
    const logins = { email: login(accountId, email), username: login(accountId, username ?? email) }
    // Logins are for the indexes, in lower case.
    const item = { ...change.data, ...key, ...logins, given: { email, username } }
    await putRecord(storage, 'credentials', previous, item, change.revision)
    return 'applied'
  },
})

export const apiKey = kind({
  table: 'credentials',
  data: exactly({
    accountId,
    tokenHash: v.pipe(text, v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex')),
    userId: id,
    name: text,
    deploymentIds: optional(deploymentIds),
    expiresAt: optional(time),
  }),
  identity: v.object({ tokenHash: text, accountId: optional(accountId) }),
  key: ({ tokenHash }) => apiKeyKey(tokenHash),
  async apply({ storage }, change, { previous }) {
    const key = apiKeyKey(change.data.tokenHash)
    if (change.op === 'delete') {
      await endKey(storage, previous, key, change)
      return 'applied'
    }
    const owner = keyOwner(change.data.accountId, change.data.userId)
    const item = { ...change.data, ...key, keyOwner: owner, lastUsedAt: previous?.lastUsedAt }
    await putRecord(storage, 'credentials', previous, item, change.revision)
    return 'applied'
  },
})

async function endKeys(storage: Storage, accountId: string, userId: number): Promise<void> {
  for (const apiKey of await apiKeysOfUser(storage, accountId, userId)) {
    await endKey(storage, apiKey, apiKeyKey(apiKey.tokenHash))
  }
}

/** The account stays on a tombstone, so that an export of the account has it. */
async function endKey(
  storage: Storage,
  previous: Item | undefined,
  key: ItemKey,
  { revision, data }: { revision?: number | undefined; data?: { accountId?: string | undefined } } = {},
): Promise<void> {
  const accountId = previous?.accountId ?? data?.accountId
  const isKept = (revision ?? previous?.revision) !== undefined
  const owner = isKept && accountId !== undefined ? { accountId } : {}
  await endRecord(storage, 'credentials', previous, key, revision, owner)
}

/** A user's places among recipients, in every deployment of the account. */
async function endReceipts(storage: Storage, accountId: string, userId: number): Promise<void> {
  for await (const deployments of queryWhole(storage, { index: 'byDeployment', partition: deploymentsOf(accountId) })) {
    for (const deployment of deployments) {
      const partition = notificationLists(deploymentIdIn(deployment)).byRecipient({ type: 'user', userId })
      for await (const receipts of queryWhole(storage, { index: 'byRecipient', partition })) {
        const items = await batchGet(storage, receipts, { consistent: true })
        for (const receipt of items.values()) await end(storage, receipt)
      }
    }
  }
}

const deploymentIdIn = ({ order }: Item): number => Number((order as string).slice(1))
