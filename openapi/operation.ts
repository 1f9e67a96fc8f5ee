import type * as v from 'valibot'
import { operations, type Route } from '../functions/operations/operations.ts'
import type { Described } from './described.ts'

export type Entries = Readonly<Record<string, v.GenericSchema>>

/** What an operation takes: its parameters by name and its body. */
export type OperationSchemas = {
  readonly path?: Entries
  readonly query?: Entries
  readonly body?: v.GenericSchema
}

/** What a function takes (`export const input`). */
type Input = {
  readonly path?: v.GenericSchema
  readonly query?: v.GenericSchema
  readonly body?: v.GenericSchema
}

/** What the function of a route takes, from the very schemas it runs on. */
export async function schemasOf({ id }: Route): Promise<OperationSchemas> {
  const { input = {}, operation } = (await import(`../functions/${id}.ts`)) as { input?: Input; operation: unknown }
  if (operation !== operations[id]) throw new Error(`functions/${id}.ts must use the record operations['${id}'].`)
  const { path, query, body } = input
  return {
    ...(path && { path: entriesOf(path) }),
    ...(query && { query: entriesOf(query) }),
    ...(body && { body }),
  }
}

/** Whether a request names the deployment it is about, in its path or its body. */
export const takesDeployment = ({ path, query, body }: OperationSchemas): boolean =>
  'deploymentId' in { ...path, ...query, ...(body && entriesOf(body)) }

/** What `openapi/operations` says of the operation of a route. */
export async function descriptionOf({ id }: Route): Promise<Described> {
  return ((await import(`./operations/${id}.ts`)) as { described: Described }).described
}

/** The entries of an object, also of one that is put together of several. */
export function entriesOf(schema: v.GenericSchema): Entries {
  const { entries, options = [] } = schema as { entries?: Entries; options?: readonly v.GenericSchema[] }
  return Object.assign({}, ...options.map(entriesOf), entries)
}
