import type * as v from 'valibot'
import type { OperationHandler } from '../functions/http/operation.ts'
import { entriesOf } from '../functions/http/query.ts'
import type { Route } from '../functions/operations/operations.ts'
import type { Described } from './described.ts'

type Entries = Readonly<Record<string, v.GenericSchema>>

/** The input of an operation: its parameters by name, and its body. */
export type OperationSchemas = {
  readonly path?: Entries
  readonly query?: Entries
  readonly body?: v.GenericSchema
}

/** The schemas that the function of an operation parses its input with. */
export async function schemasOf({ id }: Route): Promise<OperationSchemas> {
  const { handler } = (await import(`../functions/${id}.ts`)) as { handler: OperationHandler }
  const { path, query, body } = handler.input
  return {
    ...(path && { path: entriesOf(path) }),
    ...(query && { query: entriesOf(query) }),
    ...(body && { body }),
  }
}

/** Whether a request names the deployment it is about, in its path or its body. */
export const takesDeployment = ({ path, query, body }: OperationSchemas): boolean =>
  'deploymentId' in { ...path, ...query, ...(body && entriesOf(body)) }

/** The description of an operation, from `openapi/operations/<id>.ts`. */
export async function descriptionOf({ id }: Route): Promise<Described> {
  return ((await import(`./operations/${id}.ts`)) as { described: Described }).described
}
