import { InvalidArgumentError } from '@commander-js/extra-typings'
import { keyOperations } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { millisecondsOf, time } from '@embed-access/core/time.ts'
import * as v from 'valibot'
import { matching, wholeNumber } from '../command.ts'
import { sayItReads, type Terminal, UsageError } from '../terminal.ts'

export function deploymentsFrom(text: string): number[] {
  const ids = text.split(',').map((id) => id.trim())
  if (ids.every((id) => /^\d+$/.test(id))) return [...new Set(ids.map(wholeNumber))]
  throw new InvalidArgumentError('It must be a list of deployment ids, such as 1,2.')
}

export function operationsFrom(text: string): string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const known: readonly string[] = keyOperations
  if (names.every((name) => known.includes(name))) return names
  throw new InvalidArgumentError(`Each must be one of ${keyOperations.join(', ')}.`)
}

/** @param text a time in ISO 8601, or how long from now: `12h`, `30d` */
export function expiryFrom(text: string, now: number): string {
  const duration = durationIn(text)
  if (duration === undefined && !v.is(time, text)) {
    throw new InvalidArgumentError(
      'It must be a time, such as 2027-01-31T12:00:00Z, or a duration, such as 30d or 12h.',
    )
  }
  const at = duration === undefined ? millisecondsOf(text) : now + duration
  if (at <= now)
    throw new InvalidArgumentError('It is in the past. A key must expire in the future.')
  const expires = new Date(at).toISOString()
  if (!v.is(time, expires)) throw new InvalidArgumentError('In UTC it is after the year 9999.')
  return expires
}

/** @param text `12h`, `30d` */
export function millisecondsIn(text: string): number {
  const duration = durationIn(text)
  if (duration !== undefined) return duration
  throw new InvalidArgumentError('It must be a duration, such as 30d or 12h.')
}

function durationIn(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (unit === 'd' ? 86_400_000 : 3_600_000)
}

export const hashWith = (least: number) =>
  matching(
    new RegExp(`^[0-9a-f]{${least},64}$`),
    `${least} to 64 characters of the hash are needed, 0-9 and a-f. To give the key itself, use ` +
      '--key-from-stdin.',
  )

/** Longer than any key. Whoever gives more has given another file. */
const mostCharacters = 10_000

/** The hash of the API key on standard input, whatever line end or blanks are around it. */
export async function hashFromStdin(terminal: Terminal): Promise<string> {
  sayItReads(terminal)
  let input = ''
  for await (const chunk of terminal.in) {
    input += chunk
    if (input.length > mostCharacters) break
  }
  const key = input.trim()
  if (key === '') throw new UsageError('Standard input has no key.')
  if (input.length > mostCharacters || /\s/.test(key))
    throw new UsageError('Standard input must have one key, and nothing else.')
  return hashOfApiKey(key)
}
