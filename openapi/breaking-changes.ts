import type { JsonObject } from './json-schema.ts'
import { type Schema, SchemaComparison } from './schema-changes.ts'

type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema?: Schema }
type Response = { readonly headers?: JsonObject; readonly content?: Content }
type Operation = {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Content }
  readonly responses?: Readonly<Record<string, Response>>
  readonly security?: readonly JsonObject[]
}
type Operations = Readonly<Record<string, Operation>>

/**
 * Returns the changes from one document to a later one that break clients (docs/versioning.md). Each is a sentence that
 * begins with its place.
 */
export function breakingChanges(before: JsonObject, after: JsonObject): string[] {
  const comparison = new SchemaComparison(before, after)
  const current = operationsOf(after)
  return Object.entries(operationsOf(before)).flatMap(([at, old]) => {
    const now = current[at]
    return now ? [...operationChanges(comparison, old, now, at)] : [`${at}: the operation was removed`]
  })
}

function operationsOf({ paths = {}, security }: JsonObject): Operations {
  const all = Object.entries(paths as Readonly<Record<string, Operations>>).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  return Object.fromEntries(all.map(([name, operation]) => [name, { security, ...operation } as Operation]))
}

function* operationChanges(comparison: SchemaComparison, old: Operation, now: Operation, at: string) {
  if (old.operationId !== now.operationId) yield `${at}: operationId was ${old.operationId} and is ${now.operationId}`
  yield* securityChanges(old, now, at)
  yield* comparison.changes('request', fieldsOf(old.parameters), fieldsOf(now.parameters), `${at} parameters`)
  const [body, bodyNow] = [old.requestBody, now.requestBody]
  if (bodyNow?.required && !body?.required) yield `${at}: a body is now required`
  if (body && !bodyNow) yield `${at}: the body was removed`
  if (body && bodyNow) yield* contentChanges(comparison, 'request', body.content, bodyNow.content, `${at} body`)
  yield* responseChanges(comparison, old.responses ?? {}, now.responses ?? {}, at)
}

/** Every credential that gave access must still give access. */
function* securityChanges(old: Operation, now: Operation, at: string) {
  const open = waysIn(now)
  if (open.includes('')) return
  for (const way of waysIn(old).filter((way) => !open.includes(way))) {
    yield `${at}: ${way === '' ? 'a credential is now needed' : `${way} no longer gives access`}`
  }
}

/** The schemes of security, those that are needed together as one. Empty text stands for no credential. */
const waysIn = ({ security = [] }: Operation): string[] =>
  security.length === 0 ? [''] : security.map((schemes) => Object.keys(schemes).sort().join(' and '))

/** The parameters as the fields of an object. */
function fieldsOf(parameters: readonly Parameter[] = []): Schema {
  const named = parameters.map((each) => ({ ...each, name: `${each.in} ${each.name}` }))
  return {
    properties: Object.fromEntries(named.map(({ name, schema = {} }) => [name, schema])),
    required: named.flatMap(({ name, required }) => (required ? [name] : [])),
  }
}

type Responses = Readonly<Record<string, Response>>

function* responseChanges(comparison: SchemaComparison, old: Responses, now: Responses, at: string) {
  const statuses = statusesOfCodes(now)
  for (const [code, was] of statusesOfCodes(old)) {
    const is = statuses.get(code) ?? was
    if (is !== was) yield `${at}: ${code} was ${was} and is ${is}`
  }
  for (const [status, { headers = {}, content }] of Object.entries(old)) {
    const current = now[status]
    if (current) {
      for (const name of Object.keys(headers)) {
        if (!current.headers?.[name]) yield `${at} ${status}: the header ${name} was removed`
      }
      yield* contentChanges(comparison, 'response', content, current.content, `${at} ${status}`)
      // A client does not depend on an error that no longer occurs.
    } else if (Number(status) < 400) yield `${at} ${status}: the response was removed`
  }
}

function statusesOfCodes(responses: Responses): Map<string, string> {
  const all = Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const parts = content['application/problem+json']?.schema?.allOf ?? []
    const codes = parts.flatMap(({ properties }) => properties?.code?.enum ?? [])
    return codes.map((code) => [code as string, status] as const)
  })
  return new Map(all)
}

function* contentChanges(
  comparison: SchemaComparison,
  direction: 'request' | 'response',
  old: Content = {},
  now: Content = {},
  at: string,
) {
  for (const [type, { schema }] of Object.entries(old)) {
    if (now[type]) yield* comparison.changes(direction, schema, now[type].schema, at)
    else yield `${at}: ${type} was removed`
  }
}
