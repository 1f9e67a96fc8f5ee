import { isDeepStrictEqual } from 'node:util'
import type { Direction, JsonObject } from './json-schema.ts'
import { comparing, type Schema, type SchemaChanges } from './schema-changes.ts'

type Content = Record<string, { schema?: Schema }>
type Parameter = {
  name: string
  in: string
  required?: boolean
  allowEmptyValue?: boolean
  schema?: Schema
}
type Header = { $ref?: string; schema?: Schema }
type Response = { headers?: Record<string, Header>; content?: Content }
type Operation = {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Content }
  responses?: Record<string, Response>
  security?: JsonObject[]
}
type Operations = Record<string, Operation>

/**
 * Returns the changes from one document to a later one that break clients (docs/versioning.md).
 * Each is a sentence that begins with its place.
 */
export function breakingChanges(before: JsonObject, after: JsonObject): string[] {
  const changes = comparing(before, after)
  const current = operationsOf(after)
  const found = [...schemeChanges(before, after)]
  for (const [at, old] of Object.entries(operationsOf(before))) {
    const now = current[at]
    if (now) found.push(...operationChanges(changes, old, now, at))
    else found.push(`${at}: the operation was removed`)
  }
  return found
}

function operationsOf({ paths = {}, security }: JsonObject): Operations {
  const all = Object.entries(paths as Record<string, Operations>).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      { security, ...operation },
    ]),
  )
  return Object.fromEntries(all)
}

function* operationChanges(changes: SchemaChanges, old: Operation, now: Operation, at: string) {
  if (old.operationId !== now.operationId)
    yield `${at}: operationId was ${old.operationId} and is ${now.operationId}`
  yield* securityChanges(old, now, at)
  const codes = statusesOfCodes(now)
  for (const [code, was] of statusesOfCodes(old)) {
    const is = codes.get(code) ?? was
    if (is !== was) yield `${at}: ${code} was ${was} and is ${is}`
  }
  const oldParts = partsOf(old)
  const newParts = partsOf(now)
  for (const [name, { required }] of newParts) {
    if (required && !oldParts.get(name)?.required) yield `${at} ${name}: it is now required`
  }
  for (const [name, { direction, schema, allowEmptyValue }] of oldParts) {
    const part = newParts.get(name)
    if (part) {
      if (allowEmptyValue && !part.allowEmptyValue)
        yield `${at} ${name}: it must no longer be empty`
      yield* changes({ direction, old: schema, now: part.schema, at: `${at} ${name}` })
      continue
    }
    // A client does not depend on an error that no longer occurs.
    const isErrorGone = /^[45]\d\d/.test(name) && !now.responses?.[name.slice(0, 3)]
    if (!isErrorGone) yield `${at} ${name}: it was removed`
  }
}

type Part = {
  direction: Direction
  schema: Schema
  required?: boolean | undefined
  allowEmptyValue?: boolean | undefined
}

/**
 * The parts of an operation's request and responses, such as `query first`, `body application/json`
 * and `200 header ETag`.
 */
function partsOf({ parameters = [], requestBody, responses = {} }: Operation): Map<string, Part> {
  const parts = new Map<string, Part>()
  const add = (name: string, direction: Direction, content: Content = {}, required?: boolean) => {
    parts.set(name, { direction, schema: {}, required })
    for (const [type, { schema = {} }] of Object.entries(content))
      parts.set(`${name} ${type}`, { direction, schema })
  }
  for (const { name, in: place, schema = {}, required, allowEmptyValue } of parameters) {
    parts.set(`${place} ${name}`, { direction: 'request', schema, required, allowEmptyValue })
  }
  if (requestBody) add('body', 'request', requestBody.content, requestBody.required)
  for (const [status, { headers = {}, content }] of Object.entries(responses)) {
    add(status, 'response', content)
    for (const [name, { $ref, schema = {} }] of Object.entries(headers)) {
      const headerSchema = $ref ? { $ref: `${$ref}/schema` } : schema
      parts.set(`${status} header ${name}`, { direction: 'response', schema: headerSchema })
    }
  }
  return parts
}

/** A credential must be sent as before. */
function* schemeChanges(before: JsonObject, after: JsonObject) {
  const current = schemesOf(after)
  for (const [name, old] of schemesOf(before)) {
    const now = current.get(name)
    if (now && !isDeepStrictEqual(old, now)) yield `${name}: the security scheme has changed`
  }
}

function schemesOf({ components }: JsonObject) {
  const { securitySchemes = {} } = Object(components)
  const all = Object.entries<JsonObject>(securitySchemes)
  return new Map(all.map(([name, { description, ...scheme }]) => [name, scheme]))
}

/** Every credential that gave access must still give access. */
function* securityChanges(old: Operation, now: Operation, at: string) {
  const accepted = credentialsOf(now)
  if (accepted.includes('')) return
  for (const credential of credentialsOf(old)) {
    if (accepted.includes(credential)) continue
    const change = credential
      ? `${credential} no longer gives access`
      : 'a credential is now needed'
    yield `${at}: ${change}`
  }
}

/** The schemes of security; those needed together are one text. No credential is empty text. */
const credentialsOf = ({ security = [] }: Operation): string[] =>
  (security.length > 0 ? security : [{}]).map((each) => Object.keys(each).sort().join(' and '))

function statusesOfCodes({ responses = {} }: Operation): Map<string, string> {
  const all = Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const parts = content['application/problem+json']?.schema?.allOf ?? []
    const codes = parts.flatMap(({ properties }) => properties?.code?.enum ?? [])
    return codes.map((code) => [code as string, status] as const)
  })
  return new Map(all)
}
