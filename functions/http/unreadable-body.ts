import { placeOfMistake } from '@embed-access/core/json.ts'
import { Refusal } from '@embed-access/core/refusal.ts'

/** The length of the longest body, in bytes (docs/specification.md#requests-and-responses). */
export const maxBodyBytes = 256 * 1024

export const bodyTooLarge = (): Refusal =>
  new Refusal('body_too_large', `The body must have at most ${maxBodyBytes} bytes.`)

/**
 * Says why a text is not JSON, and where.
 * @param message of the error that `JSON.parse` threw
 */
export function whyNotJson(text: string, message: string): string {
  if (text.trim() === '') return 'The body is empty. Send a JSON object.'
  if (text.startsWith('\uFEFF'))
    return 'The body begins with a byte order mark. Send UTF-8 without one.'
  if (message.includes('call stack')) return 'The body is nested too deep.'
  const before = text.slice(0, placeOfMistake(text))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  const mistake = mistakeIn(message)
  return `The body is not well-formed JSON at line ${line}, column ${column}: ${mistake}.`
}

/** The mistake that the message names, without the part of the body that it may quote. */
function mistakeIn(message: string): string {
  const [, said] = /^(.+?)(?: in JSON)? at position \d/.exec(message) ?? []
  if (said !== undefined) return said.charAt(0).toLowerCase() + said.slice(1)
  return message.includes('Unexpected end') ? 'unexpected end' : 'unexpected character'
}
