import { descending } from './keys.ts'

/** From the year 0 to the epoch, in seconds, so that every time of four-digit years is a positive number. */
const epochSeconds = 62_167_219_200n

/** A sort key that puts the newest time first, to the nanosecond, and things of one time in order of the tie-break. */
export function newestFirst(time: string, tieBreak: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(time) ?? []
  const seconds = BigInt(Math.floor(Date.parse(time) / 1000)) + epochSeconds
  return `${descending(seconds)}${descending(BigInt(fraction.padEnd(9, '0')))}#${tieBreak}`
}
