import { instantOf } from '../time.ts'
import { descending } from './keys.ts'

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
