import type * as v from 'valibot'
import type { Route } from '../functions/http/routes.ts'
import type { Described } from './described.ts'

export type Entries = Readonly<Record<string, v.GenericSchema>>

/** What an operation takes: its parameters by name and its body. */
export type OperationSchemas = {
  readonly path?: Entries
  readonly query?: Entries
  readonly body?: v.GenericSchema
}

/** What a function declares (`export const operation`). */
type Declared = {
  readonly access: Route['access']
  readonly path?: v.GenericSchema
  readonly query?: v.GenericSchema
  readonly body?: v.GenericSchema
}

/** What the function of a route takes, from the very schemas it runs on. */
export async function schemasOf(route: Route): Promise<OperationSchemas> {
  const { operation } = (await import(`../functions/${route.file}.ts`)) as { operation: Declared }
  if (operation.access !== route.access) throw new Error(`${route.file} and its route differ about who has access`)
  const { path, query, body } = operation
  return {
    ...(path && { path: entriesOf(path) }),
    ...(query && { query: entriesOf(query) }),
    ...(body && { body }),
  }
}

/** What `openapi/operations` says of the operation of a route. */
export async function descriptionOf(route: Route): Promise<Described> {
  return ((await import(`./operations/${route.file}.ts`)) as { described: Described }).described
}

/** The entries of an object, also of one that is put together of several. */
function entriesOf(schema: v.GenericSchema): Entries {
  const { entries, options = [] } = schema as { entries?: Entries; options?: readonly v.GenericSchema[] }
  return Object.assign({}, ...options.map(entriesOf), entries)
}
