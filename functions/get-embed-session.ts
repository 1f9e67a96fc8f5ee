import { forBearers } from './http/bearer.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('get-embed-session', {
  ...forBearers,
  answer({ now, bearer: { claims, expiresAt } }) {
    // The token may have expired while the database answered.
    const expiresIn = Math.max(0, Math.floor(expiresAt - now() / 1000))
    return { body: JSON.stringify({ claims, expiresIn }) }
  },
})
