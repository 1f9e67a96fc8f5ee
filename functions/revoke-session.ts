import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { exactly, text } from '@embed-access/core/schema.ts'
import { callerOf } from '@embed-access/core/sessions/audit.ts'
import { revokeSession } from '@embed-access/core/sessions/revoke.ts'
import { tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { operation } from './http/operation.ts'
import { storage } from './runtime/storage.ts'
import { defaultLimits } from './runtime/tokens.ts'

export const handler = await operation('revoke-session', {
  input: { body: exactly({ sessionId: text }) },
  uses: { storage },
  isRevoked,
  async answer({ storage, now, audit, principal, body: { sessionId } }) {
    // The token may have been issued with a longer lifetime than the one set now.
    await revokeSession(storage, principal, sessionId, now(), defaultLimits.lifetimeSeconds)
    audit({ event: 'session.revoked', jti: tokenIdOf(sessionId), by: callerOf(principal) })
    return {}
  },
  warmUpRequest: { body: '{"sessionId":""}' },
})
