import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { afterAll, beforeAll, inject } from 'vitest'
import { createTables } from '../../cli/create-tables.ts'
import { loadDemo } from '../../cli/start/load.ts'
import { asksAuthorizer, routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { edgeHeader } from '../../functions/runtime/edge.ts'
import { tableVariables } from '../../functions/runtime/environment.ts'
import { createGateway } from '../../local/gateway/gateway.ts'
import { gatewayServer } from '../../local/gateway/server.ts'
import { edgeSecrets } from '../infrastructure/stages.ts'
import { component, type Inputs, type StageName, stageOf } from '../infrastructure/suite.ts'
import { patient } from '../support/database.ts'
import { listening } from '../support/temporary.ts'
import { type Emulated, emulated } from './emulated.ts'

/**
 * The functions of a stage over the demo catalog, behind the local gateway, whose events
 * test/gateway compares with those that AWS documents. Each function starts at its first call and
 * ends after the tests.
 * @param silent the address of a database that takes the place of the one with the demo, and what
 * the authorizer would have told without it
 */
export function service(
  name: StageName,
  silent?: { readonly endpoint: () => string; readonly context: object },
) {
  const deployed = stageOf(name).made('lambda:Function')
  const variables = Object.values(deployed).map(({ environment }) => environment.variables)
  const running = new Map<string, Emulated>()
  const database = () => silent?.endpoint() ?? inject('engineEndpoint')
  let url = ''

  async function started(lambda: string, more = {}): Promise<Emulated> {
    const inputs = deployed[`${component(lambda)}Function`] ?? {}
    const own = { DYNAMODB_ENDPOINT: database(), ...more }
    const made = running.get(lambda) ?? (await emulated(lambda, inputs, own))
    running.set(lambda, made)
    return made
  }
  const calling = (lambda: string) => async (event: object) => (await started(lambda)).invoke(event)

  beforeAll(async () => {
    if (!silent) await fill(Object.assign({}, ...variables), database())
    const gateway = createGateway({
      routes: routes.map((route) => ({
        routeKey: routeKeyOf(route),
        authorized: asksAuthorizer(route),
        handler: calling(route.id),
        timeoutSeconds: 60,
      })),
      authorizer: silent
        ? async () => ({ isAuthorized: true, context: silent.context })
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
  afterAll(() => Promise.all(Array.from(running.values(), (each) => each.stop())))

  return {
    /** The issuer of its tokens. */
    issuer: String(variables[0].ISSUER),
    url: () => url,
    started,
    names: () => [...running.keys()].sort(),
    printed: () => Array.from(running.values(), (each) => each.printed()).join('\n'),
    fetch: (path: string, init?: RequestInit) => fetch(url + path, init),
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
    body: async (path: string, init?: RequestInit): Promise<any> =>
      (await fetch(url + path, init)).json(),
  }
}

/** Fills the tables that functions name in their environments. Stages of a name share them. */
async function fill(variables: Inputs, endpoint: string): Promise<void> {
  const tables = Object.entries(tableVariables).map(([table, name]) => [table, variables[name]])
  const storage = patient(connect(Object.fromEntries(tables) as Storage['tables'], endpoint))
  await createTables(storage)
  const keys = await firstSigningKeys(Date.now())
  await writeSigningKeys(storage, keys, undefined).catch(() => 'there are keys')
  await loadDemo(storage, { write() {} })
  storage.client.destroy()
}
