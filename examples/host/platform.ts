import { createClient } from '@embed-access/client'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
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
  const keySet = createRemoteJWKSet(new URL('/.well-known/jwks.json', apiUrl))
  const { ISSUER: issuer = apiUrl } = process.env

  /** docs/verify-a-token.md says why each of these is checked. */
  const claimsOf = async (authorization = '') => {
    const token = authorization.replace(/^Bearer /, '')
    const { payload } = await jwtVerify(token, keySet, {
      issuer,
      audience: issuer,
      typ: 'embed+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'sub', 'jti'],
    })
    return payload as { readonly deploymentId: number; readonly embedTenantName?: string }
  }

  return {
    policy:
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ` +
      `'self' ${apiUrl}; base-uri 'none'; frame-ancestors ${host}`,
    routes: {
      'GET /': () => page('embedded.html', { apiUrl, host }),
      'GET /workbooks': async ({ headers }) => {
        try {
          const { deploymentId, embedTenantName = '' } = await claimsOf(headers.authorization)
          const workbooks = []
          for await (const { id, name } of api
            .listEmbedTenantWorkbooks(deploymentId, embedTenantName)
            .items()) {
            workbooks.push({ id, name })
          }
          return json(workbooks)
        } catch (error) {
          if (error instanceof errors.JOSEError) return { status: 401 }
          throw error
        }
      },
      'GET /embedded.js': file('embedded.js'),
      'GET /client.js': clientFile,
      'GET /style.css': file('style.css'),
      'GET /icon.svg': file('icon.svg'),
    },
  }
}
