import type { Server } from 'node:http'
import type { TokenLimits } from '@embed-access/core/sessions/generate.ts'
import { publicKeys, type SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { tokenSigner } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { create as createAuthorizer } from '../functions/authorizer.ts'
import { crossOrigin } from '../functions/http/cors.ts'
import type { HttpHandler } from '../functions/http/endpoint.ts'
import { authorizer } from '../functions/operations/deployed.ts'
import { type Route, routeKeyOf, routes } from '../functions/operations/operations.ts'
import type { Runtime } from '../functions/runtime/runtime.ts'
import { defaultLimits } from '../functions/runtime/tokens.ts'
import { type CorsConfiguration, createGateway, type GatewayRoute } from './gateway/gateway.ts'

export type LocalService = {
  readonly storage: Storage
  /** Milliseconds since the epoch. */
  now(): number
  /** The keys as they are now; the functions are made anew, as a deployment does, once they are others. */
  signingKeys(): SigningKeys
  readonly issuer: string
  /** Whose pages may read the exchange and the key set; `*` for all. */
  readonly corsOrigins: readonly string[]
  readonly limits?: Partial<Pick<TokenLimits, 'lifetimeSeconds' | 'maxTokenBytes'>>
  /** How long the gateway reuses what the authorizer said, in seconds. */
  readonly authorizerCacheSeconds?: number
  /** Takes lines for the operator; a line of a function is JSON. */
  log(line: string): void
}

/** The service on one machine: the functions themselves, behind an API Gateway of ours. It doesn't listen yet. */
export async function createLocalService(options: LocalService): Promise<Server> {
  const { storage, now, signingKeys, issuer, corsOrigins, limits, log } = options
  const deployed = deployedWith(signingKeys, async (keys) => ({
    now,
    log: (entry) => log(JSON.stringify(entry)),
    issuer,
    storage,
    issuance: { issuer, audience: issuer, ...defaultLimits, ...limits },
    signer: await tokenSigner(keys),
    verificationKeys: publicKeys(keys.keys),
  }))
  await deployed()
  return createGateway({
    routes: routes.map((route) => gatewayRoute(route, deployed)),
    authorizer: async (event, context) => (await deployed()).authorizer(event, context),
    authorizerTimeoutSeconds: authorizer.timeout,
    authorizerCacheSeconds: options.authorizerCacheSeconds ?? 0,
    cors: corsFor(corsOrigins),
    now,
    log,
  })
}

type Deployed = {
  readonly authorizer: ReturnType<typeof createAuthorizer>
  readonly handlers: ReadonlyMap<Route, HttpHandler>
}

/** The functions made with the keys as they are now, and made again when those have changed. */
function deployedWith(
  signingKeys: LocalService['signingKeys'],
  runtimeWith: (keys: SigningKeys) => Promise<Runtime>,
): () => Promise<Deployed> {
  let latest: { readonly keys: SigningKeys; readonly deployed: Promise<Deployed> } | undefined
  return async () => {
    const keys = signingKeys()
    if (latest?.keys !== keys) latest = { keys, deployed: runtimeWith(keys).then(deploy) }
    return latest.deployed
  }
}

async function deploy(runtime: Runtime): Promise<Deployed> {
  const handlers = routes.map(async (route) => {
    const { create } = (await import(`../functions/${route.id}.ts`)) as { create(runtime: Runtime): HttpHandler }
    return [route, create(runtime)] as const
  })
  return { authorizer: createAuthorizer(runtime), handlers: new Map(await Promise.all(handlers)) }
}

const gatewayRoute = (route: Route, deployed: () => Promise<Deployed>): GatewayRoute => ({
  routeKey: routeKeyOf(route),
  handler: async (event, context) => ((await deployed()).handlers.get(route) as HttpHandler)(event, context),
  authorized: route.access !== 'public',
  timeoutSeconds: route.timeout,
})

const corsFor = (allowOrigins: readonly string[]): CorsConfiguration => ({
  allowOrigins,
  allowMethods: crossOrigin.methods,
  allowHeaders: crossOrigin.headers,
  exposeHeaders: crossOrigin.exposedHeaders,
  maxAgeSeconds: crossOrigin.maxAgeSeconds,
})
