import type { Server } from 'node:http'
import type { TokenLimits } from '@embed-access/core/sessions/token.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { handler as authorizer } from '../functions/authorizer.ts'
import type { OperationHandler } from '../functions/http/operation.ts'
import { authorizer as authorizerRecord } from '../functions/operations/lambdas.ts'
import { asksAuthorizer, routeKeyOf, routes } from '../functions/operations/operations.ts'
import { defaultLimits } from '../functions/runtime/environment.ts'
import type { Runtime } from '../functions/runtime/runtime.ts'
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
  const parts = {
    ...runtime,
    storage,
    issuance: { issuer, audience: issuer, ...defaultLimits, ...limits },
  }
  const ofFunctions = routes.map(async (route) => {
    const { handler } = (await import(`../functions/${route.id}.ts`)) as {
      handler: OperationHandler
    }
    const authorized = asksAuthorizer(route)
    return {
      routeKey: routeKeyOf(route),
      handler: handler.create(parts),
      authorized,
      timeoutSeconds: route.timeout,
    }
  })
  const gateway = createGateway({
    routes: await Promise.all(ofFunctions),
    authorizer: authorizer.create(parts),
    authorizerTimeoutSeconds: authorizerRecord.timeout,
    ...{ authorizerCacheSeconds, corsOrigins, now, log },
  })
  return gatewayServer(app === undefined ? gateway : before(gateway, app))
}
