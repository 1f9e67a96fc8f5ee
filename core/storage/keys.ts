import { instantOf } from '../time.ts'

/**
 * Joins parts to a key. `#` and `%` inside a part are escaped, so different parts never give the same key.
 * @example key('account', 'a#b', 7) // 'account#a%23b#7'
 */
export function key(...parts: readonly (string | number)[]): string {
  return parts.map((part) => (typeof part === 'number' ? part : escaped(part))).join('#')
}

const escaped = (part: string): string =>
  /[#%]/.test(part) ? part.replaceAll('%', '%25').replaceAll('#', '%23') : part

/**
 * The parts that {@link key} made a key of, numbers as text.
 * @example partsOfKey('account#a%23b#7') // ['account', 'a#b', '7']
 */
export const partsOfKey = (key: string): string[] =>
  key.split('#').map((part) => part.replaceAll('%23', '#').replaceAll('%25', '%'))

/** The sort key of a thing itself. Its shares, recipients and the like have other sort keys in the same partition. */
export const ownSortKey = 'record'

/** The longest keys that DynamoDB stores, in bytes. */
export const maxPartitionKeyBytes = 2048
export const maxSortKeyBytes = 1024

/**
 * The least sort key after this one. It ends with a space, which sorts before every character of our sort keys.
 * @example justAfter('b12a5') // 'b12a5 ', before 'b12a6'
 */
export const justAfter = (sortKey: string): string => `${sortKey} `

/**
 * A non-negative safe integer as text that sorts like the number: a letter for its length, then its digits.
 * @example [ascending(5), ascending(12), ascending(100)] // ['a5', 'b12', 'c100']
 */
export function ascending(integer: number): string {
  const digits = String(integer)
  return String.fromCharCode(96 + digits.length) + digits
}

/**
 * A non-negative integer as text that sorts in reverse: 19 digits, which are the distance to the greatest such number.
 * @example descending(5) // '9999999999999999994'
 */
export function descending(integer: number | bigint): string {
  return String(9_999_999_999_999_999_999n - BigInt(integer)).padStart(19, '0')
}

/** Seconds from the year 0 to the epoch. With them every time in a four-digit year is a positive number. */
const epochSeconds = 62_167_219_200n

/**
 * A sort key that puts the newest time first, to the nanosecond. Things of the same time are in order of the tie-break.
 * @param time ISO 8601
 * @example newestFirst('2026-01-31T12:00:00Z', 'b') < newestFirst('2026-01-30T12:00:00Z', 'a') // true
 */
export function newestFirst(time: string, tieBreak: string): string {
  const { seconds, nanoseconds } = instantOf(time)
  return `${descending(BigInt(seconds) + epochSeconds)}${descending(nanoseconds)}#${tieBreak}`
}
