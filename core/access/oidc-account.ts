import { hash } from 'node:crypto'
import { batchGet } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import { queryIndex } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'

/** The issuer and audience of the access tokens that an account accepts, and the claim that names the user. */
export type Oidc = { readonly issuer: string; readonly audience: string; readonly userClaim: string }

/** The partition of `byIssuerAndAudience`. It is a hash, because both together may be longer than a key. */
export const issuerAndAudience = ({ issuer, audience }: Pick<Oidc, 'issuer' | 'audience'>): string =>
  hash('sha256', key(issuer, audience), 'hex')

/**
 * Finds the one account that accepts tokens of this issuer for one of these audiences. If several do, the token could mean
 * any of them, so none is returned.
 */
export async function accountAccepting(storage: Storage, issuer: string, audiences: readonly string[]) {
  // Each costs a look-up.
  if (audiences.length > 10) return undefined
  const partitions = [...new Set(audiences)].map((audience) => issuerAndAudience({ issuer, audience }))
  // Two entries would tell whether there are several. More are read because some may be out of date.
  const found = await Promise.all(
    partitions.map((partition) => queryIndex(storage, { index: 'byIssuerAndAudience', partition }, 20)),
  )
  const hits = found.flatMap(({ items }) => items)
  // The index may be out of date. An issuer that an account no longer accepts must not count.
  const current = await batchGet(storage, hits, { consistent: true })
  const [account, another] = [...current.values()].flatMap(({ id, oidc }) => {
    const accepted = oidc as Oidc | undefined
    const accepts = accepted?.issuer === issuer && audiences.includes(accepted.audience)
    return accepts ? [{ accountId: id as string, oidc: accepted }] : []
  })
  return another === undefined ? account : undefined
}
