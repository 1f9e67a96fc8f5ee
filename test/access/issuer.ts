import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider from 'oidc-provider'
import { beforeAll } from 'vitest'
import { listening } from '../support/temporary.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

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
 * @param path what follows the host in its URL, such as `/realms/acme/`
 */
export async function startIssuer(algorithm = 'ES256', path = '') {
  let extraClaims: object = {}
  let handle: Handler = () => {}
  let otherwise: Handler | undefined
  const asked: string[] = []

  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const byClient = request.method === 'POST'
    return otherwise && !byClient ? otherwise(request, response) : handle(request, response)
  })
  const { url: origin, end } = await listening(server)
  const url = origin + path
  const base = url.replace(/\/$/, '')

  /** Signs with a key of its own from now on, and publishes no other. */
  async function rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
    // Under a kid that the provider makes of the key: its thumbprint.
    const key = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig' }
    const provide = new Provider(
      url,
      configuration(algorithm, key, () => extraClaims),
    ).callback()
    handle = (request, response) => {
      // As mounted below a path, which oidc-provider knows from what was there before.
      const below = request.url?.slice(base.length - new URL(url).origin.length)
      return provide(Object.assign(request, { originalUrl: request.url, url: below }), response)
    }
  }
  await rotate()

  return {
    url,
    /** The paths that it was asked for. */
    asked,
    rotate,
    /** An access token for an audience, with these claims too. */
    async accessToken(audience: string, claims: object): Promise<string> {
      extraClaims = claims
      const response = await fetch(`${base}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client.id}:${encodeURIComponent(client.secret)}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
      })
      const body = (await response.json()) as { access_token?: string }
      if (body.access_token === undefined) throw new Error(JSON.stringify(body))
      return body.access_token
    },
    /** Answers every request of others like this from now on. */
    answer: (handler: Handler) => {
      otherwise = handler
    },
    stop: end,
    restart: () => listening(server, Number(new URL(origin).port)),
  }
}

/** Keeps nothing: the one client is configured, and tokens that are JWTs need no store. */
class NoStore {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
}

const configuration = (algorithm: string, key: JWK, extraClaims: () => object) => ({
  jwks: { keys: [key] },
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
  enabledJWA: { idTokenSigningAlgValues: [algorithm] },
  clientDefaults: { id_token_signed_response_alg: algorithm },
  extraTokenClaims: extraClaims,
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
        accessTokenTTL: 3_600,
        jwt: { sign: { alg: algorithm } },
      }),
    },
  },
})
