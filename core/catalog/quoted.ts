/**
 * Text that anybody may have written, for a terminal. What hides, moves or commands is escaped as
 * in JSON, and JSON stays JSON.
 * @example printable('red \u001b[31m') // 'red \\u001b[31m'
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

/** The same for text of several lines, which stay lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/**
 * A name or value that anybody may have chosen, as JSON on one line. So it can't pass for the words
 * around it, or a line.
 */
export const quoted = (value: unknown): string => printable(JSON.stringify(value))
