import type { Server } from 'node:http'
import type { TokenLimits } from '@embed-access/core/sessions/generate.ts'
import { publicKeys, tokenSigner } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { JWK } from 'jose'
import { create as createAuthorizer } from '../functions/authorizer.ts'
import type { HttpHandler } from '../functions/http/endpoint.ts'
import { type Route, routeKeyOf, routes } from '../functions/http/routes.ts'
import type { Runtime } from '../functions/runtime/runtime.ts'
import { defaultLimits } from '../functions/runtime/tokens.ts'
import { type CorsConfiguration, createGateway, type GatewayRoute } from './gateway/gateway.ts'

export type LocalService = {
  readonly storage: Storage
  /** Milliseconds since the epoch. */
  now(): number
  /** Private keys, of which the first one signs; the public parts of all are published. */
  readonly signingKeys: readonly JWK[]
  readonly issuer: string
  /** Whose pages may read the exchange and the key set; `*` for all. */
  readonly corsOrigins: readonly string[]
  readonly limits?: Partial<Pick<TokenLimits, 'lifetimeSeconds' | 'maxTokenBytes'>>
  readonly authorizerCacheSeconds?: number
  /** Takes lines for the operator; a line of a function is JSON. */
  log(line: string): void
}

/** The service on one machine: the functions themselves, behind an API Gateway of ours. It doesn't listen yet. */
export async function createLocalService(options: LocalService): Promise<Server> {
  const { storage, now, signingKeys, issuer, corsOrigins, limits, authorizerCacheSeconds = 0, log } = options
  const runtime: Runtime = {
    now,
    log: (entry) => log(JSON.stringify(entry)),
    issuer,
    storage,
    issuance: { issuer, audience: issuer, ...defaultLimits, ...limits },
    signer: await tokenSigner(signingKeys[0] as JWK),
    verificationKeys: publicKeys(signingKeys),
  }
  return createGateway({
    routes: await Promise.all(routes.map((route) => gatewayRoute(route, runtime))),
    authorizer: createAuthorizer(runtime),
    authorizerCacheSeconds,
    cors: corsFor(corsOrigins),
    now,
    log,
  })
}

async function gatewayRoute(route: Route, runtime: Runtime): Promise<GatewayRoute> {
  const { create } = (await import(`../functions/${route.file}.ts`)) as { create(runtime: Runtime): HttpHandler }
  return { routeKey: routeKeyOf(route), handler: create(runtime), authorized: route.access !== 'public' }
}

/** Without `authorization` among its headers: browsers reach the public operations and no others. */
const corsFor = (allowOrigins: readonly string[]): CorsConfiguration => ({
  allowOrigins,
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['content-type'],
  exposeHeaders: ['x-request-id', 'retry-after'],
  maxAgeSeconds: 300,
})
