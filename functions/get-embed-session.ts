import { bearer, bearerUses } from './http/bearer.ts'
import { forgedToken } from './http/forged-token.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('get-embed-session', {
  uses: bearerUses,
  bearer,
  answer({ now, bearer: { claims, expiresAt } }) {
    return { json: JSON.stringify({ claims, expiresIn: Math.floor(expiresAt - now() / 1000) }) }
  },
  warmUpRequest: async ({ verificationKeys }) => ({ headers: await forgedToken(verificationKeys) }),
})
