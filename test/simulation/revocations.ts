import { type EmbedTokenVerifier, Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import { requireGoodToken } from '@embed-access/core/access/good-token.ts'
import { EmbedTokenId } from '@embed-access/core/access/principal.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { revokeEndUsers, revokeSession } from '@embed-access/core/sessions/revoke.ts'
import type { Claims } from '@embed-access/core/sessions/token.ts'
import * as v from 'valibot'
import { generateOn, issuance } from '../sessions/past-the-gateway.ts'
import { admin } from '../support/catalog.ts'
import { startOfTime } from '../support/time.ts'
import type { Setting } from './delivery.ts'
import { account } from './subjects.ts'

const rounds = 8
const signer = { sign: async () => 'signed' }

/** What verifies a token with these claims, without a signature. */
const verifierOf =
  (claims: Claims): EmbedTokenVerifier =>
  async () => ({
    accountId: account,
    userId: undefined,
    id: v.parse(EmbedTokenId, claims),
    expiresAt: claims.exp,
    claims,
  })

/**
 * Sessions of the tenant north are redeemed, and some of them revoked at the same time. Once a
 * revocation is acknowledged, no token of its session opens anything. The others do.
 */
export async function revokeMeanwhile({ network, random }: Setting): Promise<void> {
  const storageOf = (name: string) => network.storage({ name, dead: false })
  const [host, page, admins] = [storageOf('host'), storageOf('page'), storageOf('admin')]
  for (let round = 0; round < rounds; round += 1) {
    const endUser = { embedTenantName: 'north', externalId: `user ${round}` }
    const { sessionId } = await generateOn(host, endUser)
    const revoke = random.pick([
      undefined,
      () => revokeSession(admins, admin, sessionId, startOfTime),
      () => revokeEndUsers(admins, admin, endUser, startOfTime),
    ])
    const [redemption] = await Promise.all([
      redeemSession(page, sessionId, startOfTime, issuance, signer),
      revoke?.(),
    ])
    if (redemption.token === undefined) continue
    const refused = await requireGoodToken(page, verifierOf(redemption.claims), 'signed').then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Unauthenticated) return error.message
        throw error
      },
    )
    if (revoke && !refused) throw new Error('A token opens something after it was revoked.')
    // An account that is read late may be missing.
    if (!revoke && refused === 'revoked token') throw new Error('A good token counts as revoked.')
  }
}
