import { afterAll, beforeAll } from 'vitest'
import { asksAuthorizer, routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { edgeHeader } from '../../functions/runtime/edge.ts'
import { createGateway } from '../../local/gateway/gateway.ts'
import { gatewayServer } from '../../local/gateway/server.ts'
import { edgeSecrets } from '../infrastructure/stages.ts'
import { component, type StageName, stageOf } from '../infrastructure/suite.ts'
import { listening } from '../support/temporary.ts'
import { type Emulated, emulated } from './emulated.ts'

/**
 * The functions of a stage behind the local gateway, whose events test/gateway compares with those
 * that AWS documents. Each function starts at its first call and ends after the tests.
 * @param context what takes the place of the authorizer
 */
export function service(
  name: StageName,
  variables: () => Record<string, string>,
  context?: () => object,
) {
  const deployed = stageOf(name).made('lambda:Function')
  const running = new Map<string, Emulated>()
  let url = ''

  async function started(lambda: string, more = {}): Promise<Emulated> {
    const found = running.get(lambda)
    if (found) return found
    const inputs = deployed[`${component(lambda)}Function`] ?? {}
    const made = await emulated(lambda, inputs, { ...variables(), ...more })
    running.set(lambda, made)
    return made
  }
  const calling = (lambda: string) => async (event: object) => (await started(lambda)).invoke(event)

  beforeAll(async () => {
    const gateway = createGateway({
      routes: routes.map((route) => ({
        routeKey: routeKeyOf(route),
        authorized: asksAuthorizer(route),
        handler: calling(route.id),
        timeoutSeconds: 60,
      })),
      authorizer: context
        ? async () => ({ isAuthorized: true, context: context() })
        : calling('authorizer'),
      authorizerTimeoutSeconds: 60,
      authorizerCacheSeconds: 0,
      corsOrigins: [],
      now: Date.now,
      log: () => {},
    })
    const server = gatewayServer((request, response) => {
      // As the edge does.
      if (name === 'edge' && !request.headers[edgeHeader]) {
        request.rawHeaders.push(edgeHeader, edgeSecrets[0] as string)
      }
      gateway(request, response)
    })
    const served = await listening(server)
    url = served.url
    return served.end
  })
  afterAll(() => Promise.all(Array.from(running.values(), (each) => each.end())))

  return {
    /** The issuer of its tokens. */
    issuer: String(Object.values(deployed)[0]?.environment.variables.ISSUER),
    url: () => url,
    started,
    names: () => [...running.keys()].sort(),
    printed: () => Array.from(running.values(), (each) => each.printed()).join('\n'),
    fetch: (path: string, init?: RequestInit) => fetch(url + path, init),
    status: async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
    body: async (path: string, init?: RequestInit): Promise<any> =>
      (await fetch(url + path, init)).json(),
  }
}
