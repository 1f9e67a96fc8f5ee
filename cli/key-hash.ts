import { text } from 'node:stream/consumers'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { Terminal } from './terminal.ts'

/** Reads the hash of an API key, or at least so many characters of its beginning. */
export const hashWith = (least: number) => (text: string) => {
  if (new RegExp(`^[0-9a-f]{${least},64}$`).test(text)) return text
  throw new InvalidArgumentError(
    `${least} to 64 characters of the hash are needed, 0-9 and a-f. To give the key ` +
      'itself, use --key-from-stdin.',
  )
}

/** The hash of the API key on standard input, whatever line end or blanks are around it. */
export const hashFromStdin = async (terminal: Terminal): Promise<string> =>
  hashOfApiKey((await text(terminal.in)).trim())
