import { errorsIn } from '@embed-access/core/input-errors.ts'
import { type InputError, Refusal } from '@embed-access/core/refusal.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import * as v from 'valibot'
import { misspeltParameters, type Query, readQuery } from './query.ts'

/** What an operation takes: parameters of its path and query, and a body. */
export type InputSchemas = {
  readonly path?: v.GenericSchema
  readonly query?: v.GenericSchema
  readonly body?: v.GenericSchema
}

export type Parsed<Schemas extends InputSchemas> = {
  readonly [Part in keyof Schemas]: Schemas[Part] extends v.GenericSchema | undefined
    ? v.InferOutput<NonNullable<Schemas[Part]>>
    : never
}

export type InputContext = Context & { input: Parsed<InputSchemas> }

const noParameters = v.object({})

/** Middleware that parses parameters, and the body that the parser of JSON has left. */
export const input = ({
  path = noParameters,
  query = noParameters,
  body,
}: InputSchemas): middy.MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, InputContext> => ({
  before({ event, context }) {
    const given = { path: event.pathParameters ?? {}, query: readQuery(event.rawQueryString) }
    context.input = { ...parseParameters({ path, query }, given), ...(body && { body: parseBody(body, event.body) }) }
  },
})

/**
 * Parses the parameters of path and query.
 * @throws Refusal `invalid_parameter` with every wrong parameter
 */
export function parseParameters(
  schemas: Required<Omit<InputSchemas, 'body'>>,
  given: { readonly path: object; readonly query: Query },
): { readonly path: unknown; readonly query: unknown } {
  const path = v.safeParse(schemas.path, given.path)
  const query = v.safeParse(schemas.query, given.query)
  const misspelt = [...misspeltParameters(schemas.query, given.query)]
  if (path.success && query.success && misspelt.length === 0) return { path: path.output, query: query.output }
  const wrong = [...(path.issues ?? []), ...(query.issues ?? [])]
  const errors = [...wrong.map(({ path, message }) => ({ parameter: String(path?.[0]?.key), message })), ...misspelt]
  throw new Refusal('invalid_parameter', summaryOf(errors, errors.length), errors)
}

/**
 * Parses a body.
 * @throws Refusal `invalid_body` with the first {@link maxErrors} mistakes and the number of all
 */
export function parseBody(schema: v.GenericSchema, body: unknown): unknown {
  // To valibot a list is an object without fields.
  const parsed = v.safeParse(schema, Array.isArray(body) ? null : body)
  if (parsed.success) return parsed.output
  const found = errorsIn(parsed.issues)
  const errors = found.slice(0, maxErrors).map((error) => error())
  throw new Refusal('invalid_body', summaryOf(errors, found.length), errors)
}

/** A body of 256 KiB can have more mistakes than fit in an answer of Lambda. */
export const maxErrors = 1000

function summaryOf([first]: readonly InputError[], count: number): string {
  const what = first && ('pointer' in first ? first.pointer || 'The body' : first.parameter)
  const others = count - 1
  return `${what} ${first?.message}${others > 0 ? `, and ${others} more problem${others > 1 ? 's' : ''}` : ''}.`
}
