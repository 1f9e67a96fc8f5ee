import type { Item } from '@embed-access/core/storage/batch-get.ts'
import { Placeholders } from './evaluate.ts'
import { parseProjection } from './expression.ts'

type Projection = {
  readonly ProjectionExpression?: string | undefined
  readonly ExpressionAttributeNames?: Record<string, string> | undefined
}

export function projected(item: Item, input: Projection): Item {
  if (input.ProjectionExpression === undefined) return item
  const given = new Placeholders(input)
  return only(
    item,
    parseProjection(input.ProjectionExpression).map((name) => given.name(name)),
  )
}

/** The named attributes of an item. */
export const only = (item: Item, names: readonly (string | undefined)[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))) as Item

/** Parameters that only ask for more in an answer. The simulated database does not say what a call consumes. */
const ignored = ['ReturnConsumedCapacity']

/** @throws Error if a command asks for something that is not simulated */
export function requireOnly(input: object, known: readonly string[]): void {
  const allowed = [...known, ...ignored]
  const unknown = Object.entries(input).filter(([name, value]) => value !== undefined && !allowed.includes(name))
  if (unknown.length > 0) throw new Error(`The simulated database does not know ${unknown.map(([name]) => name)}.`)
}

/** What the document client sends: a copy without undefined values, which nobody else holds. */
export function copyOf<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(copyOf) as Value
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.freeze(Object.fromEntries(entries.map(([name, each]) => [name, copyOf(each)]))) as Value
}
