import { printable } from '@embed-access/core/catalog/quoted.ts'

/**
 * Text as a shell takes it for one word, and nothing of it for a command.
 * @example shellWord("it's") // "'it'\\''s'"
 */
export function shellWord(text: string): string {
  const shown = printable(text)
  return /^[\w./:@%+=,-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`
}
