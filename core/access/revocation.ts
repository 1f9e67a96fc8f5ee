import { hash } from 'node:crypto'
import { batchGet } from '../storage/batch-get.ts'
import { type Item, type ItemKey, itemId } from '../storage/item.ts'
import { ascending, key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { maxTokenSeconds, sessionLifetimeSeconds } from './lifetimes.ts'
import type { EmbedTokenId, Minter } from './principal.ts'

/** The parts of an embed token by which it can be revoked. */
type Revocable = {
  readonly accountId: string
  /** The internal user of the token. */
  readonly userId: number | undefined
  readonly id: EmbedTokenId
}

/** The key has the account, so that no account can revoke a token of another one. */
const keyOf = (accountId: string, ...what: readonly (string | number)[]) => ({
  pk: key('revocation', accountId, ...what),
})

export const revocationKey = (accountId: string, jti: string) => keyOf(accountId, jti)

/** Who generates sessions: an API key, or a user with whatever credential. */
export type MinterId = Pick<Minter, 'key' | 'userId'> | { readonly key: string }

const partsOf = (minter: MinterId): readonly (string | number)[] =>
  minter.key === undefined ? ['user', (minter as Minter).userId] : ['key', minter.key]

/** The name of who generated a session, within the account. */
export const minterName = (minter: MinterId): string => key(...partsOf(minter))

export const minterRevocationKey = (accountId: string, minter: MinterId) =>
  keyOf(accountId, 'minter', ...partsOf(minter))

/** All end users of an embed tenant, or one of its external users. */
export type EndUsers = {
  readonly embedTenantName: string
  readonly externalId?: string | undefined
}

/** The key of the item that revokes tokens of end users. An external id may be too long for it. */
export const endUsersRevocationKey = (
  accountId: string,
  { embedTenantName, externalId }: EndUsers,
) =>
  externalId === undefined
    ? keyOf(accountId, 'tenant', embedTenantName)
    : keyOf(accountId, 'user', embedTenantName, hash('sha256', externalId, 'hex'))

/**
 * The key of the item that revokes the tokens of a deleted account, deployment or internal user. If
 * the thing comes back, they stay refused: its id may belong to somebody else by then.
 */
export const goneRevocationKey = (
  accountId: string,
  ...what: ['account'] | ['deployment' | 'user', number]
) => keyOf(accountId, 'gone', ...what)

/**
 * The name of the cut-off that counts in all deployments. A cut-off is a time in seconds: sessions
 * that were generated until then are revoked. An item may have several. Only the item of a single
 * token has none.
 */
export const everywhereCutOff = 'everywhere'

/**
 * The name of the cut-off that a deletion in the catalog sets. It counts everywhere too. A deletion
 * writes without a condition, so it could replace a later cut-off that is named `everywhere`.
 */
export const deletionCutOff = 'deletion'

/** Returns the name of a deployment's cut-off; for `''`, what all these names begin with. */
export const deploymentCutOff = (deploymentId: number | ''): string =>
  key('deployment', deploymentId)

/** The keys of the items that may revoke a token, to be read consistently. The first is its own. */
export function revocationKeys({ accountId, userId, id }: Revocable) {
  const { jti, deploymentId, mintedBy, embedTenantName, externalId } = id
  const keys = [revocationKey(accountId, jti)]
  if (mintedBy) {
    keys.push(minterRevocationKey(accountId, { userId: mintedBy.userId }))
    if (mintedBy.key !== undefined) keys.push(minterRevocationKey(accountId, mintedBy))
  }
  if (embedTenantName !== undefined) {
    keys.push(endUsersRevocationKey(accountId, { embedTenantName }))
    if (externalId !== undefined)
      keys.push(endUsersRevocationKey(accountId, { embedTenantName, externalId }))
  }
  keys.push(
    goneRevocationKey(accountId, 'account'),
    goneRevocationKey(accountId, 'deployment', deploymentId),
  )
  if (userId !== undefined) keys.push(goneRevocationKey(accountId, 'user', userId))
  return keys
}

export async function isRevoked(storage: Storage, token: Revocable): Promise<boolean> {
  const items = await batchGet(storage, revocationKeys(token), {
    table: 'sessions',
    consistent: true,
  })
  return isRevokedBy(items, token)
}

/**
 * Whether a token was revoked, or all tokens of its minter, embed tenant, external user, account,
 * deployment or internal user.
 */
export function isRevokedBy(items: ReadonlyMap<string, Item>, token: Revocable): boolean {
  const { id } = token
  const [own, ...others] = revocationKeys(token).map((key) => items.get(itemId(key)))
  // A token that does not say when its session was generated counts as older than each revocation.
  const at = id.mintedBy?.at ?? 0
  const cutOffs = [everywhereCutOff, deletionCutOff, deploymentCutOff(id.deploymentId)]
  const endsToken = (item: Item | undefined): boolean =>
    cutOffs.some((cutOff) => Number(item?.[cutOff] ?? -1) >= at)
  return revokesToken(own, id) || others.some(endsToken)
}

/** The item of a single token, which has no cut-offs. If `everywhere` is there, it is true. */
export type TokenRevocation = {
  everywhere?: boolean
  deploymentIds?: ReadonlySet<number>
  minters?: ReadonlySet<string>
}

/**
 * The revocation of one token counts everywhere, in the deployments of a scoped credential, or for
 * the sessions of the minter who revoked it.
 */
function revokesToken(
  revocation: Item | undefined,
  { deploymentId, mintedBy }: EmbedTokenId,
): boolean {
  if (!revocation) return false
  const { everywhere, deploymentIds, minters } = revocation as TokenRevocation
  // Older revocations say nothing, and count everywhere.
  if (everywhere || (!deploymentIds && !minters)) return true
  if (deploymentIds?.has(deploymentId)) return true
  return mintedBy !== undefined && minters?.has(minterName(mintedBy)) === true
}

/**
 * Returns the update that ends all tokens that depend on a thing. The transaction that deletes the
 * thing also makes this update.
 * @param graceSeconds how long after `now` sessions may still be generated for the thing
 */
export const updateForDeletion = (
  TableName: string,
  Key: ItemKey,
  now: number,
  graceSeconds = 0,
) => ({ TableName, Key, ...revokingUntil(Key, [deletionCutOff], now, graceSeconds) })

/**
 * How long instances may still generate sessions for an account, deployment or user after somebody
 * has sent its deletion. The SDK tries the deletion for ten seconds at most. For five more seconds
 * an instance remembers that the thing was there (`recent-lookups.ts`).
 */
export const goneGraceSeconds = 15

/**
 * How far the clock of the function that generated a session may be ahead. AWS documents no bound
 * for Lambda. The clocks of its time service differ by milliseconds.
 */
const aheadSeconds = 1

/**
 * The update that revokes what is generated until now, or until the grace has passed. A
 * function's clock may be ahead. So the update also revokes what such a function generates now.
 */
export function revokingUntil(
  key: ItemKey,
  cutOffs: readonly string[],
  now: number,
  graceSeconds = 0,
) {
  const { set, values } = keptUntil(key, endOfTokens(now) + graceSeconds + slackSeconds)
  const names = cutOffs.map((cutOff, index) => [`#${index}`, cutOff])
  return {
    UpdateExpression: [set, ...names.map(([name]) => `${name} = :until`)].join(', '),
    ExpressionAttributeNames: Object.fromEntries(names) as Record<string, string>,
    ExpressionAttributeValues: {
      ...values,
      ':until': Math.floor(now / 1000) + aheadSeconds + graceSeconds,
    },
  }
}

/** The one partition of the index `revocationsInForce`. */
export const inForce = 'all'

/**
 * The beginning of an update of a revocation. The index sorts revocations by their end, then by a
 * hash of the key, because a key may be too long for a sort key.
 * @param end in seconds since the epoch
 */
export const keptUntil = ({ pk }: ItemKey, end: number) => ({
  set: 'SET expiresAt = :end, revocationList = :all, revocationEnd = :place',
  values: {
    ':end': end,
    ':all': inForce,
    ':place': key(ascending(end), hash('sha256', pk, 'base64url')),
  },
})

/**
 * How much longer than needed an item of revocations is kept. Each write of a cut-off sets
 * `expiresAt` for the whole item. If an older write arrives after a newer one, it sets `expiresAt`
 * back, too early for the newer cut-off.
 */
export const slackSeconds = 60

/** When the last token of all sessions until now expires, in seconds since the epoch. */
export const endOfTokens = (now: number): number =>
  Math.ceil(now / 1000) + sessionLifetimeSeconds + maxTokenSeconds
