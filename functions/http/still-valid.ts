import type { Principal } from '@embed-access/core/access/principal.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

/**
 * Requires that the credential is still good. API Gateway may have kept the verdict for a while: an end counts at once, and
 * so does the revocation of an embed token. Of an API key that was revoked, the verdict is good until it is forgotten.
 * @param now milliseconds since the epoch
 * @throws Refusal `unauthenticated`
 */
export async function requireStillValid(
  { accountId, credential, expiresAt }: Principal,
  storage: Storage | undefined,
  now: number,
): Promise<void> {
  const hasEnded = expiresAt !== undefined && expiresAt * 1000 <= now
  if (
    hasEnded ||
    (credential.kind === 'embedToken' && (!storage || (await isRevoked(storage, accountId, credential))))
  ) {
    throw new Refusal('unauthenticated')
  }
}
