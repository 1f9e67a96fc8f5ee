import type { Server } from 'node:http'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import type { TokenLimits } from '@embed-access/core/sessions/token.ts'
import { currentDocument } from '@embed-access/core/signing/revocations-document.ts'
import { currentPublicKeys, currentSigner } from '@embed-access/core/signing/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { handler as authorizer } from '../functions/authorizer.ts'
import type { OperationHandler } from '../functions/http/operation.ts'
import { authorizer as authorizerRecord } from '../functions/operations/lambdas.ts'
import { asksAuthorizer, routeKeyOf, routes } from '../functions/operations/operations.ts'
import type { Runtime } from '../functions/runtime/definition.ts'
import { defaultLimits } from '../functions/runtime/environment.ts'
import { createGateway, type GatewayOptions } from './gateway/gateway.ts'
import { gatewayServer } from './gateway/server.ts'
import { before, type LocalApp } from './local-app.ts'

export type LocalService = Pick<GatewayOptions, 'corsOrigins' | 'now' | 'log'> & {
  readonly storage: Storage
  readonly issuer: string
  readonly limits?: Partial<Pick<TokenLimits, 'lifetimeSeconds' | 'maxTokenBytes'>>
  readonly edge?: Runtime['edge']
  readonly authorizerCacheSeconds?: number
}

/**
 * Makes the service for one machine: the real functions behind a local API Gateway. It does not
 * listen yet.
 * @param app what stands before the gateway
 */
export async function createLocalService(options: LocalService, app?: LocalApp): Promise<Server> {
  const {
    storage,
    now,
    issuer,
    edge,
    corsOrigins,
    limits,
    log,
    authorizerCacheSeconds = 0,
  } = options
  const runtime: Runtime = { now, log: (entry) => log(JSON.stringify(entry)), issuer, edge }
  // All that any function takes. Each function gets its own, since instances share no memory.
  const made = () => ({
    issuance: { issuer, audience: issuer, ...defaultLimits, ...limits },
    signer: currentSigner({ storage, now }),
    document: currentDocument(runtime),
    verificationKeys: currentPublicKeys({ storage, now }),
    recent: recentLookups(now),
  })
  const gatewayRoutes = routes.map(async (route) => {
    const { handler } = (await import(`../functions/${route.id}.ts`)) as {
      handler: OperationHandler<ReturnType<typeof made>>
    }
    return {
      routeKey: routeKeyOf(route),
      handler: handler.create({ ...runtime, storage, ...made() }),
      authorized: asksAuthorizer(route),
      timeoutSeconds: route.timeout,
    }
  })
  const gateway = createGateway({
    routes: await Promise.all(gatewayRoutes),
    authorizer: authorizer.create({ ...runtime, storage, ...made() }),
    authorizerTimeoutSeconds: authorizerRecord.timeout,
    authorizerCacheSeconds,
    corsOrigins,
    now,
    log,
  })
  return gatewayServer(app === undefined ? gateway : before(gateway, app))
}
