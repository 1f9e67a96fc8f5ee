import { ApiError, createClient } from '@embed-access/client/server'
import { createVerifier, TokenRefused } from '@embed-access/client/verify'
import type { Hono } from 'hono'
import { clientFile, file, page, site } from './web.ts'

/**
 * The platform: it serves the page that hosts embed. Its backend verifies the embed token of each
 * request, and asks the service with the token itself what its end user can see. So it needs no API
 * key.
 */
export function platform(settings: {
  readonly apiUrl: string
  /** The origin that may embed the page. */
  readonly host: string
}): Hono {
  const { apiUrl, host } = settings
  const { ISSUER: issuer = apiUrl, ACCOUNT: accountId = 'harborline' } = process.env
  const verify = createVerifier({ issuer, audience: issuer, accountId, revocations: {} })
  const app = site(`connect-src 'self' ${apiUrl}`, `frame-ancestors ${host}`)

  app.get('/', async ({ html }) => html(await page('embedded.html', { apiUrl, host })))
  app.all('/workbooks', async ({ req, json, body }) => {
    try {
      const token = req.header('authorization')?.replace(/^Bearer /, '') ?? ''
      const { act } = await verify(token)
      // Whoever views the page as an end user changes nothing.
      if (act && req.method !== 'GET') return body(null, 403)
      if (req.method !== 'GET') return body(null, 405)
      const seen = createClient({ baseUrl: apiUrl, token }).listEmbedWorkbooks()
      return json(await Array.fromAsync(seen.items(), ({ id, name }) => ({ id, name })))
    } catch (error) {
      if (error instanceof TokenRefused) return body(null, 401)
      // 401: the service knows at once that a token was revoked, the verifier in 30 seconds.
      // 403: the token is of an internal user, who sees more than an end user.
      const isRefused = error instanceof ApiError && [401, 403].includes(error.status)
      if (isRefused) return body(null, error.status as 401 | 403)
      throw error
    }
  })
  app.get('/embedded.js', file('embedded.js'))
  app.get('/session.js', file('session.js'))
  app.get('/client.js', clientFile('browser'))
  return app
}
