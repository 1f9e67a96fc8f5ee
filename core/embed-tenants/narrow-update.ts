import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type { ItemKey } from '../storage/item.ts'

/** Attributes of an item with their values; undefined stands for an attribute that is not there. */
export type ItemAttributes = Readonly<Record<string, unknown>>

type NarrowChange = {
  /** The new values, also of the item's version. An attribute with undefined is removed. */
  readonly set: ItemAttributes
  /** What must still be stored, as it was read. */
  readonly expected: ItemAttributes
  readonly add?: Addition
}

/** Adds to a number. A number that grows must not exceed its limit. Additions commute too. */
export type Addition = { readonly attribute: string; readonly by: number; readonly limit: number }

/** The most conditions that fit an expression: DynamoDB takes 4 KB and 300 operators. */
const maxConditions = 100

/**
 * An update of some attributes, on condition that `expected` is as it was read. Updates of
 * different attributes commute. If `expected` is too long for a condition, the item must have the
 * version that was read.
 */
export function narrowUpdate(
  TableName: string,
  Key: ItemKey,
  { set, expected, add }: NarrowChange,
  version?: unknown,
) {
  // Placeholders have numbers in base 36, which are short: an expression has at most 4 KB.
  const names: string[] = []
  const values: unknown[] = []
  const nameOf = (attribute: string): string => {
    if (!names.includes(attribute)) names.push(attribute)
    return `#${names.indexOf(attribute).toString(36)}`
  }
  const placeholderOf = (value: unknown): string => {
    values.push(value)
    return `:${(values.length - 1).toString(36)}`
  }

  const sets: string[] = []
  const removes: string[] = []
  for (const [name, value] of Object.entries(set)) {
    if (value === undefined) removes.push(nameOf(name))
    else sets.push(`${nameOf(name)}=${placeholderOf(value)}`)
  }
  const removed = removes.length > 0 ? ` REMOVE ${removes.join(',')}` : ''
  const added = add && add.by !== 0 ? ` ADD ${nameOf(add.attribute)} ${placeholderOf(add.by)}` : ''
  const compared = Object.keys(expected).length > maxConditions ? { version } : expected
  const conditions = Object.entries(compared).map(([name, value]) =>
    value === undefined
      ? `attribute_not_exists(${nameOf(name)})`
      : `${nameOf(name)}=${placeholderOf(value)}`,
  )
  if (add && add.by > 0) {
    const name = nameOf(add.attribute)
    conditions.push(
      `(attribute_not_exists(${name}) OR ${name}<=${placeholderOf(add.limit - add.by)})`,
    )
  }
  return {
    TableName,
    Key,
    UpdateExpression: `SET ${sets.join(',')}${removed}${added}`,
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [nameOf(name), name])),
    ExpressionAttributeValues: Object.fromEntries(
      values.map((value, index) => [`:${index.toString(36)}`, value]),
    ),
  } satisfies UpdateCommandInput
}
