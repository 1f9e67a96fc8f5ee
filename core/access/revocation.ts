import { batchGet, type Item, itemId } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { EmbedTokenId, Minter } from './principal.ts'

/** The key of a revocation. It has the account, so that no account can revoke another's token. */
export const revocationKey = (accountId: string, jti: string) => ({ pk: key('revocation', accountId, jti) })

/** The key of the item that says whose sessions of an account are revoked, by who generated them. */
export const minterRevocationsKey = (accountId: string) => ({ pk: key('revocation', accountId) })

/** The attribute of that item for an API key or a user. Its value is the last second whose sessions are revoked. */
export const minterAttribute = (minter: { readonly key: string } | { readonly userId: number }): string =>
  'key' in minter ? key('key', minter.key) : key('user', minter.userId)

/** The keys of the items that may revoke a token. They are read consistently, so that a revocation counts once it was answered. */
export const revocationKeys = (accountId: string, { jti }: EmbedTokenId) => [
  revocationKey(accountId, jti),
  minterRevocationsKey(accountId),
]

/** Whether a token was revoked: by itself, or with all that its API key or user has generated. */
export async function isRevoked(storage: Storage, accountId: string, id: EmbedTokenId): Promise<boolean> {
  const items = await batchGet(storage, revocationKeys(accountId, id), { table: 'sessions', consistent: true })
  return isRevokedBy(items, accountId, id)
}

/** Like {@link isRevoked}, for items that were already read. */
export function isRevokedBy(items: ReadonlyMap<string, Item>, accountId: string, id: EmbedTokenId): boolean {
  const [own, ofMinters] = revocationKeys(accountId, id).map((key) => items.get(itemId(key)))
  return ends(own, id.deploymentId) || endsMinter(ofMinters, id.mintedBy)
}

/** A revocation by a scoped API key counts in the deployments of its scope alone. */
function ends(revocation: Item | undefined, deploymentId: number): boolean {
  if (!revocation) return false
  const { everywhere, deploymentIds } = revocation as { everywhere?: boolean; deploymentIds?: ReadonlySet<number> }
  return everywhere === true || deploymentIds === undefined || deploymentIds.has(deploymentId)
}

function endsMinter(revocations: Item | undefined, mintedBy: Minter | undefined): boolean {
  if (!revocations || !mintedBy) return false
  const { userId, key, at } = mintedBy
  const until = (attribute: string): number => (revocations[attribute] as number | undefined) ?? 0
  return until(minterAttribute({ userId })) >= at || (key !== undefined && until(minterAttribute({ key })) >= at)
}
