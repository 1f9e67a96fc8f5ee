import { forBearers } from './http/bearer.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('get-embed-session', {
  ...forBearers,
  answer({ now, bearer: { claims, expiresAt } }) {
    return { body: JSON.stringify({ claims, expiresIn: Math.floor(expiresAt - now() / 1000) }) }
  },
})
