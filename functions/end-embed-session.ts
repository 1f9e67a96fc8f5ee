import { revokeToken } from '@embed-access/core/sessions/revoke.ts'
import { callerOfToken, forBearers } from './http/bearer.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('end-embed-session', {
  ...forBearers,
  async answer({ storage, audit, bearer }) {
    const { accountId, id, expiresAt } = bearer
    await revokeToken(storage, { accountId, deploymentIds: 'all' }, id.jti, expiresAt)
    audit({ event: 'session.revoked', jti: id.jti, by: callerOfToken(bearer) })
    return {}
  },
})
