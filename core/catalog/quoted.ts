/** Control and format characters, and line separators: a terminal obeys them, or hides or moves text for them. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Text that anybody may have written, for a terminal. Unprintable characters are escaped as in JSON, so JSON stays the same
 * JSON.
 * @example printable('red \u001b[31m') // 'red \\u001b[31m'
 */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/**
 * A name or value that anybody may have chosen, as JSON on one line. So it can't pass for the words around it, or for a line.
 * @example quoted('a"b\n') // '"a\\"b\\n"'
 */
export const quoted = (value: unknown): string => printable(JSON.stringify(value))
