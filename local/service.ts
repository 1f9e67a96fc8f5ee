import type { Server } from 'node:http'
import type { TokenLimits } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { handler as authorizer } from '../functions/authorizer.ts'
import { crossOrigin } from '../functions/http/headers.ts'
import type { OperationHandler } from '../functions/http/operation.ts'
import { authorizer as authorizerRecord } from '../functions/operations/lambdas.ts'
import { asksAuthorizer, type Route, routeKeyOf, routes } from '../functions/operations/operations.ts'
import type { Parts, Runtime } from '../functions/runtime/runtime.ts'
import { defaultLimits } from '../functions/runtime/tokens.ts'
import { type CorsConfiguration, createGateway, type GatewayRoute, gatewayServer } from './gateway/gateway.ts'
import { before, type LocalApp } from './local-app.ts'

export type LocalService = {
  readonly storage: Storage
  /** Milliseconds since the epoch. */
  now(): number
  readonly issuer: string
  /** The origins whose pages may call the service. `*` for all. */
  readonly corsOrigins: readonly string[]
  readonly limits?: Partial<Pick<TokenLimits, 'lifetimeSeconds' | 'maxTokenBytes'>>
  readonly edge?: Runtime['edge']
  /** How long the gateway reuses what the authorizer said, in seconds. */
  readonly authorizerCacheSeconds?: number
  /** Takes lines for the operator. A line of a function is JSON. */
  log(line: string): void
}

/**
 * Makes the service for one machine: the real functions behind a local API Gateway. It does not listen yet.
 * @param app what stands before the gateway
 */
export async function createLocalService(options: LocalService, app?: LocalApp): Promise<Server> {
  const { storage, now, issuer, edge, corsOrigins, limits, log } = options
  const runtime: Runtime = { now, log: (entry) => log(JSON.stringify(entry)), issuer, edge }
  const parts = { ...runtime, storage, issuance: { issuer, audience: issuer, ...defaultLimits, ...limits } }
  const gateway = createGateway({
    routes: await Promise.all(routes.map((route) => gatewayRoute(route, parts))),
    authorizer: authorizer.create(parts),
    authorizerTimeoutSeconds: authorizerRecord.timeout,
    authorizerCacheSeconds: options.authorizerCacheSeconds ?? 0,
    cors: corsFor(corsOrigins),
    now,
    log,
  })
  return gatewayServer(app === undefined ? gateway : before(gateway, app))
}

async function gatewayRoute(route: Route, parts: Parts): Promise<GatewayRoute> {
  const { handler } = (await import(`../functions/${route.id}.ts`)) as { handler: OperationHandler }
  return {
    routeKey: routeKeyOf(route),
    handler: handler.create(parts),
    authorized: asksAuthorizer(route),
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
