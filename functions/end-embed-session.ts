import { revokeToken } from '@embed-access/core/sessions/revoke.ts'
import { callerOfToken, forBearers } from './http/bearer.ts'
import { operation } from './http/operation.ts'
import { auditRevocation } from './runtime/audit.ts'

export const handler = await operation('end-embed-session', {
  ...forBearers,
  async answer({ storage, audit, bearer }) {
    const { accountId, id, expiresAt } = bearer
    const event = { event: 'session.revoked', jti: id.jti, by: callerOfToken(bearer) } as const
    const scope = { accountId, deploymentIds: 'all' } as const
    await auditRevocation(audit, event, revokeToken(storage, scope, id.jti, expiresAt))
    return {}
  },
})
