/**
 * A key made of parts. `#` and `%` inside a part are escaped, so that no choice of names can make one thing's key
 * equal to another's.
 */
export function key(...parts: readonly (string | number)[]): string {
  return parts.map((part) => String(part).replaceAll('%', '%25').replaceAll('#', '%23')).join('#')
}

/** The parts that {@link key} made this of. */
export const partsOfKey = (key: string): string[] =>
  key.split('#').map((part) => part.replaceAll('%23', '#').replaceAll('%25', '%'))

/** Sort key of a thing itself, in its partition; what hangs on the thing has other sort keys there. */
export const record = 'record'

/** DynamoDB's limits, in bytes: nothing longer can be stored, so nothing longer is found. */
export const longestPartitionKey = 2048
export const longestSortKey = 1024

/** The least sort key behind this one: a space sorts before all that sort keys here are made of. */
export const justBehind = (sortKey: string): string => `${sortKey} `

/** A non-negative safe integer as text that sorts as the number does: a letter for its length, then its digits. */
export function ascending(integer: number): string {
  const digits = String(integer)
  return String.fromCharCode(96 + digits.length) + digits
}

/** The same in reverse order, of fixed width. */
export function descending(integer: number | bigint): string {
  return String(9_999_999_999_999_999_999n - BigInt(integer)).padStart(19, '0')
}
