/**
 * Text that anybody may have written, for a terminal. Characters that hide or move text, or command
 * the terminal, are escaped as in JSON. JSON stays JSON.
 * @example printable('red \u001b[31m') // 'red \\u001b[31m'
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

/** The same for text of several lines, which stay lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/**
 * A name or value that anybody may have chosen, as JSON on one line. So nobody takes it for the
 * words around it, or for a line of its own.
 */
export const quoted = (value: unknown): string => printable(JSON.stringify(value))
