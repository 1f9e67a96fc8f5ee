import { isDeepStrictEqual } from 'node:util'
import type { Direction, JsonObject } from './json-schema.ts'

/** A schema with the document that its references are resolved in. */
export type Placed = { readonly schema: unknown; readonly document: JsonObject }

/**
 * Returns what breaks a client when a schema changes. A request that was valid must stay valid, so its schema must not
 * get narrower. A response must keep its fields and their types, but may get more fields and values.
 */
export function schemaChanges(direction: Direction, before: Placed, after: Placed, at: string): string[] {
  return new Comparison(direction).changes(before, after, at)
}

class Comparison {
  readonly #direction: Direction
  /** The pairs that are being compared now, since a schema may contain itself. */
  readonly #open: [unknown, unknown][] = []

  constructor(direction: Direction) {
    this.#direction = direction
  }

  changes(before: Placed, after: Placed, at: string): string[] {
    const [old, now] = [resolved(before), resolved(after)]
    if (this.#open.some(([one, other]) => one === old.schema && other === now.schema)) return []
    this.#open.push([old.schema, now.schema])
    const found =
      isUnion(old.schema) || isUnion(now.schema) ? this.#ofUnions(old, now, at) : this.#ofPlain(old, now, at)
    this.#open.pop()
    return found
  }

  /** A request must keep every alternative. A response must not get a new one. */
  #ofUnions(before: Resolved, after: Resolved, at: string): string[] {
    const [from, to] = this.#direction === 'request' ? [before, after] : [after, before]
    const lost = alternativesOf(from).filter(
      (one) =>
        !alternativesOf(to).some((other) => {
          const [old, now] = this.#direction === 'request' ? [one, other] : [other, one]
          return this.changes(old, now, at).length === 0
        }),
    )
    return lost.length === 0 ? [] : [`${at}: ${lost.length} of its alternatives ${this.#narrowed}`]
  }

  get #narrowed(): string {
    return this.#direction === 'request' ? 'are no longer accepted' : 'are new to clients'
  }

  #ofPlain(before: Resolved, after: Resolved, at: string): string[] {
    const [old, now] = [before.schema, after.schema]
    return [
      ...this.#ofType(old, now, at),
      ...(this.#direction === 'request' ? narrowedLimits(old, now, at) : changedConstants(old, now, at)),
      ...this.#ofProperties(before, after, at),
      ...this.#ofInner('items', before, after, `${at}[]`),
      ...this.#ofInner('additionalProperties', before, after, `${at}{}`),
    ]
  }

  #ofType(old: JsonObject, now: JsonObject, at: string): string[] {
    const [from, to] = this.#direction === 'request' ? [old, now] : [now, old]
    const allowed = typesOf(to)
    if (!allowed) return []
    const given = typesOf(from)
    const fits = (type: unknown) => allowed.includes(type) || (type === 'integer' && allowed.includes('number'))
    return given?.every(fits) ? [] : [`${at}: the type was ${typeName(old)} and is ${typeName(now)}`]
  }

  #ofProperties(before: Resolved, after: Resolved, at: string): string[] {
    const [old, now] = [propertiesOf(before.schema), propertiesOf(after.schema)]
    const [wasRequired, isRequired] = [requiredOf(before.schema), requiredOf(after.schema)]
    const removed = Object.keys(old).filter((name) => !Object.hasOwn(now, name))
    const becameRequired = isRequired.filter((name) => !wasRequired.includes(name))
    const becameOptional = wasRequired.filter((name) => Object.hasOwn(now, name) && !isRequired.includes(name))
    const closed = before.schema.additionalProperties !== false && after.schema.additionalProperties === false
    return [
      ...removed.map((name) => `${at}/${name}: the field was removed`),
      ...(this.#direction === 'request'
        ? [
            ...becameRequired.map((name) => `${at}/${name}: the field is now required`),
            ...(closed ? [`${at}: other fields are no longer accepted`] : []),
          ]
        : becameOptional.map((name) => `${at}/${name}: the field may now be missing`)),
      ...Object.keys(old)
        .filter((name) => Object.hasOwn(now, name))
        .flatMap((name) =>
          this.changes({ ...before, schema: old[name] }, { ...after, schema: now[name] }, `${at}/${name}`),
        ),
    ]
  }

  #ofInner(keyword: 'items' | 'additionalProperties', before: Resolved, after: Resolved, at: string): string[] {
    const [old, now] = [before.schema[keyword], after.schema[keyword]]
    if (!isObject(old) || !isObject(now)) return []
    return this.changes({ ...before, schema: old }, { ...after, schema: now }, at)
  }
}

