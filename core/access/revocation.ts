import { hash } from 'node:crypto'
import { batchGet, type Item, itemId } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { maxTokenSeconds, sessionLifetimeSeconds } from './lifetimes.ts'
import type { EmbedTokenId, Minter } from './principal.ts'

/** The key of a revocation. It has the account, so that no account can revoke another's token. */
export const revocationKey = (accountId: string, jti: string) => ({
  pk: key('revocation', accountId, jti),
})

/** An API key, or else a user. */
export type MinterName = Pick<Minter, 'key' | 'userId'> | { readonly key: string }

const partsOf = (minter: MinterName): readonly (string | number)[] =>
  minter.key === undefined ? ['user', (minter as Minter).userId] : ['key', minter.key]

/** The name of who generated a session, within the account. */
export const minterName = (minter: MinterName): string => key(...partsOf(minter))

/**
 * The key of the item that says until when all that a minter has generated is revoked. Each minter
 * has one, so that each expires.
 */
export const minterRevocationKey = (accountId: string, minter: MinterName) => ({
  pk: key('revocation', accountId, 'minter', ...partsOf(minter)),
})

/** All tokens of an embed tenant, or of one of its external users. */
export type EndUsers = {
  readonly embedTenantName: string
  readonly externalId?: string | undefined
}

/**
 * The key of the item that says until when their tokens are revoked. An external id may be too long
 * for a key.
 */
export const endUsersRevocationKey = (
  accountId: string,
  { embedTenantName, externalId }: EndUsers,
) => ({
  pk:
    externalId === undefined
      ? key('revocation', accountId, 'tenant', embedTenantName)
      : key('revocation', accountId, 'user', embedTenantName, hash('sha256', externalId, 'hex')),
})

/** The attributes of these items. Each has the last second whose sessions are revoked. */
export const everywhereAttribute = 'everywhere'
const deletionAttribute = 'deletion'
export const deploymentAttribute = (deploymentId: number): string => key('deployment', deploymentId)

/**
 * The keys of the items that may revoke a token. They are read consistently, so that a revocation
 * counts once it was answered.
 */
export const revocationKeys = (
  accountId: string,
  { jti, mintedBy, embedTenantName, externalId }: EmbedTokenId,
) => [
  revocationKey(accountId, jti),
  ...(mintedBy ? [minterRevocationKey(accountId, { userId: mintedBy.userId })] : []),
  ...(mintedBy?.key === undefined ? [] : [minterRevocationKey(accountId, mintedBy)]),
  ...(embedTenantName === undefined
    ? []
    : [...new Set([undefined, externalId])].map((externalId) =>
        endUsersRevocationKey(accountId, { embedTenantName, externalId }),
      )),
]

export async function isRevoked(
  storage: Storage,
  accountId: string,
  id: EmbedTokenId,
): Promise<boolean> {
  const items = await batchGet(storage, revocationKeys(accountId, id), {
    table: 'sessions',
    consistent: true,
  })
  return isRevokedBy(items, accountId, id)
}

/**
 * Whether a token was revoked: by itself, with all that its API key or user has generated, or with
 * all that are for the same.
 */
export function isRevokedBy(
  items: ReadonlyMap<string, Item>,
  accountId: string,
  id: EmbedTokenId,
): boolean {
  const [own, ...others] = revocationKeys(accountId, id).map((key) => items.get(itemId(key)))
  // A token that does not say when its session was generated is revoked with all that are for the
  // same.
  const at = id.mintedBy?.at ?? 0
  const meant = [everywhereAttribute, deletionAttribute, deploymentAttribute(id.deploymentId)]
  return ends(own, id) || others.some((item) => reaches(item, meant, at))
}

const reaches = (
  revocations: Item | undefined,
  attributes: readonly string[],
  at: number,
): boolean =>
  attributes.some((attribute) => ((revocations?.[attribute] as number | undefined) ?? -1) >= at)

type Revocation = {
  everywhere?: boolean
  deploymentIds?: ReadonlySet<number>
  minters?: ReadonlySet<string>
}

/**
 * A revocation counts everywhere, or in the deployments of a scoped credential, or for the sessions
 * of the minter who made it.
 */
function ends(revocation: Item | undefined, { deploymentId, mintedBy }: EmbedTokenId): boolean {
  if (!revocation) return false
  const { everywhere, deploymentIds, minters } = revocation as Revocation
  // Older revocations say nothing, and count everywhere.
  if (everywhere === true || (!deploymentIds && !minters)) return true
  return (
    deploymentIds?.has(deploymentId) || (mintedBy && minters?.has(minterName(mintedBy))) || false
  )
}

/**
 * The update that revokes all sessions of an embed tenant together with its deletion, which has a
 * condition of its own.
 */
export const updateForDeletion = (
  TableName: string,
  accountId: string,
  embedTenantName: string,
  now: number,
) => ({
  TableName,
  Key: endUsersRevocationKey(accountId, { embedTenantName }),
  ...revokingUntil(deletionAttribute, now),
})

/**
 * The clock of the function that generated a session may be ahead. AWS documents no bound for the
 * clocks of Lambda. Those of its time service differ by milliseconds.
 */
export const aheadSeconds = 1

/**
 * What sets an attribute of a revocation to this second, also by a clock that is ahead, and the
 * grace.
 */
export const revokingUntil = (attribute: string, now: number, graceSeconds = 0) => ({
  UpdateExpression: 'SET #until = :until, expiresAt = :end',
  ExpressionAttributeNames: { '#until': attribute },
  ExpressionAttributeValues: {
    ':until': Math.floor(now / 1000) + aheadSeconds + graceSeconds,
    ':end': endOfTokens(now) + graceSeconds + lateSeconds,
  },
})

/**
 * How much earlier an item could be made to expire by a call for another attribute that comes late.
 */
const lateSeconds = 60

/** When the last token of all sessions until now has ended, in seconds since the epoch. */
export const endOfTokens = (now: number): number =>
  Math.ceil(now / 1000) + sessionLifetimeSeconds + maxTokenSeconds
