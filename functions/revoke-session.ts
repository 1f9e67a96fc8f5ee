import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { callerOf } from '@embed-access/core/sessions/audit.ts'
import { revocationScope, revokeEndUsers, revokeSession } from '@embed-access/core/sessions/revoke.ts'
import { RevokeSession } from '@embed-access/core/sessions/revoke-request.ts'
import { tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { operation } from './http/operation.ts'
import { storage } from './runtime/storage.ts'

export const handler = await operation('revoke-session', {
  input: { body: RevokeSession },
  uses: { storage },
  isRevoked,
  async answer({ storage, now, audit, principal, body: { sessionId, embedTenantName, externalId } }) {
    const by = callerOf(principal)
    if (embedTenantName === undefined) {
      const id = sessionId as string
      await revokeSession(storage, revocationScope(principal), id, now())
      audit({ event: 'session.revoked', jti: tokenIdOf(id), by })
    } else {
      if (!principal.admin) throw new Refusal('admin_required')
      const endUsers = { embedTenantName, externalId }
      await revokeEndUsers(storage, principal, endUsers, now())
      audit({ event: 'sessions.revoked', of: endUsers, by })
    }
    return {}
  },
  warmUpRequest: { body: '{"sessionId":""}' },
})
