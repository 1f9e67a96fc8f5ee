import { isDeepStrictEqual } from 'node:util'
import type { Direction, JsonObject } from './json-schema.ts'

export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  contentSchema?: Schema
  enum?: readonly unknown[]
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  [keyword: string]: unknown
}

/** Two schemas to compare, and the place of the schema. */
type Compared = {
  readonly direction: Direction
  readonly old: Schema
  readonly now: Schema
  readonly at: string
}

export type SchemaChanges = (compared: Compared) => string[]

/**
 * Compares schemas of two documents, and says what breaks a client. A request that was valid must
 * stay valid, so its schema must not get narrower. A response must keep its fields and their types,
 * but may get more fields and values.
 */
export function comparing(before: JsonObject, after: JsonObject): SchemaChanges {
  /** The pairs that are being compared now, since a schema may contain itself. */
  const open: [Schema, Schema][] = []
  const changes: SchemaChanges = (compared) => {
    const old = resolved(compared.old, before)
    const now = resolved(compared.now, after)
    if (open.some(([one, other]) => one === old && other === now)) return []
    open.push([old, now])
    const isUnion = [old, now].some(({ anyOf, oneOf }) => anyOf || oneOf)
    const changesOf = isUnion ? ofUnions : ofPlain
    const found = [...changesOf(changes, { ...compared, old, now })]
    open.pop()
    return found
  }
  return changes
}

/** A request must keep every alternative. A response must not get a new one. */
function* ofUnions(changes: SchemaChanges, { direction, old, now, at }: Compared) {
  const fits = (was: Schema, is: Schema) =>
    changes({ direction, old: was, now: is, at }).length === 0
  const before = alternativesOf(old)
  const after = alternativesOf(now)
  if (direction === 'request') {
    const lost = before.filter((was) => !after.some((is) => fits(was, is))).length
    if (lost > 0) yield `${at}: ${lost} of its alternatives are no longer accepted`
  } else {
    const added = after.filter((is) => !before.some((was) => fits(was, is))).length
    if (added > 0) yield `${at}: ${added} of its alternatives are new to clients`
  }
}

function* ofPlain(changes: SchemaChanges, compared: Compared) {
  const { direction, old, now, at } = compared
  const isRequest = direction === 'request'
  const [narrow, wide] = isRequest ? [old, now] : [now, old]
  if (wide.type && !typesOf(narrow).every((type) => allows(wide, type))) {
    yield `${at}: the type was ${typesOf(old).join(' or ')} and is ${typesOf(now).join(' or ')}`
  }
  if (isRequest) yield* narrowedLimits(old, now, at)
  else if (old.const !== undefined && old.const !== onlyValueOf(now))
    yield `${at}: was always ${JSON.stringify(old.const)}`
  yield* ofFields(changes, compared)
  yield* ofInner(changes, compared)
}

function* ofFields(changes: SchemaChanges, { direction, old, now, at }: Compared) {
  const isRequest = direction === 'request'
  const { required: had = [], additionalProperties: rest } = old
  const { properties = {}, required: has = [], additionalProperties: restNow } = now
  for (const [name, property] of Object.entries(old.properties ?? {})) {
    const current = properties[name]
    if (!current) {
      yield `${at}/${name}: the field was removed`
      continue
    }
    if (!isRequest && had.includes(name) && !has.includes(name))
      yield `${at}/${name}: the field may now be missing`
    yield* changes({ direction, old: property, now: current, at: `${at}/${name}` })
  }
  for (const name of isRequest ? has : [])
    if (!had.includes(name)) yield `${at}/${name}: the field is now required`
  if (isRequest && restNow === false && rest !== false)
    yield `${at}: other fields are no longer accepted`
}

function* ofInner(changes: SchemaChanges, { direction, old, now, at }: Compared) {
  for (const [keyword, suffix] of inner) {
    const was = old[keyword] ?? true
    const is = now[keyword] ?? true
    if (was === is || was === false || is === false) continue
    const before = was === true ? anything : was
    const after = is === true ? anything : is
    yield* changes({ direction, old: before, now: after, at: at + suffix })
  }
}

/** Keywords for what a value has besides named fields. Without the keyword that may be anything. */
const inner = [
  ['items', '[]'],
  ['additionalProperties', '{}'],
  ['contentSchema', ' content'],
] as const
const anything: Schema = {}

/** The schema with its reference followed and the parts of `allOf` merged. */
function resolved(schema: Schema, document: JsonObject): Schema {
  if (schema.$ref) {
    let found: unknown = document
    for (const name of schema.$ref.split('/').slice(1))
      found = (found as JsonObject | undefined)?.[name]
    return resolved((found as Schema | undefined) ?? anything, document)
  }
  if (!schema.allOf) return schema
  const { allOf, ...own } = schema
  const parts = [...allOf.map((part) => resolved(part, document)), own]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** An enum of one value says the same as a const. */
const onlyValueOf = ({ const: only, enum: values }: Schema): unknown =>
  values?.length === 1 ? values[0] : only

const typesOf = ({ type = 'anything' }: Schema): readonly string[] => [type].flat()

const allows = (schema: Schema, type: string): boolean =>
  typesOf(schema).includes(type) || (type === 'integer' && typesOf(schema).includes('number'))

/** A schema of several types counts as one alternative for each. */
const alternativesOf = (schema: Schema): readonly Schema[] =>
  schema.anyOf ??
  schema.oneOf ??
  (schema.type ? typesOf(schema).map((type) => ({ ...schema, type })) : [schema])

const limits =
  /^(min|max|exclusiveM)|^(pattern|format|const|multipleOf|not|propertyNames|uniqueItems)$/

function* narrowedLimits(old: Schema, now: Schema, at: string) {
  for (const [keyword, is] of Object.entries(now)) {
    const was = old[keyword]
    if (!limits.test(keyword) || isAsWide(keyword, was, is)) continue
    const before = was === undefined ? 'not there' : JSON.stringify(was)
    yield `${at}: ${keyword} was ${before} and is ${JSON.stringify(is)}`
  }
  if (!now.enum) return
  if (!old.enum) yield `${at}: only some values are accepted now`
  for (const value of old.enum ?? []) {
    if (!now.enum.includes(value))
      yield `${at}: the value ${JSON.stringify(value)} is no longer accepted`
  }
}

function isAsWide(keyword: string, was: unknown, is: unknown): boolean {
  if (/^(min|exclusiveMin)/.test(keyword)) return Number(is) <= Number(was)
  if (/^(max|exclusiveMax)/.test(keyword)) return Number(is) >= Number(was)
  return isDeepStrictEqual(was, is)
}
