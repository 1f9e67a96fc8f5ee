import type { Server } from 'node:http'
import { currentPublicKeys, currentSigner } from '@embed-access/core/sessions/stored-keys.ts'
import type { TokenLimits } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { create as createAuthorizer } from '../functions/authorizer.ts'
import { crossOrigin } from '../functions/http/cors.ts'
import type { HttpHandler } from '../functions/http/endpoint.ts'
import { authorizer } from '../functions/operations/lambdas.ts'
import { type Route, routeKeyOf, routes } from '../functions/operations/operations.ts'
import type { Runtime } from '../functions/runtime/runtime.ts'
import { defaultLimits } from '../functions/runtime/tokens.ts'
import { type CorsConfiguration, createGateway, type GatewayRoute } from './gateway/gateway.ts'

export type LocalService = {
  readonly storage: Storage
  /** Milliseconds since the epoch. */
  now(): number
  readonly issuer: string
  /** The origins whose pages may call the public operations. `*` for all. */
  readonly corsOrigins: readonly string[]
  readonly limits?: Partial<Pick<TokenLimits, 'lifetimeSeconds' | 'maxTokenBytes'>>
  /** How long the gateway reuses what the authorizer said, in seconds. */
  readonly authorizerCacheSeconds?: number
  /** Takes lines for the operator. A line of a function is JSON. */
  log(line: string): void
}

/** Makes the service for one machine: the real functions behind a local API Gateway. It does not listen yet. */
export async function createLocalService(options: LocalService): Promise<Server> {
  const { storage, now, issuer, corsOrigins, limits, log } = options
  // Each function keeps what it has read for itself, as on Lambda.
  const runtime = (): Runtime => ({
    now,
    log: (entry) => log(JSON.stringify(entry)),
    issuer,
    storage,
    issuance: { issuer, audience: issuer, ...defaultLimits, ...limits },
    signer: currentSigner(storage, now),
    verificationKeys: currentPublicKeys(storage, now),
  })
  return createGateway({
    routes: await Promise.all(routes.map((route) => gatewayRoute(route, runtime()))),
    authorizer: createAuthorizer(runtime()),
    authorizerTimeoutSeconds: authorizer.timeout,
    authorizerCacheSeconds: options.authorizerCacheSeconds ?? 0,
    cors: corsFor(corsOrigins),
    now,
    log,
  })
}

async function gatewayRoute(route: Route, runtime: Runtime): Promise<GatewayRoute> {
  const { create } = (await import(`../functions/${route.id}.ts`)) as { create(runtime: Runtime): HttpHandler }
  return {
    routeKey: routeKeyOf(route),
    handler: create(runtime),
    authorized: route.access !== 'public',
    timeoutSeconds: route.timeout,
  }
}

const corsFor = (allowOrigins: readonly string[]): CorsConfiguration => ({
  allowOrigins,
  allowMethods: crossOrigin.methods,
  allowHeaders: crossOrigin.headers,
  exposeHeaders: crossOrigin.exposedHeaders,
  maxAgeSeconds: crossOrigin.maxAgeSeconds,
})
