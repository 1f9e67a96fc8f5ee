import { placeOfMistake } from '@embed-access/core/json.ts'

/**
 * Says what is wrong with a body that can't be parsed, and where.
 * @param message of the error that `JSON.parse` threw. Of an unexpected character V8 quotes the text around it, so it is left out
 * @example jsonMistake('{"a": b}', …) // 'The body is not well-formed JSON at line 1, column 7: unexpected character.'
 */
export function jsonMistake(text: string, message: string): string {
  if (text.trim() === '') return 'The body is empty. Send a JSON object.'
  if (message.includes('call stack')) return 'The body is nested too deep.'
  const lines = text.slice(0, placeOfMistake(text)).split('\n')
  const column = (lines.at(-1) as string).length + 1
  return `The body is not well-formed JSON at line ${lines.length}, column ${column}: ${what(message)}.`
}

function what(message: string): string {
  const [, said] = /^(.+?)(?: in JSON)? at position \d/.exec(message) ?? []
  if (said !== undefined) return said.charAt(0).toLowerCase() + said.slice(1)
  return message.startsWith('Unexpected token') ? 'unexpected character' : 'unexpected end'
}
