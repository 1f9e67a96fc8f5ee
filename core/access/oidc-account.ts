import { hash } from 'node:crypto'
import { batchGet } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import { queryIndex } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'

/** Whose access tokens an account accepts, issued for which audience, and the claim that names the user. */
export type Oidc = { readonly issuer: string; readonly audience: string; readonly userClaim: string }

export type OidcAccount = { readonly accountId: string; readonly oidc: Oidc }

/** Partition of `byIssuerAndAudience`; hashed, because both together may be longer than a key can be. */
export const issuerAndAudience = ({ issuer, audience }: Pick<Oidc, 'issuer' | 'audience'>): string =>
  hash('sha256', key(issuer, audience), 'hex')

/** A token for more audiences than this was not made for us; each costs a look-up. */
const mostAudiences = 10

/**
 * The one account that accepts tokens of this issuer for one of these audiences. Where several do, a token says nothing
 * about which of them is meant, so it is nobody's.
 */
export async function accountAccepting(
  storage: Storage,
  issuer: string,
  audiences: readonly string[],
): Promise<OidcAccount | undefined> {
  if (audiences.length > mostAudiences) return undefined
  const found = await Promise.all(
    [...new Set(audiences)].map((audience) =>
      queryIndex(
        storage,
        { index: 'byIssuerAndAudience', partition: issuerAndAudience({ issuer, audience }) },
        enoughToTell,
      ),
    ),
  )
  const hits = found.flatMap(({ items }) => items)
  // The index may be behind; an issuer that was taken away must not be.
  const current = await batchGet(storage, hits, { consistent: true })
  const [account, another] = [...current.values()].flatMap(({ id, oidc }) => {
    const accepted = oidc as Oidc | undefined
    const accepts = accepted?.issuer === issuer && audiences.includes(accepted.audience)
    return accepts ? [{ accountId: id as string, oidc: accepted }] : []
  })
  return another === undefined ? account : undefined
}

/** More than two only so that a few which the index is behind on don't hide one that holds. */
const enoughToTell = 20
