/**
 * Says what is wrong with a body that can't be parsed, and where.
 * @param message of the error that `JSON.parse` threw. V8 names the place of most mistakes in it
 * @example jsonMistake('{"a": b}', …) // 'The body is not well-formed JSON at line 1, column 7: unexpected character.'
 */
export function jsonMistake(text: string, message: string): string {
  if (text.trim() === '') return 'The body is empty. Send a JSON object.'
  if (message.includes('call stack')) return 'The body is nested too deep.'
  const [, what = 'unexpected end', position] = /^(.+?)(?: in JSON)? at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return at(text, Number(position), `${what.charAt(0).toLowerCase()}${what.slice(1)}`)
  return isUnexpected(message) ? at(text, unexpectedIn(text), 'unexpected character') : at(text, text.length, what)
}

function at(text: string, position: number, what: string): string {
  const lines = text.slice(0, position).split('\n')
  const column = (lines.at(-1) as string).length + 1
  return `The body is not well-formed JSON at line ${lines.length}, column ${column}: ${what}.`
}

const isUnexpected = (message: string): boolean => message.startsWith('Unexpected token')

/** V8 does not say where an unexpected character is. It ends the shortest beginning of the text that has this mistake. */
function unexpectedIn(text: string): number {
  let [least, most] = [0, text.length]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (isUnexpected(mistakeIn(text.slice(0, middle)))) most = middle
    else least = middle
  }
  return least
}

function mistakeIn(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
