import type { JsonObject } from './json-schema.ts'
import { type Placed, schemaChanges } from './schema-changes.ts'

type Body = { readonly required?: boolean; readonly content?: Content }
type Content = Readonly<Record<string, { readonly schema?: unknown }>>
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema?: unknown }
type Response = { readonly headers?: JsonObject; readonly content?: Content }
type Operation = {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Response>>
  readonly security?: readonly JsonObject[]
}
type Operations = Readonly<Record<string, Operation>>

/** Two versions of one thing, with the documents that they are in. */
type Versions<Thing> = {
  readonly old: Thing
  readonly now: Thing
  readonly before: JsonObject
  readonly after: JsonObject
}

/**
 * Returns the changes from one document to a later one that break clients (docs/versioning.md). Each is a sentence that
 * begins with its place.
 */
export function breakingChanges(before: JsonObject, after: JsonObject): string[] {
  const [old, now] = [operationsOf(before), operationsOf(after)]
  return Object.entries(old).flatMap(([name, operation]) => {
    const current = now[name]
    if (!current) return [`${name}: the operation was removed`]
    const versions = { old: operation, now: current, before, after }
    return [
      ...changedName(versions, name),
      ...changedSecurity(versions, name),
      ...changedParameters(versions, name),
      ...changedRequest(versions, name),
      ...changedResponses(versions, name),
    ]
  })
}

function operationsOf({ paths = {} }: JsonObject): Operations {
  return Object.fromEntries(
    Object.entries(paths as Readonly<Record<string, Operations>>).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  )
}

const changedName = ({ old, now }: Versions<Operation>, at: string): string[] =>
  old.operationId === now.operationId ? [] : [`${at}: operationId was ${old.operationId} and is ${now.operationId}`]

/** Every credential that gave access must still give access. */
function changedSecurity({ old, now, before, after }: Versions<Operation>, at: string): string[] {
  const waysIn = ({ security }: Operation, document: JsonObject): string[] => {
    const required = security ?? (document.security as Operation['security']) ?? []
    return required.length === 0 ? [''] : required.map((schemes) => Object.keys(schemes).sort().join(' and '))
  }
  const open = waysIn(now, after)
  if (open.includes('')) return []
  return waysIn(old, before)
    .filter((way) => !open.includes(way))
    .map((way) => `${at}: ${way === '' ? 'a credential is now needed' : `${way} no longer gives access`}`)
}

function changedParameters({ old, now, before, after }: Versions<Operation>, at: string): string[] {
  const named = ({ parameters = [] }: Operation) => new Map(parameters.map((each) => [`${each.in} ${each.name}`, each]))
  const [were, are] = [named(old), named(now)]
  const required = [...are].filter(([name, parameter]) => parameter.required && !were.get(name)?.required)
  return [
    ...required.map(([name]) => `${at}, ${name}: the parameter is now required`),
    ...[...were].flatMap(([name, { schema }]) => {
      const current = are.get(name)
      if (!current) return [`${at}, ${name}: the parameter was removed`]
      return changedSchema('request', { old: schema, now: current.schema, before, after }, `${at}, ${name}`)
    }),
  ]
}

function changedRequest({ old, now, before, after }: Versions<Operation>, at: string): string[] {
  const [were, are] = [old.requestBody, now.requestBody]
  if (!were) return are?.required ? [`${at}: a body is now required`] : []
  if (!are) return [`${at}: the body was removed`]
  const required = are.required && !were.required ? [`${at}: a body is now required`] : []
  return [
    ...required,
    ...changedContent('request', { old: were.content, now: are.content, before, after }, `${at} body`),
  ]
}

function changedResponses({ old, now, before, after }: Versions<Operation>, at: string): string[] {
  const [were, are] = [old.responses ?? {}, now.responses ?? {}]
  return [
    ...movedCodes({ old: were, now: are, before, after }, at),
    ...Object.entries(were).flatMap(([status, response]) => {
      const current = are[status]
      // A client does not depend on an error that no longer occurs.
      if (!current) return Number(status) < 400 ? [`${at} ${status}: the response was removed`] : []
      const headers = Object.keys(response.headers ?? {}).filter((name) => !Object.hasOwn(current.headers ?? {}, name))
      return [
        ...headers.map((name) => `${at} ${status}: the header ${name} was removed`),
        ...changedContent(
          'response',
          { old: response.content, now: current.content, before, after },
          `${at} ${status}`,
        ),
      ]
    }),
  ]
}

/** Error codes whose status has changed. */
function movedCodes({ old, now }: Versions<Readonly<Record<string, Response>>>, at: string): string[] {
  const [were, are] = [statusesOfCodes(old), statusesOfCodes(now)]
  return [...were].flatMap(([code, status]) => {
    const current = are.get(code)
    return current === undefined || current === status ? [] : [`${at}: ${code} was ${status} and is ${current}`]
  })
}

function statusesOfCodes(responses: Readonly<Record<string, Response>>): Map<string, string> {
  const statuses = new Map<string, string>()
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const { allOf = [] } = (content['application/problem+json']?.schema ?? {}) as {
      allOf?: readonly { readonly properties?: { readonly code?: { readonly enum?: readonly string[] } } }[]
    }
    for (const { properties } of allOf) for (const code of properties?.code?.enum ?? []) statuses.set(code, status)
  }
  return statuses
}

function changedContent(
  direction: 'request' | 'response',
  { old = {}, now = {}, before, after }: Versions<Content | undefined>,
  at: string,
): string[] {
  return Object.entries(old).flatMap(([type, { schema }]) => {
    const current = now[type]
    if (!current) return [`${at}: ${type} was removed`]
    return changedSchema(direction, { old: schema, now: current.schema, before, after }, at)
  })
}

function changedSchema(
  direction: 'request' | 'response',
  { old, now, before, after }: Versions<unknown>,
  at: string,
): string[] {
  const placed: [Placed, Placed] = [
    { schema: old, document: before },
    { schema: now, document: after },
  ]
  return schemaChanges(direction, ...placed, at)
}
