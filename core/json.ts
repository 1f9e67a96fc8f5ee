/**
 * A number that JavaScript would change, such as 9007199254740993. `JSON.stringify` writes it as it
 * was written.
 */
export type RawNumber = { readonly rawJSON: string }

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** TypeScript's library does not have these parts of `JSON` yet. */
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver?: Reviver): unknown
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

export const isRawNumber = isRawJSON

/** JavaScript keeps numbers of 15 digits, with an exponent of two. */
const mayBeChanged = /[\d.]{16}|\d[eE][+-]?\d{3}/

/** A reviver that keeps a number as it was written if JavaScript would change it. */
export const keepingDigits: Reviver = (_, value, { source = '' } = {}) =>
  typeof value === 'number' && decimal(String(value)) !== decimal(source) ? rawJSON(source) : value

/**
 * Parses JSON. A number that JavaScript would change is a {@link RawNumber}.
 * @throws SyntaxError; RangeError for what nests deeper than the stack
 * @example JSON.stringify(parseJson('[9007199254740993, 0.10]')) // '[9007199254740993,0.1]'
 */
export const parseJson = (text: string): unknown =>
  // With a reviver, parsing takes many times as long.
  mayBeChanged.test(text) ? parse(text, keepingDigits) : parse(text)

/**
 * One text for all ways to write a decimal number.
 * @example [decimal('1.50'), decimal('15e-1')] // ['15e-1', '15e-1']
 */
function decimal(number: string): string {
  const [, sign, integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${integer}${fraction}`.replace(/^0+/, '')
  if (digits === '') return integer === '' ? number : '0'
  let end = digits.length
  // A regular expression would try each zero of a number with a million of them.
  while (digits[end - 1] === '0') end -= 1
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/**
 * Where the first mistake is of a text that is not JSON, from 0 on. For a text that ends too early
 * it is the text's length.
 * @example placeOfMistake('{"a": b}') // 6
 */
export function placeOfMistake(text: string): number {
  let [good, bad] = [0, text.length + 1]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (mayGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return bad - 1
}

/**
 * Whether text is JSON, or the beginning of JSON. V8 says where a mistake is, unless it is an
 * unexpected character.
 */
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
