import { createClient } from '@embed-access/client/server'
import { createVerifier, TokenRefused } from '@embed-access/client/verify'
import { clientFile, file, json, page, type Site } from './web.ts'

/**
 * The platform: it serves the page that hosts embed. Its backend verifies the embed token of each
 * request, and shows what the embed tenant of the token can see. It has an API key of its own for
 * that.
 */
export function platform(settings: {
  readonly apiUrl: string
  readonly apiKey: string
  readonly origin: string
  /** The origin that may embed the page. */
  readonly host: string
}): Site {
  const { apiUrl, apiKey, host } = settings
  const api = createClient({ baseUrl: apiUrl, token: apiKey })
  const { ISSUER: issuer = apiUrl, ACCOUNT: accountId = 'harborline' } = process.env
  const verify = createVerifier({
    issuer,
    audience: issuer,
    accountId,
    checkRevocation: { everySeconds: 30 },
  })

  return {
    policy:
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ` +
      `'self' ${apiUrl}; base-uri 'none'; frame-ancestors ${host}`,
    routes: {
      'GET /': () => page('embedded.html', { apiUrl, host }),
      'GET /workbooks': async ({ headers }) => {
        try {
          const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
          const { deploymentId, embedTenantName = '' } = await verify(token)
          const workbooks = []
          const seen = api.listEmbedTenantWorkbooks({ deploymentId, embedTenantName })
          for await (const { id, name } of seen.items()) workbooks.push({ id, name })
          return json(workbooks)
        } catch (error) {
          if (error instanceof TokenRefused) return { status: 401 }
          throw error
        }
      },
      'GET /embedded.js': file('embedded.js'),
      'GET /client.js': clientFile('browser'),
      'GET /embed-frame.js': clientFile('embed-frame'),
      'GET /style.css': file('style.css'),
      'GET /icon.svg': file('icon.svg'),
    },
  }
}
