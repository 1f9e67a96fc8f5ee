import { printable } from '@embed-access/core/catalog/quoted.ts'

/**
 * Quotes text so that a shell takes it for one word.
 * @example shellWord("it's") // "'it'\\''s'"
 */
export function shellWord(text: string): string {
  const shown = printable(text)
  return /^[\w./:@%+=,-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`
}

/**
 * Quotes a path so that a command does not take it for an option.
 * @example fileWord('-a') // './-a'
 */
export const fileWord = (path: string): string => shellWord(path.replace(/^-/, './-'))

/** Options with their values, each after a space. Those without a value are left out. */
export const optionWords = (options: Record<string, string | undefined>): string =>
  Object.entries(options)
    .map(([option, value]) => (value === undefined ? '' : ` ${option} ${shellWord(value)}`))
    .join('')
