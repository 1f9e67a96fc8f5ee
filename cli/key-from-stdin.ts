import { text } from 'node:stream/consumers'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import type { Terminal } from './command.ts'

/** The hash of the API key on standard input, whatever line end or blanks are around it. */
export const hashFromStdin = async (terminal: Terminal): Promise<string> =>
  hashOfApiKey((await text(terminal.in)).trim())