type Resolved = { readonly schema: JsonObject; readonly document: JsonObject }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema with references followed and the parts of `allOf` merged. */
function resolved({ schema, document }: Placed): Resolved {
  if (!isObject(schema)) return { schema: {}, document }
  if (typeof schema.$ref === 'string') {
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as JsonObject)[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)
    return resolved({ schema: target, document })
  }
  if (!Array.isArray(schema.allOf)) return { schema, document }
  const parts = schema.allOf.map((part) => resolved({ schema: part, document }).schema)
  const { allOf, ...own } = schema
  const all = [...parts, own]
  return {
    document,
    schema: {
      ...Object.assign({}, ...all),
      properties: Object.assign({}, ...all.map(propertiesOf)),
      required: all.flatMap(requiredOf),
    },
  }
}

const isUnion = ({ anyOf, oneOf }: JsonObject): boolean => Array.isArray(anyOf) || Array.isArray(oneOf)

/** A schema of several types counts as one alternative for each. */
function alternativesOf({ schema, document }: Resolved): Placed[] {
  const { anyOf, oneOf, type } = schema
  const union = anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : [schema])
  return (union as readonly unknown[]).map((each) => ({ schema: each, document }))
}

const typesOf = ({ type }: JsonObject): readonly unknown[] | undefined =>
  type === undefined ? undefined : Array.isArray(type) ? type : [type]

const typeName = (schema: JsonObject): string => typesOf(schema)?.join(' or ') ?? 'anything'

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {})

const requiredOf = ({ required }: JsonObject): readonly string[] => (Array.isArray(required) ? required : [])

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Keywords that may refuse what was accepted, however they change. */
const conditions = ['pattern', 'format', 'const', 'multipleOf', 'not', 'propertyNames', 'uniqueItems']

function narrowedLimits(old: JsonObject, now: JsonObject, at: string): string[] {
  const raised = lowerBounds.filter((keyword) => boundOf(now, keyword, -Infinity) > boundOf(old, keyword, -Infinity))
  const lowered = upperBounds.filter((keyword) => boundOf(now, keyword, Infinity) < boundOf(old, keyword, Infinity))
  const changed = conditions.filter(
    (keyword) => now[keyword] !== undefined && !isDeepStrictEqual(now[keyword], old[keyword]),
  )
  const values = Array.isArray(now.enum) ? now.enum : undefined
  const lost = Array.isArray(old.enum) ? old.enum.filter((value) => values && !values.includes(value)) : []
  return [
    ...[...raised, ...lowered, ...changed].map((keyword) => {
      const was = old[keyword] === undefined ? 'not there' : JSON.stringify(old[keyword])
      return `${at}: ${keyword} was ${was} and is ${JSON.stringify(now[keyword])}`
    }),
    ...lost.map((value) => `${at}: the value ${JSON.stringify(value)} is no longer accepted`),
    ...(values && !old.enum ? [`${at}: only some values are accepted now`] : []),
  ]
}

const boundOf = (schema: JsonObject, keyword: string, otherwise: number): number =>
  typeof schema[keyword] === 'number' ? schema[keyword] : otherwise

const changedConstants = (old: JsonObject, now: JsonObject, at: string): string[] =>
  old.const === undefined || isDeepStrictEqual(old.const, now.const)
    ? []
    : [`${at}: was always ${JSON.stringify(old.const)}`]
