import * as v from 'valibot'
import { isRawNumber, type RawNumber } from './json.ts'

// `v.metadata` says what a check does, in keywords of JSON Schema, for the OpenAPI document.

export const integer = v.pipe(v.number(notAnInteger), v.safeInteger(notAnInteger))

function notAnInteger({ input }: { readonly input: unknown }): string {
  return isRawNumber(input) || Number.isInteger(input)
    ? 'must be an integer within ±(2^53 - 1)'
    : 'must be an integer'
}

/** Returns what is wrong with a number, if anything. */
export type NumberRule = (number: number | RawNumber) => string | undefined

/** Some parsers would refuse a whole page because of a number such as 1e400. */
export const outOfRange: NumberRule = (number) =>
  Number.isFinite(isRawNumber(number) ? Number(number.rawJSON) : number)
    ? undefined
    : 'must be a finite number'

/** A number with all of its digits. */
export const numberWith = (problemOf: NumberRule) =>
  v.pipe(
    v.custom<number | RawNumber>(
      (value) => typeof value === 'number' || isRawNumber(value),
      'must be a number',
    ),
    v.check(
      (number) => problemOf(number) === undefined,
      ({ input }) => problemOf(input) as string,
    ),
    v.metadata({ type: 'number', additionalProperties: undefined }),
  )

export const number = numberWith(outOfRange)

export const id = v.pipe(integer, v.minValue(0, 'must be an integer of at least 0'))

export const boolean = v.boolean('must be true or false')

const illFormed = 'must be well-formed Unicode'

/** Text without lone surrogates, which can't be stored and would make different names equal. */
export const text = v.pipe(
  v.string('must be a string'),
  v.check((value) => value.isWellFormed(), illFormed),
)

/**
 * For names, and for values that decide who sees what. U+FFFD often stands where bytes were not
 * UTF-8, so it would make different ones equal.
 */
export const withoutReplacedBytes = <Value>() =>
  v.check<Value, string>(
    (value) => !JSON.stringify(value).includes('\uFFFD'),
    'must not contain U+FFFD, which stands where bytes were not UTF-8',
  )

/** In code points, as JSON Schema counts characters. */
export const upTo = (max: number) =>
  v.maxCodePoints<string, number, string>(max, `must have at most ${max} characters`)

export const textOf = (min: 0 | 1, max: number) =>
  v.pipe(text, v.minLength(min, `must have at least ${min} character`), upTo(max))

export const nameOf = (max: number) => v.pipe(textOf(1, max), withoutReplacedBytes())

/**
 * Names and external ids in lower case, to compare them. A letter that shares its lower case with
 * another one stays as it is: the Kelvin sign (U+212A) is no `k`.
 * @example lowerCase('ÅKE') // 'åke'
 */
export const lowerCase = (name: string): string =>
  [...name]
    .map((letter) =>
      letter.toLowerCase().toUpperCase() === letter ? letter.toLowerCase() : letter,
    )
    .join('')

/** An optional field. Null counts as left out (docs/specification.md#requests-and-responses). */
export const optional = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => (value ?? undefined) as v.InferOutput<Schema> | undefined),
    ),
  )

/** An optional field that the specification marks `|null`. Null stays null. */
export const orNull = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.nullable(schema))

type JsonObject = { readonly [field: string]: unknown }

/** How deep free-form objects may nest, so that a recursion over them stays within the stack. */
export const maxDepth = 64

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** An object with any fields. valibot's own schema also takes lists. */
export const object = v.custom<JsonObject>(isObject, 'must be an object')

type Problem = {
  readonly path: [v.UnknownPathItem, ...v.UnknownPathItem[]]
  readonly message: string
}

export const freeForm = freeFormWith(outOfRange)

/**
 * A free-form object with a rule for its numbers, at any depth. Some parsers would refuse a whole
 * page because of a lone surrogate, and others would read it as U+FFFD.
 */
