import { InvalidArgumentError } from '@commander-js/extra-typings'

/** A month in UTC, such as `2026-11`. */
export function monthFrom(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('It must be a month, such as 2026-11.')
}

/** When a month begins and ends, in milliseconds since the epoch. */
export function boundsOf(month: string): { readonly begins: number; readonly ends: number } {
  const begins = new Date(`${month}-01T00:00:00Z`)
  return { begins: begins.getTime(), ends: new Date(begins).setUTCMonth(begins.getUTCMonth() + 1) }
}
