import * as v from 'valibot'

/** The text of a parameter. A parameter that is given twice has a list of values, which is refused. */
export const onlyOnce = v.string('must be given only once')

/** A parameter that must not be empty: a filter whose value got lost must not list everything. */
export const parameter = v.pipe(onlyOnce, v.minLength(1, 'must not be empty'))

/** An integer in decimal digits, up to `Number.MAX_SAFE_INTEGER`. */
const integerFrom = (min: number) => {
  const maximum = Number.MAX_SAFE_INTEGER
  const message = `must be an integer of at least ${min}`
  const schema = v.pipe(
    parameter,
    v.regex(/^\d+$/, message),
    v.metadata({ type: 'integer', minLength: undefined, pattern: undefined, minimum: min, maximum }),
    v.transform(Number),
    v.safeInteger(`must be at most ${maximum}`),
    v.minValue(min, message),
  )
  // One mistake of a parameter is enough.
  return v.config(schema, { abortPipeEarly: true })
}

export const positive = integerFrom(1)

export const id = integerFrom(0)

export const deploymentId = id

/** The parameters of every list (docs/api.md#pages). */
export const paging = { first: v.optional(positive), after: v.optional(parameter) }
