import { instantOf } from '../time.ts'

/**
 * Joins parts to a key. `#` and `%` inside a part are escaped, so different parts never give the
 * same key.
 * @example key('account', 'a#b', 7) // 'account#a%23b#7'
 */
export const key = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? part : escaped(part))).join('#')

const escaped = (part: string): string =>
  // Anything but text, such as undefined, throws here, so it never gets into a key.
  part.replaceAll('%', '%25').replaceAll('#', '%23')

/** The parts of a {@link key}, numbers as text. */
export const partsOfKey = (key: string): string[] =>
  key.split('#').map((part) => part.replaceAll('%23', '#').replaceAll('%25', '%'))

/** The sort key of a thing itself. What belongs to the thing has other sort keys. */
export const ownSortKey = 'record'

/** The key of a thing itself. Its partition is the {@link key} of these parts. */
export const ownKey = (...parts: readonly (string | number)[]) => ({
  pk: key(...parts),
  sk: ownSortKey,
})

/** The longest keys that DynamoDB stores, in bytes. */
export const maxPartitionKeyBytes = 2048
export const maxSortKeyBytes = 1024

/** The next possible sort key: no text sorts between the two. An id may have any character. */
export const justAfter = (sortKey: string): string => `${sortKey}\0`

/**
 * A non-negative safe integer as text that sorts like the number. A letter says its length.
 * @example [ascending(5), ascending(12), ascending(100)] // ['a5', 'b12', 'c100']
 */
export function ascending(integer: number): string {
  const digits = String(integer)
  return String.fromCharCode(96 + digits.length) + digits
}

/** A non-negative safe integer as 19 digits that sort in reverse. */
export function descending(integer: number): string {
  return String(9_999_999_999_999_999_999n - BigInt(integer))
}

/** Seconds from the year 0 to the epoch, which make every time in a four-digit year positive. */
const epochSeconds = 62_167_219_200

/**
 * A sort key that puts the newest time (ISO 8601) first. The tie-break sorts equal times. An offset
 * can put a time before the year 0. Such a time counts as the first second of the year 0.
 */
export function newestFirst(time: string, tieBreak: string): string {
  const { seconds, nanoseconds } = instantOf(time)
  const since = Math.max(0, seconds + epochSeconds)
  return `${descending(since)}${descending(nanoseconds)}#${tieBreak}`
}
