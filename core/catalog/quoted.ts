/** What a terminal obeys, shows in another order, or does not show: control and format characters, line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Text of anybody, for a terminal: what is not for reading is escaped as JSON does it. JSON on one line stays the same JSON.
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
 * A name or value of anybody, as JSON on one line. So it is told from the words around it, and forges no line.
 * @example quoted('a"b\n') // '"a\\"b\\n"'
 */
export const quoted = (value: unknown): string => printable(JSON.stringify(value))
