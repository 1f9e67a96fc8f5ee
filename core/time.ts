import * as v from 'valibot'
import { text } from './schema.ts'

/* Dates and date-times of ISO 8601, such as 2026-01-31T12:00:00Z or 20260131T120000Z. */

const month = '(0[1-9]|1[0-2])'
const day = '(0[1-9]|[12]\\d|3[01])'
const hour = '([01]\\d|2[0-3])'
const sixty = '[0-5]\\d'
const zone = `([Zz]|[+-]${hour}(:?${sixty})?)?`

function format(dash: string, colon: string): string {
  const second = `(${colon}${sixty}([.,]\\d+)?)?`
  const clock = `${hour}(${colon}${sixty}${second})?${zone}`
  return `\\d{4}${dash}${month}${dash}${day}([Tt]${clock})?`
}

/** The form of a {@link time}. A text of this form may name a day that does not exist. */
export const isoTime = new RegExp(`^(${format('-', ':')}|${format('', '')})$`)

const datePart = /(?<year>\d{4})-?(?<month>\d\d)-?(?<day>\d\d)/
const clockPart = /(?<hour>\d\d):?(?<minute>\d\d)?:?(?<second>\d\d)?(?:[.,](?<fraction>\d+))?/
const zonePart = /(?:[Zz]|(?<offsetHours>[+-]\d\d):?(?<offsetMinutes>\d\d)?)?/
const parts = new RegExp(`^${datePart.source}(?:[Tt]${clockPart.source}${zonePart.source})?$`)

/** `Date` reads the 31st of February as a day in March. */
function isOnCalendar(time: string): boolean {
  const date = time.replace(parts, '$<year>-$<month>-$<day>')
  return new Date(date).toISOString().startsWith(date)
}

export const time = v.pipe(
  text,
  v.check(
    (value) => isoTime.test(value) && isOnCalendar(value),
    'must be an ISO 8601 date or date-time of a day that exists, such as 2026-01-31 or ' +
      '2026-01-31T12:00:00Z; week and ordinal dates, 24:00 and leap seconds are not taken',
  ),
  v.metadata({ pattern: isoTime.source }),
)

/**
 * The instant of a {@link time}, in seconds since the epoch and nanoseconds after them. A date is
 * the beginning of its day. A time without an offset is in UTC.
 * @example instantOf('2026-01-31T12:00:00,5+02').nanoseconds // 500_000_000
 */
export function instantOf(time: string): {
  readonly seconds: number
  readonly nanoseconds: number
} {
  const found = parts.exec(time)?.groups ?? {}
  const { year, month, day, hour = '00', minute = '00', second = '00', fraction = '' } = found
  const { offsetHours = '+00', offsetMinutes = '00' } = found
  const clock = `${hour}:${minute}:${second}`
  return {
    seconds: Date.parse(`${year}-${month}-${day}T${clock}${offsetHours}:${offsetMinutes}`) / 1000,
    nanoseconds: Number(fraction.slice(0, 9).padEnd(9, '0')),
  }
}

/** The instant of a {@link time}, in milliseconds since the epoch. */
export function millisecondsOf(time: string): number {
  const { seconds, nanoseconds } = instantOf(time)
  return seconds * 1000 + nanoseconds / 1e6
}

/** Whether JavaScript, and so a browser, takes a text for a time zone, such as `Europe/Oslo`. */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
