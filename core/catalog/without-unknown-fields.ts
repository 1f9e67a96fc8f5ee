import * as v from 'valibot'
import { pointerTo } from '../pointer.ts'

/** The most unknown fields of one object that are left out. */
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
  const leftOut: string[] = []
  let known = value
  let parsed = whole
  for (let round = 0; ; round += 1) {
    if (parsed.success) return { parsed, leftOut }
    // Validation names only the first unknown field of each object.
    const unknown = parsed.issues.filter(({ expected }) => expected === 'never')
    if (unknown.length === 0 || round === mostOfOneObject) return { parsed: whole, leftOut: [] }
    for (const issue of unknown) {
      const path = issue.path?.map(({ key }) => key) ?? []
      leftOut.push(pointerTo(path.map(String)))
      known = without(known, path)
    }
    parsed = v.safeParse(schema, known)
  }
}

/** A copy without the field at the path. */
function without(value: unknown, [key, ...rest]: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.with(key as number, without(value[key as number], rest))
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    rest.length === 0
      ? entries.filter(([name]) => name !== key)
      : entries.map(([name, inner]) => [name, name === key ? without(inner, rest) : inner]),
  )
}
