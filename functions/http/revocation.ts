import type { Principal } from '@embed-access/core/access/principal.ts'
import type { isRevoked } from '@embed-access/core/access/revocation.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

/** Given to the functions that need it, because it brings the SDK with it. */
export type IsRevoked = typeof isRevoked

/**
 * Requires that the credential is still good. API Gateway may have kept the authorization for a while. The end of a
 * credential counts at once, and so does the revocation of an embed token. A revoked API key works until its authorization
 * is forgotten.
 * @param now milliseconds since the epoch
 * @param isRevoked left out, no embed token is good
 * @throws Refusal `unauthenticated`
 */
export async function requireStillValid(
  { accountId, credential, expiresAt }: Principal,
  now: number,
  storage: Storage | undefined,
  isRevoked: IsRevoked | undefined,
): Promise<void> {
  if (expiresAt !== undefined && expiresAt * 1000 <= now) throw new Refusal('unauthenticated')
  if (credential.kind !== 'embedToken') return
  const isGood = storage && isRevoked && !(await isRevoked(storage, accountId, credential))
  if (!isGood) throw new Refusal('unauthenticated')
}
