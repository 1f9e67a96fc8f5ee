import { placeOfMistake } from '@embed-access/core/json.ts'
import { Refusal } from '@embed-access/core/refusal.ts'

/** The length of the longest body, in bytes (docs/specification.md#requests-and-responses). */
export const maxBodyBytes = 256 * 1024

export const bodyTooLarge = (): Refusal =>
  new Refusal('body_too_large', `The body must have at most ${maxBodyBytes} bytes.`)

/** @param message of the error that `JSON.parse` threw */
export function mistakeIn(text: string, message: string): string {
  if (text.trim() === '') return 'The body is empty. Send a JSON object.'
  if (message.includes('call stack')) return 'The body is nested too deep.'
  const before = text.slice(0, placeOfMistake(text))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return `The body is not well-formed JSON at line ${line}, column ${column}: ${what(message)}.`
}

/** What the message says, without the part of the body that it may quote. */
function what(message: string): string {
  const [, said] = /^(.+?)(?: in JSON)? at position \d/.exec(message) ?? []
  if (said !== undefined) return said.charAt(0).toLowerCase() + said.slice(1)
  return message.startsWith('Unexpected token') ? 'unexpected character' : 'unexpected end'
}
