import * as v from 'valibot'
import { pointerTo, shapeOf, type Walkable } from '../input-errors.ts'
import { isObject } from '../schema.ts'

/** The most unknown fields of one object that are left out. With more of them, something else was meant. */
const mostOfOneObject = 20

type Validated<Output> = {
  readonly parsed: v.SafeParseResult<v.GenericSchema<unknown, Output>>
  /** The fields that were left out, such as `/widgets/0/shade`. */
  readonly leftOut: readonly string[]
}

/** Validates a value as if the fields that its schema doesn't know were not there, unless more is wrong with it. */
export function withoutUnknownFields<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): Validated<Output> {
  const whole = v.safeParse(schema, value)
  if (whole.success) return { parsed: whole, leftOut: [] }
  const leftOut: string[] = []
  const parsed = v.safeParse(schema, knownPart(schema as Walkable, value, '', leftOut))
  return parsed.success ? { parsed, leftOut } : { parsed: whole, leftOut: [] }
}

/**
 * A copy without the fields that the schema doesn't know, except those of an object that has too many.
 * @param at the pointer of the value
 * @param leftOut takes the pointers of the fields
 */
function knownPart(schema: Walkable | undefined, value: unknown, at: string, leftOut: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { entries, item } = shapeOf(schema, value) ?? {}
  if (Array.isArray(value)) {
    return item ? value.map((each, index) => knownPart(item, each, `${at}/${index}`, leftOut)) : value
  }
  if (!entries || !isObject(value)) return value
  const isKnown = ([field]: [string, unknown]) => Object.hasOwn(entries, field)
  const { known = [], unknown = [] } = Object.groupBy(Object.entries(value), (entry) =>
    isKnown(entry) ? 'known' : 'unknown',
  )
  if (unknown.length > mostOfOneObject) return value
  for (const [field] of unknown) leftOut.push(at + pointerTo([field]))
  return Object.fromEntries(
    known.map(([field, inner]) => [field, knownPart(entries[field], inner, at + pointerTo([field]), leftOut)]),
  )
}
