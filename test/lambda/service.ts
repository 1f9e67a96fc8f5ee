import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { afterAll, beforeAll, inject } from 'vitest'
import { createTables } from '../../cli/create-tables.ts'
import { loadDemo } from '../../cli/start/load.ts'
import { asksAuthorizer, routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { edgeHeader } from '../../functions/runtime/edge.ts'
import { tableVariables } from '../../functions/runtime/environment.ts'
import { start } from '../gateway/serve.ts'
import { edgeSecrets } from '../infrastructure/stages.ts'
import { component, type StageName, stageOf } from '../infrastructure/suite.ts'
import { patient } from '../support/patient.ts'
import { type Emulated, emulated } from './emulated.ts'

/**
 * The functions of a stage behind the local gateway, whose events test/gateway compares with those
 * that AWS documents. Each function starts at its first call and ends after the tests.
 * @param database in place of one with the demo catalog
 */
export function service(name: StageName, database?: string) {
  const deployed = stageOf(name).made('lambda:Function')
  const running = new Map<string, Emulated>()
  const endpoint = database ?? inject('engineEndpoint')
  const variables = Object.values(deployed).map(({ environment }) => environment.variables)
  let url = ''

  async function started(lambda: string, more = {}): Promise<Emulated> {
    const inputs = deployed[`${component(lambda)}Function`] ?? {}
    const own = { DYNAMODB_ENDPOINT: endpoint, ...more }
    const made = running.get(lambda) ?? (await emulated(lambda, inputs, own))
    running.set(lambda, made)
    return made
  }
  // What the edge adds.
  const added = name === 'edge' ? { [edgeHeader]: edgeSecrets[0] } : {}
  // biome-ignore lint/suspicious/noExplicitAny: the event of any route
  const calling = (lambda: string) => async (event: any) =>
    (await started(lambda)).invoke({ ...event, headers: { ...added, ...event.headers } })

  beforeAll(async () => {
    if (database) return
    await fill(Object.assign({}, ...variables), endpoint)
    const served = await start({
      routes: routes.map((route) => ({
        routeKey: routeKeyOf(route),
        authorized: asksAuthorizer(route),
        handler: calling(route.id),
        timeoutSeconds: 60,
      })),
      authorizer: calling('authorizer'),
      authorizerTimeoutSeconds: 60,
      // Why the gateway answered 500.
      log: (line) => process.stderr.write(`${line}\n`),
    })
    url = `http://127.0.0.1:${served.port}`
    return served.end
  })
  afterAll(() => Promise.all(Array.from(running.values(), (each) => each.stop())))

  return {
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
async function fill(variables: Record<string, string>, endpoint: string): Promise<void> {
  const tables = Object.entries(tableVariables).map(([table, name]) => [table, variables[name]])
  const storage = patient(connect(Object.fromEntries(tables) as Storage['tables'], endpoint))
  await createTables(storage)
  const keys = await firstSigningKeys(Date.now())
  await writeSigningKeys(storage, keys, undefined).catch(() => 'there are keys')
  await loadDemo(storage, { write() {} })
  storage.client.destroy()
}
