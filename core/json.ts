/**
 * A number that JavaScript would change, such as 9007199254740993. `JSON.stringify` writes all of
 * its digits.
 */
export type RawNumber = { readonly rawJSON: string }

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** TypeScript's library lacks these parts of `JSON`. */
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver?: Reviver): unknown
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

export const isRawNumber = isRawJSON

/** JavaScript changes no number of up to 15 digits, if its exponent has up to two digits. */
const mayBeChanged = /[\d.]{16}|\d[eE][+-]?\d{3}/

export const keepingDigits: Reviver = (_, value, { source = '' } = {}) =>
  typeof value === 'number' && decimal(String(value)) !== decimal(source) ? rawJSON(source) : value

/**
 * Parses JSON. A number that JavaScript would change becomes a {@link RawNumber}.
 * @throws SyntaxError; RangeError if the JSON nests too deep for the stack and has a number that
 * JavaScript might change
 * @example JSON.stringify(parseJson('[9007199254740993, 0.10]')) // '[9007199254740993,0.1]'
 */
export const parseJson = (text: string): unknown =>
  // With a reviver, parsing takes many times as long.
  mayBeChanged.test(text) ? parse(text, keepingDigits) : parse(text)

/**
 * Returns one text for all ways to write a decimal number. For `Infinity`, which JSON does not
 * have, it returns `0`.
 * @example [decimal('1.50'), decimal('15e-1')] // ['15e-1', '15e-1']
 */
function decimal(number: string): string {
  const [, sign, integer = '', fraction = '', exponent = ''] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${integer}${fraction}`.replace(/^0+/, '')
  if (digits === '') return '0'
  let end = digits.length
  // A regular expression would try each zero of a number with a million of them.
  while (digits[end - 1] === '0') end -= 1
  const power = Number(exponent) - fraction.length + digits.length - end
  return `${sign}${digits.slice(0, end)}e${power}`
}

/**
 * The position of the first mistake in a text that is not JSON. If the text ends too early, that is
 * its length.
 * @example placeOfMistake('{"a": b}') // 6
 */
export function placeOfMistake(text: string): number {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (mayGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return bad - 1
}

/** Whether a text is JSON or its beginning. V8 gives the position only of some mistakes. */
function mayGoOn(beginning: string): boolean {
  try {
    parse(beginning)
    return true
  } catch (error) {
    const { message } = error as Error
    return (
      /end of JSON/.test(message) ||
      Number(/at position (\d+)/.exec(message)?.[1]) >= beginning.length
    )
  }
}
