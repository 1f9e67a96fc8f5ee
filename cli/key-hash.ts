import { text } from 'node:stream/consumers'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { formed } from './command.ts'
import { sayItReads, type Terminal, UsageError } from './terminal.ts'

export const hashWith = (least: number) =>
  formed(
    new RegExp(`^[0-9a-f]{${least},64}$`),
    `${least} to 64 characters of the hash are needed, 0-9 and a-f. To give the key itself, use ` +
      '--key-from-stdin.',
  )

/** The hash of the API key on standard input, whatever line end or blanks are around it. */
export async function hashFromStdin(terminal: Terminal): Promise<string> {
  sayItReads(terminal)
  const key = (await text(terminal.in)).trim()
  if (key === '') throw new UsageError('Standard input has no key.')
  return hashOfApiKey(key)
}
