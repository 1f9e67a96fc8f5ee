import { readSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { connect } from '@embed-access/core/storage/storage.ts'
import type { OperationId } from '../../functions/operations/operations.ts'
import { loadedTables } from './catalog.ts'
import { startPostgres } from './postgres.ts'
import { fillPostgres } from './postgres-data.ts'
import { record } from './recorded.ts'
import { type Shots, shotsOf } from './requests.ts'
import { type Side, startSide } from './side.ts'

/** A server with the requests that are sent to it. Each has its own sessions. */
export type Target = Side & { readonly shots: Shots }

export type Targets = {
  readonly service: Target
  /** The same authorizer and functions without the local gateway. */
  readonly functions: Target
  readonly bare: Target
  /** Fastify over PostgreSQL, if it was asked for. It has the list of workbooks, generation and exchange. */
  readonly fastify: Target | undefined
  stop(): Promise<void>
}

/** Starts the servers, each in a process of its own, over the same data. They answer the same to the lists. */
export async function startTargets(endpoint: string, withPostgres: boolean): Promise<Targets> {
  const loaded = await loadedTables(endpoint)
  const recording = await record(endpoint, loaded)
  const { tables, apiKey } = loaded
  const storage = connect(tables, endpoint)
  const { keys } = await readSigningKeys(storage)
  storage.client.destroy()
  const signingKey = keys.find(({ state }) => state === 'active')
  const answers = Object.fromEntries(Object.entries(recording).map(([id, { body }]) => [id as OperationId, body]))
  const target = async (name: string, file: string, given: object): Promise<Target> => ({
    ...(await startSide(name, file, given)),
    shots: shotsOf(apiKey, answers),
  })
  const service = await target('service', './service.ts', { endpoint, tables })
  const functions = await target('functions', './functions.ts', { endpoint, tables })
  const bare = await target('bare', './bare.ts', { endpoint, recording, signingKey })
  const postgres = withPostgres ? await startPostgres() : undefined
  if (postgres) await fillPostgres(postgres.connection, loaded)
  const fastify = postgres && (await target('fastify', './fastify.ts', { connection: postgres.connection, signingKey }))
  return {
    service,
    functions,
    bare,
    fastify,
    async stop() {
      for (const each of [service, functions, bare, fastify]) each?.stop()
      await postgres?.stop()
    },
  }
}
