import * as v from 'valibot'

/*
 * Building blocks, so that a schema reads like its table in the specification. `v.metadata` repeats in keywords of JSON
 * Schema what a check says in code. The OpenAPI document is made from it; validation ignores it.
 */

/** An integer that JavaScript holds exactly. */
export const integer = v.pipe(v.number('must be an integer'), v.safeInteger('must be an integer'))

/** The id of a thing: an integer of at least 0. */
export const id = v.pipe(integer, v.minValue(0, 'must be an integer of at least 0'))

export const boolean = v.boolean('must be true or false')

/** Text without lone surrogates. Those can't be stored, and would make different names equal. */
export const text = v.pipe(
  v.string('must be a string'),
  v.check((value) => value.isWellFormed(), 'must be well-formed Unicode'),
)

/** Limits the length of a text in code points, as JSON Schema counts characters. */
export const upTo = (max: number) => v.maxCodePoints<string, number, string>(max, `must have at most ${max} characters`)

/** Text with a length in code points. */
export const textOf = (min: 0 | 1, max: number) =>
  v.pipe(text, v.minLength(min, `must have at least ${min} character`), upTo(max))

/**
 * Compares names and external ids in lower case. A letter whose lower case belongs to another letter stays as it is: the
 * Kelvin sign (U+212A) must not name whom a `k` names.
 * @example lowerCase('ÅKE') // 'åke'
 */
export const lowerCase = (name: string): string =>
  [...name].map((letter) => (letter.toLowerCase().toUpperCase() === letter ? letter.toLowerCase() : letter)).join('')

const isoTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d))?$/

/** `Date` takes the 31st of February for a day in March. */
function isDateOfTheCalendar(time: string): boolean {
  const date = time.slice(0, 'YYYY-MM-DD'.length)
  return new Date(date).toISOString().startsWith(date)
}

/** An ISO 8601 date, or a date-time with its offset. */
export const time = v.pipe(
  text,
  v.check(
    (value) => isoTime.test(value) && isDateOfTheCalendar(value),
    'must be an ISO 8601 date, or date-time with its offset, such as 2026-01-31T12:00:00Z, of a day that exists',
  ),
  v.metadata({ pattern: isoTime.source }),
)

/**
 * An optional field. The input may be null, which means that it is left out (decisions, "Requests and responses"). The
 * output is never null.
 * @example v.parse(optional(text), null) // undefined
 */
export const optional = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => (value ?? undefined) as v.InferOutput<Schema> | undefined),
    ),
  )

/** An optional field that the specification marks `|null`. Null stays null. */
export const orNull = <const Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))

export type JsonObject = { readonly [field: string]: unknown }

/** How deep free-form objects may nest. The limit keeps the recursion within the stack. */
export const maxDepth = 64

/** A free-form object. It must have finite numbers: 1e400 would come back as null. */
export const freeForm = v.custom<JsonObject>(
  (value) => isPlainObject(value) && isJson(value, maxDepth),
  `must be an object of JSON values, nested at most ${maxDepth} deep, with finite numbers`,
)

const isPlainObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isJson(inner, depth - 1))
}

/**
 * An object with any names, `constructor` included, and values of one kind.
 * @param values the kind in the plural, for the error text
 * @example mapOf(text, 'strings')
 */
export const mapOf = <const Schema extends v.GenericSchema>(schema: Schema, values: string) =>
  v.pipe(
    freeForm,
    v.check((map) => Object.values(map).every((value) => v.is(schema, value)), `must have ${values} as its values`),
    v.metadata({ additionalProperties: schema }),
  )

export const list = <const Schema extends v.GenericSchema>(schema: Schema) => v.array(schema, 'must be a list')

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

/** To valibot a list is an object without fields. */
const notAList = v.custom<object>((value) => !Array.isArray(value), 'must be an object')

/**
 * An object with these fields and no others. An unknown field, such as `constructor`, gives an issue that expects
 * `never`.
 * @example v.parse(exactly({ id, name: optional(text) }), { id: 7 }) // { id: 7 }
 */
export const exactly = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const object = v.strictObject(entries, (issue) =>
    issue.expected === 'never'
      ? 'is not a known field'
      : issue.expected === 'Object'
        ? 'must be an object'
        : 'is required',
  )
  // The fields stay readable: variants, spreads and the OpenAPI document need them.
  return Object.assign(v.pipe(notAList, object), { type: object.type, entries }) as unknown as typeof object
}
