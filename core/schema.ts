import * as v from 'valibot'

/**
 * Building blocks of the schemas, so that each reads like its table in the specification. What a check in code asks for
 * is said once more as `v.metadata`, in keywords of JSON Schema: the OpenAPI document is made of that, validation passes
 * over it.
 */

/** An integer that JSON and JavaScript carry without loss. */
export const integer = v.pipe(v.number('must be an integer'), v.safeInteger('must be an integer'))

/** The id of a thing: an integer of at least 0. */
export const id = v.pipe(integer, v.minValue(0, 'must be an integer of at least 0'))

export const boolean = v.boolean('must be true or false')

/** Text without lone surrogates: those cannot be stored, and would make different names equal. */
export const text = v.pipe(
  v.string('must be a string'),
  v.check((value) => value.isWellFormed(), 'must be well-formed Unicode'),
)

export const textOf = (least: number, most: number) =>
  v.pipe(
    text,
    v.minLength(least, `must have at least ${least} character${least === 1 ? '' : 's'}`),
    v.maxLength(most, `must have at most ${most} characters`),
  )

/**
 * Compares names and external ids in lower case. A letter whose lower case belongs to another letter stays as it is: the
 * Kelvin sign (U+212A) must not name whom a `k` names.
 * @example lowerCase('ÅKE') // 'åke'
 */
export const lowerCase = (name: string): string =>
  [...name].map((letter) => (letter.toLowerCase().toUpperCase() === letter ? letter.toLowerCase() : letter)).join('')

const isoTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d))?$/

/** An ISO 8601 date, or a date-time with its offset. */
export const time = v.pipe(
  text,
  v.check(
    (value) => isoTime.test(value) && !Number.isNaN(Date.parse(value)),
    'must be an ISO 8601 date or date-time with its offset, such as 2026-01-31T12:00:00Z',
  ),
  v.metadata({ pattern: isoTime.source }),
)

/** An optional field that cannot be null: null means the same as leaving it out (decisions, "Requests and responses"). */
export const optional = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => (value ?? undefined) as v.InferOutput<Schema> | undefined),
    ),
  )

/** An optional field of which the specification says `|null`. */
export const orNull = <const Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))

export type JsonObject = { readonly [field: string]: unknown }

/** Deeper than this no document of ours nests; it keeps recursion within the stack. */
const deepest = 64

/** A free-form object. Only numbers that JSON can say are let through: 1e400 would come back as null. */
export const freeForm = v.custom<JsonObject>(
  (value) => isPlainObject(value) && isJson(value, deepest),
  `must be an object of JSON values, nested at most ${deepest} deep, with finite numbers`,
)

const isPlainObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isJson(inner, depth - 1))
}

/** An object from any name, `constructor` included, to one kind of value. */
export const mapOf = <const Schema extends v.GenericSchema>(schema: Schema, values: string) =>
  v.pipe(
    freeForm,
    v.check((map) => Object.values(map).every((value) => v.is(schema, value)), `must have ${values} as its values`),
    v.metadata({ additionalProperties: schema }),
  )

export const list = <const Schema extends v.GenericSchema>(schema: Schema) => v.array(schema, 'must be a list')

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

/** An object with these fields and no others; what every object inherits, such as `constructor`, is no field either. */
export const exactly = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const schema = v.strictObject(Object.setPrototypeOf({ ...entries }, null) as Entries, (issue) =>
    issue.expected === 'never'
      ? 'is not a known field'
      : issue.expected === 'Object'
        ? 'must be an object'
        : 'is required',
  )
  const { '~run': run } = schema
  // To valibot a list is an object without fields.
  const runOnObjects: typeof run = (dataset, config) =>
    run.call(schema, Array.isArray(dataset.value) ? { ...dataset, value: null } : dataset, config)
  Object.assign(schema, { '~run': runOnObjects })
  return schema
}
