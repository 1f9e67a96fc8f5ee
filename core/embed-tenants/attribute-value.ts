import * as v from 'valibot'
import { keepingDigits } from '../json.ts'
import { type NumberRule, numberWith, outOfRange, text, withoutReplacedBytes } from '../schema.ts'

/**
 * All who read a token must read the same number. JavaScript turns 9007199254740993 into …992,
 * which may be the id of another customer. So a caller who sends …992 may have meant …993.
 */
export const inexact: NumberRule = (value) => {
  const isExact =
    typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value))
  const problem =
    'must keep its value as a 64-bit float, and an integer must be within ±(2^53 - 1); ' +
    'otherwise send a string'
  return outOfRange(value) ?? (isExact ? undefined : problem)
}

/** The least number above 0 that DynamoDB stores. */
const least = 1e-130

const storable = numberWith((value) => {
  const isTooSmall = typeof value === 'number' && value !== 0 && Math.abs(value) < least
  const tooSmall = `must be 0, or differ from 0 by at least ${least}`
  return inexact(value) ?? (isTooSmall ? tooSmall : undefined)
}) as v.GenericSchema<unknown, number>

export const AttributeValue = v.pipe(
  v.union(
    [text, storable, v.boolean(), v.array(text), v.array(storable)],
    'must be a string, a number, a boolean, a list of strings or a list of numbers',
  ),
  withoutReplacedBytes(),
)

export type AttributeValue = v.InferOutput<typeof AttributeValue>

/** A value, or its JSON text. The specification writes each default as a string. */
const orJson = <const Schema extends v.GenericSchema<unknown, AttributeValue>>(schema: Schema) =>
  v.union([
    schema,
    v.pipe(
      v.string(),
      v.parseJson({ reviver: keepingDigits }),
      schema,
      // The JSON text may have U+FFFD as an escape, which a check of the text does not see.
      withoutReplacedBytes(),
    ),
  ])

/** The types of attributes, and what their values look like, for messages. */
const types = {
  string: { schema: text, looks: 'a string' },
  number: { schema: orJson(storable), looks: 'a number, or its text' },
  boolean: { schema: orJson(v.boolean()), looks: 'true or false' },
  string_array: { schema: orJson(v.array(text)), looks: 'a list of strings, or its JSON text' },
  number_array: { schema: orJson(v.array(storable)), looks: 'a list of numbers, or its JSON text' },
}

type AttributeType = keyof typeof types
export const attributeTypes = Object.keys(types) as AttributeType[]

export const descriptionOfType = (type: AttributeType): string => types[type].looks

/**
 * Returns the value in the form of its type, or undefined if the value does not fit. DynamoDB
 * stores -0 as 0, so this returns 0 for -0 too. Otherwise a request that repeats a definition with
 * -0 would count as a change of the definition.
 */
export function valueOfType(
  type: AttributeType,
  value: AttributeValue,
): AttributeValue | undefined {
  const { success, output } = v.safeParse(types[type].schema, value)
  return success ? JSON.parse(JSON.stringify(output)) : undefined
}
