import { createClient } from '@embed-access/client/server'
import { createVerifier, TokenRefused } from '@embed-access/client/verify'
import type { Hono } from 'hono'
import { clientFile, file, page, site } from './web.ts'

/**
 * The platform: it serves the page that hosts embed. Its backend verifies the embed token of each
 * request, and shows what the embed tenant of the token can see. It has an API key of its own for
 * that.
 */
export function platform(settings: {
  readonly apiUrl: string
  readonly apiKey: string
  /** The origin that may embed the page. */
  readonly host: string
}): Hono {
  const { apiUrl, apiKey, host } = settings
  const { ISSUER: issuer = apiUrl, ACCOUNT: accountId = 'harborline' } = process.env
  const api = createClient({ baseUrl: apiUrl, token: apiKey })
  const checkRevocation = { everySeconds: 30 }
  const verify = createVerifier({ issuer, audience: issuer, accountId, checkRevocation })
  const app = site(`connect-src 'self' ${apiUrl}`, `frame-ancestors ${host}`)

  app.get('/', async ({ html }) => html(await page('embedded.html', { apiUrl, host })))
  app.all('/workbooks', async ({ req, json, body }) => {
    try {
      const token = req.header('authorization')?.replace(/^Bearer /, '') ?? ''
      const { deploymentId, embedTenantName = '', act } = await verify(token)
      // Whoever views the page as an end user changes nothing.
      if (act && req.method !== 'GET') return body(null, 403)
      if (req.method !== 'GET') return body(null, 405)
      const seen = api.listEmbedTenantWorkbooks({ deploymentId, embedTenantName })
      return json(await Array.fromAsync(seen.items(), ({ id, name }) => ({ id, name })))
    } catch (error) {
      if (error instanceof TokenRefused) return body(null, 401)
      throw error
    }
  })
  app.get('/embedded.js', file('embedded.js'))
  app.get('/session.js', file('session.js'))
  app.get('/client.js', clientFile('browser'))
  return app
}