export function freeFormWith(problemOf: NumberRule) {
  return v.pipe(
    object,
    v.rawCheck(({ dataset, addIssue }) => {
      if (dataset.typed) checkIn(dataset.value, [], addIssue)
    }),
  )

  /**
   * A body may have tens of thousands of mistakes below many objects. So it makes the path of an
   * object once for all of its values.
   * @param above the path of the object
   */
  function checkIn(
    object: object,
    above: Problem['path'] | [],
    report: (problem: Problem) => void,
  ): void {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      const pathHere = (): Problem['path'] => [...above, pathItem(object, key, value)]
      if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
        report({ path: pathHere(), message: illFormed })
      if (typeof value === 'number' || isRawNumber(value)) {
        const message = problemOf(value)
        if (message !== undefined) report({ path: pathHere(), message })
      } else if (typeof value === 'object' && value !== null) {
        if (above.length < maxDepth - 1) checkIn(value, pathHere(), report)
        else report({ path: pathHere(), message: `must not be nested more than ${maxDepth} deep` })
      }
    }
  }
}

const pathItem = (input: object, key: string, value: unknown): v.UnknownPathItem => ({
  type: 'unknown',
  origin: 'value',
  input,
  key,
  value,
})

/** An object with any names, `constructor` included, and values of one kind. */
export const mapOf = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    object,
    v.check((map) => Object.keys(map).every((name) => name.isWellFormed()), illFormed),
    eachValue(schema),
    v.metadata({ additionalProperties: schema }),
  )

/** Parses each value. It gives issues whole: valibot's own `addIssue` drops parts of them. */
const eachValue = <const Schema extends v.GenericSchema>(
  schema: Schema,
): v.GenericTransformation<JsonObject, { readonly [name: string]: v.InferOutput<Schema> }> => ({
  kind: 'transformation',
  type: 'transform',
  reference: eachValue,
  async: false,
  '~run'({ value: map }) {
    const parsed = Object.entries(map).map(([key, value]) => {
      const { output, issues = [] } = v.safeParse(schema, value)
      const within = pathItem(map, key, value)
      return {
        entry: [key, output] as const,
        issues: issues.map((issue) => ({
          ...issue,
          path: [within, ...(issue.path ?? [])] as const,
        })),
      }
    })
    const value = Object.fromEntries(parsed.map(({ entry }) => entry))
    const [first, ...others] = parsed.flatMap(({ issues }) => issues)
    return first ? { typed: false, value, issues: [first, ...others] } : { typed: true, value }
  },
})

/**
 * The most issues that a list gives. Each issue takes a kilobyte of memory, and a document of a
 * megabyte could give a million. The body of a request cannot give so many.
 */
const maxIssues = 150_000

/** A list stops looking at its items once it has {@link maxIssues}. */
export const list = <const Schema extends v.GenericSchema>(schema: Schema) => {
  const array = v.array(schema, 'must be a list')
  const run: (typeof array)['~run'] = (dataset, config) =>
    array['~run'](dataset, {
      ...config,
      // Valibot reads this after each invalid item.
      get abortEarly() {
        return config.abortEarly || Object(dataset.issues).length >= maxIssues
      },
    })
  return { ...array, '~run': run }
}

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

/**
 * Whether an issue stands for all unknown fields of an object. The last part of the issue's path
 * has the object as its `input`. The issue has the known fields as its requirement.
 */
export const isOfUnknownFields = ({ expected }: v.BaseIssue<unknown>): boolean =>
  // valibot expects `never` where a strict object has an unknown field.
  expected === 'never'

/** An object with these fields and no others, not even `constructor`. */
export const exactly = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const strict = v.strictObject(entries, (issue) =>
    isOfUnknownFields(issue) ? 'is not a known field' : 'is required',
  )
  // valibot copies the requirement into each issue.
  const fields = Object.assign(strict, { requirement: Object.keys(entries) })
  // The fields stay readable: variants, spreads and the OpenAPI document need them.
  return Object.assign(v.pipe(object, fields), {
    type: fields.type,
    entries,
  }) as unknown as typeof fields
}

/**
 * Checks which fields need or exclude each other. It also runs if a field is invalid, so that the
 * caller learns of every mistake at once.
 * @param problemsOf yields each field that does not go with the others, and why
 */
export const combination = <Input extends object>(
  problemsOf: (input: Input) => Iterable<readonly [string, string]>,
) =>
  v.rawCheck<Input>(({ dataset, addIssue }) => {
    const input: unknown = dataset.value
    if (!isObject(input)) return
    for (const [key, message] of problemsOf(input as Input))
      addIssue({ message, path: [pathItem(input, key, input[key])] })
  })
