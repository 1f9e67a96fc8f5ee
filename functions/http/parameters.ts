import * as v from 'valibot'

/** A parameter's text; one that was given more than once is read as a list. */
export const onlyOnce = v.string('must be given only once')

/** A parameter that must not be empty: a filter that got lost must not read as "all". */
export const parameter = v.pipe(onlyOnce, v.minLength(1, 'must not be empty'))

/** An integer in decimal digits, as large as JavaScript tells apart. */
const integerFrom = (least: number) => {
  const message = `must be an integer of at least ${least}`
  return v.pipe(
    parameter,
    v.regex(/^\d+$/, message),
    v.metadata({
      type: 'integer',
      minLength: undefined,
      pattern: undefined,
      minimum: least,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    v.transform(Number),
    v.safeInteger(`must be at most ${Number.MAX_SAFE_INTEGER}`),
    v.minValue(least, message),
  )
}

export const positive = integerFrom(1)

export const deploymentId = integerFrom(0)

/** What every list takes (decisions, "Requests and responses"). */
export const paging = { first: v.optional(positive), after: v.optional(parameter) }
