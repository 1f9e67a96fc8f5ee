import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { beforeAll } from 'vitest'
import { listening } from '../support/temporary.ts'

/**
 * A server on loopback for the tests of a file.
 * @param answer gives what a request is answered with, as JSON, or answers it itself
 * @returns its URL, once the tests have begun, and the paths that it was asked for
 */
export function served(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const state = { url: '', asked: [] as string[] }
  const server = createServer(async (request, response) => {
    state.asked.push(request.url ?? '')
    const body = await answer(request, response)
    if (!response.writableEnded) response.end(JSON.stringify(body))
  })
  beforeAll(async () => {
    const { url, end } = await listening(server)
    state.url = url
    return end
  })
  return state
}

const client = { id: 'a-client', secret: 'a secret of at least thirty-two characters' }

export type Issuer = Awaited<ReturnType<typeof startIssuer>>

/**
 * Starts an OIDC issuer on loopback: oidc-provider, which issues access tokens as JWTs (RFC 9068).
 */
export async function startIssuer() {
  let extraClaims: object = {}
  const server = createServer()
  const { url, end } = await listening(server)
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwks = { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] }
  server.on(
    'request',
    new Provider(url, { ...configuration, jwks, extraTokenClaims: () => extraClaims }).callback(),
  )

  return {
    url,
    async accessToken(audience: string, claims: object): Promise<string> {
      extraClaims = claims
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`${client.id}:${encodeURIComponent(client.secret)}`)}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
      })
      const body = (await response.json()) as { access_token?: string }
      if (body.access_token === undefined) throw new Error(JSON.stringify(body))
      return body.access_token
    },
    stop: end,
    restart: () => listening(server, Number(new URL(url).port)),
  }
}

/** Keeps nothing: the one client is configured, and tokens that are JWTs need no store. */
class NoStore {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
}

const configuration = {
  adapter: NoStore,
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  ttl: { ClientCredentials: 3_600 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context: unknown, audience: string) => ({
        audience,
        scope: '',
        accessTokenFormat: 'jwt',
      }),
    },
  },
}
