import * as v from 'valibot'
import { text } from '../schema.ts'

/** Refuses integers that JavaScript can't hold: 9007199254740993 would become the id of another customer. */
export const isExact = (number: number): boolean =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))

const exact = v.pipe(v.number(), v.check(isExact, 'must be finite, and as an integer within ±(2^53 - 1)'))

/** The value of a user attribute. */
export const AttributeValue = v.union(
  [text, exact, v.boolean(), v.array(text), v.array(exact)],
  'must be a string, a number, a boolean, a list of strings or a list of numbers',
)

export type AttributeValue = v.InferOutput<typeof AttributeValue>

/** The types that a definition may give an attribute. */
export const attributeTypes = ['string', 'number', 'boolean', 'string_array', 'number_array'] as const

export type AttributeType = (typeof attributeTypes)[number]

const valuesOf = {
  string: text,
  number: exact,
  boolean: v.boolean(),
  string_array: v.array(text),
  number_array: v.array(exact),
} satisfies Record<AttributeType, v.GenericSchema>

/** What a value of each type looks like, for messages. */
export const descriptionOfType: Readonly<Record<AttributeType, string>> = {
  string: 'a string',
  number: 'a number, or its text',
  boolean: 'true or false',
  string_array: 'a list of strings, or its JSON text',
  number_array: 'a list of numbers, or its JSON text',
}

/**
 * The value as its type has it. The specification writes every default as a string, so the JSON text of a value will do.
 * @returns undefined for a value that does not fit
 * @example valueOfType('number', '5') // 5
 */
export function valueOfType(type: AttributeType, value: AttributeValue): AttributeValue | undefined {
  const schema = valuesOf[type]
  if (v.is(schema, value)) return value
  const parsed = typeof value === 'string' ? jsonIn(value) : undefined
  return v.is(schema, parsed) ? parsed : undefined
}

function jsonIn(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
