import type { Principal } from '../access/principal.ts'
import type { Redemption } from './redeem.ts'
import type { Claims } from './token.ts'

/**
 * What is noted of a session from its making to its end, tied together by the `jti` of its token. Session ids and tokens
 * are never noted; the `jti` follows from a session id by a hash.
 */
export type SessionEvent =
  | { readonly event: 'session.generated'; readonly jti: string; readonly by: Caller; readonly for: Subject }
  | { readonly event: 'session.redeemed'; readonly jti: string; readonly for: Subject }
  | { readonly event: 'session.refused'; readonly jti: string; readonly reason: 'unknown' | 'expired' | 'revoked' }
  | { readonly event: 'session.replayed'; readonly jti: string; readonly reason: 'redeemed' }
  | { readonly event: 'session.revoked'; readonly jti: string; readonly by: Caller }

export type Caller = Pick<Principal, 'accountId' | 'userId'>

export type Subject = Pick<Claims, 'accountId' | 'deploymentId' | 'sub' | 'embedTenantName'>

export const callerOf = ({ accountId, userId }: Principal): Caller => ({ accountId, userId })

export const subjectOf = ({ accountId, deploymentId, sub, embedTenantName }: Claims): Subject => ({
  accountId,
  deploymentId,
  sub,
  embedTenantName,
})

/** A replay is an event of its own: a page that mounts twice redeems twice, and so does a thief. */
export function redemptionEvent(jti: string, redemption: Redemption): SessionEvent {
  if (redemption.token !== undefined) return { event: 'session.redeemed', jti, for: subjectOf(redemption.claims) }
  return redemption.refused === 'redeemed'
    ? { event: 'session.replayed', jti, reason: redemption.refused }
    : { event: 'session.refused', jti, reason: redemption.refused }
}
