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

/**
 * Whether a token was revoked: by itself, or with all that its API key or user has generated. The reads are consistent, so
 * a revocation counts as soon as it was answered.
 */
export async function isRevoked(
  storage: Storage,
  accountId: string,
  { jti, deploymentId, mintedBy }: EmbedTokenId,
): Promise<boolean> {
  const [own, ofMinters] = [revocationKey(accountId, jti), minterRevocationsKey(accountId)]
  const items = await batchGet(storage, [own, ofMinters], { table: 'sessions', consistent: true })
  return ends(items.get(itemId(own)), deploymentId) || endsMinter(items.get(itemId(ofMinters)), mintedBy)
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
  return [{ userId }, ...(key === undefined ? [] : [{ key }])].some(
    (minter) => ((revocations[minterAttribute(minter)] as number | undefined) ?? 0) >= at,
  )
}
