import { revokeToken } from '@embed-access/core/sessions/revoke.ts'
import { bearer, bearerUses, callerOfToken } from './http/bearer.ts'
import { forgedToken } from './http/forged-token.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('end-embed-session', {
  uses: bearerUses,
  bearer,
  async answer({ storage, now, audit, bearer }) {
    const { accountId, id } = bearer
    await revokeToken(storage, { accountId, deploymentIds: 'all' }, id.jti, now())
    audit({ event: 'session.revoked', jti: id.jti, by: callerOfToken(bearer) })
    return {}
  },
  warmUpRequest: async ({ verificationKeys }) => ({ headers: await forgedToken(verificationKeys) }),
})
