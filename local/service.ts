import type { Server } from 'node:http'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { handler as authorizer } from '../functions/authorizer.ts'
import type { OperationHandler } from '../functions/http/operation.ts'
import { authorizer as authorizerRecord } from '../functions/operations/lambdas.ts'
import { asksAuthorizer, routeKeyOf, routes } from '../functions/operations/operations.ts'
import type { FunctionRecord } from '../functions/operations/record.ts'
import type { Given, Runtime } from '../functions/runtime/definition.ts'
import type { Environment } from '../functions/runtime/environment.ts'
import { createGateway, type GatewayOptions } from './gateway/gateway.ts'
import { gatewayServer } from './gateway/server.ts'
import { appBefore, type LocalApp } from './local-app.ts'
import { permitted } from './permitted.ts'

export type LocalService = Pick<GatewayOptions, 'corsOrigins' | 'now' | 'log'> & {
  storage: Storage
  issuer: string
  /** Environment variables of the functions besides ISSUER. */
  environment?: Environment
  edge?: Runtime['edge']
  authorizerCacheSeconds?: number
}

/**
 * Makes the service for one machine: the real functions behind a local API Gateway. It does not
 * listen yet.
 * @param app answers some requests before the gateway gets them
 */
export async function createLocalService(options: LocalService, app?: LocalApp): Promise<Server> {
  const { storage, now, issuer, edge, corsOrigins, log, authorizerCacheSeconds = 0 } = options
  const runtime: Runtime = { now, log: (entry) => log(JSON.stringify(entry)), issuer, edge }
  const environment = { ISSUER: issuer, ...options.environment }
  /** The parts of a function, which may do no more than its record says. */
  const partsOf = <Made>({ make }: { make(given: Given): Made }, record: FunctionRecord) => {
    const own = permitted(storage, record)
    return { ...runtime, storage: own, ...make({ environment, storage: own, now }) }
  }
  const gatewayRoutes = routes.map(async (route) => {
    const { handler } = (await import(`../functions/${route.id}.ts`)) as {
      handler: OperationHandler<object>
    }
    return {
      routeKey: routeKeyOf(route),
      handler: handler.create(partsOf(handler, route)),
      authorized: asksAuthorizer(route),
      timeoutSeconds: route.timeout,
    }
  })
  const gateway = createGateway({
    routes: await Promise.all(gatewayRoutes),
    authorizer: authorizer.create(partsOf(authorizer, authorizerRecord)),
    authorizerTimeoutSeconds: authorizerRecord.timeout,
    authorizerCacheSeconds,
    corsOrigins,
    now,
    log,
  })
  return gatewayServer(app === undefined ? gateway : appBefore(gateway, app))
}
