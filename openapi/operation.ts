import type * as v from 'valibot'
import type { ErrorCode } from '../functions/http/error-codes.ts'
import { entriesOf } from '../functions/http/input.ts'
import type { OperationHandler } from '../functions/http/operation.ts'
import type { OperationId, Route } from '../functions/operations/operations.ts'
import type { JsonObject } from './json-schema.ts'

export type Example = { summary: string; value: unknown }

/** What the document says of an operation besides its schemas and its record. */
export type Described = {
  summary: string
  description: string
  /**
   * Every parameter of path and query, by name. The API reference fills in the examples, so filters
   * have none.
   */
  parameters?: Record<string, { description: string; example?: unknown }>
  request?: {
    description: string
    examples: Record<string, Example>
  }
  success: {
    /** 200 by default. */
    status?: 204
    description: string
    contentType?: string
    schema?: JsonObject | undefined
    examples?: Record<string, Example>
    /** Names of header components beyond those of every response. */
    headers?: readonly string[]
    /** The value of `Cache-Control`, or its pattern; by default `no-store`. */
    cacheControl?: string | RegExp
  }
  /** Codes that do not follow from the operation's input and access. */
  refusals?: readonly ErrorCode[]
}

export type Operations = { [Id in OperationId]?: Described }

type Entries = Record<string, v.GenericSchema>

/** The input of an operation: its parameters by name, and its body. */
export type OperationSchemas = {
  path?: Entries
  query?: Entries
  body?: v.GenericSchema
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
