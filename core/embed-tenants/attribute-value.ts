import * as v from 'valibot'
import { parseJson } from '../json.ts'
import { type NumberRule, numberWith, outOfRange, text } from '../schema.ts'

/**
 * Whoever reads a token must read the same number. JavaScript turns 9007199254740993 into …992, which may be the id of
 * another customer. A caller who sends the latter may have meant the former.
 */
export const inexact: NumberRule = (value) => {
  const isExact = typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value))
  const problem = 'must be a number that a 64-bit float keeps, as an integer within ±(2^53 - 1); send others as strings'
  return outOfRange(value) ?? (isExact ? undefined : problem)
}

/** The least number that DynamoDB stores, as it stores defaults. */
const least = 1e-130

const storable = numberWith((value) => {
  const isStored = value === 0 || (typeof value === 'number' && Math.abs(value) >= least)
  return inexact(value) ?? (isStored ? undefined : `must be 0, or at least ${least} away from it`)
}) as v.GenericSchema<unknown, number>

export const AttributeValue = v.union(
  [text, storable, v.boolean(), v.array(text), v.array(storable)],
  'must be a string, a number, a boolean, a list of strings or a list of numbers',
)

export type AttributeValue = v.InferOutput<typeof AttributeValue>

/** The types that a definition may give an attribute: which values they have, and what these look like, for messages. */
const types = {
  string: { schema: text, looks: 'a string' },
  number: { schema: storable, looks: 'a number, or its text' },
  boolean: { schema: v.boolean(), looks: 'true or false' },
  string_array: { schema: v.array(text), looks: 'a list of strings, or its JSON text' },
  number_array: { schema: v.array(storable), looks: 'a list of numbers, or its JSON text' },
}

type AttributeType = keyof typeof types

export const attributeTypes = Object.keys(types) as AttributeType[]

export const descriptionOfType = (type: AttributeType): string => types[type].looks

/** The value as its type has it, if it fits. The specification writes every default as a string, so JSON text will do. */
export function valueOfType(type: AttributeType, value: AttributeValue): AttributeValue | undefined {
  const schema: v.GenericSchema<unknown, AttributeValue> = types[type].schema
  const fitting = [value, typeof value === 'string' ? jsonIn(value) : undefined].find((each) => v.is(schema, each))
  return fitting as AttributeValue | undefined
}

function jsonIn(json: string): unknown {
  try {
    return parseJson(json)
  } catch {
    return undefined
  }
}
