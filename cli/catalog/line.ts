import type { Problem } from '@embed-access/core/catalog/kind.ts'
import { parseJson, placeOfMistake } from '@embed-access/core/json.ts'
import type { Line } from './file.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a line, or what is wrong with it. */
export function parse({ bytes, isTooLong }: Line): { readonly value: unknown } | { readonly problems: Problem[] } {
  if (isTooLong) return unusable('has more than 16 MiB; there must be one change per line')
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return unusable('is not text in UTF-8')
  }
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return unusable(error instanceof SyntaxError ? whyNotJson(text.trimEnd()) : 'nests too deep')
  }
}

const unusable = (reason: string) => ({ problems: [{ pointer: '', reason }] })

function whyNotJson(text: string): string {
  if (/^\s*(\/\/|\/\*|#)/.test(text)) return 'is a comment; there must be one change per line, and nothing else'
  const place = placeOfMistake(text)
  if (text.endsWith(',') && place >= text.length - 1)
    return 'ends with a comma; there must be one change per line, without commas between them'
  if (/,\s*$/.test(text.slice(0, place)) && /[}\]]/.test(text.charAt(place)))
    return `is not JSON: the comma before column ${place + 1} is too many`
  return place >= text.length ? 'is not JSON: it ends too early' : `is not JSON: column ${place + 1} is wrong`
}
